"""Twenty rounds of the kill soak (attacks R1, R6 and A9); `make soak` has a thousand."""

from soak import Soak


def test_r1_twenty_kills_under_load_and_every_statement_is_accounted_for(tmp_path, capsys):
    result = Soak(tmp_path, seed=20).run(20, every=10)
    with capsys.disabled():
        print(f"\n{result}")
