# What the script tests use. Sourced by `run` for each test, in the test's own directory.
set -u

# The canary: it must not appear in anything that the program writes.
readonly PASSWORD='canary-7f3b-Password-91'
printf '%s' "$PASSWORD" >password
printf 'wrong-guess-5c1e' >wrong
chmod 600 password wrong

# Ends the test as failed, with what the last command did.
fail() {
    echo "$*"
    if [[ -e err ]]; then
        echo "--- stdout ($(stat -c %s out) bytes)" && head -c 1000 out
        echo "--- stderr" && head -c 2000 err
    fi
    exit 1
}

# Ends the test as skipped.
skip() {
    echo "$*"
    exit 77
}

# expect STATUS COMMAND...: runs it with stdout in `out` and stderr in `err`, and compares the exit status.
# Standard input is that of expect. No output may hold the canary; a failure must say something.
expect() {
    local expected=$1 status=0
    shift
    ran="$*"
    "$@" >out 2>err || status=$?
    [[ $status == "$expected" ]] || fail "exit $status instead of $expected: ${ran:0:300}"
    ! grep -qF "$PASSWORD" out err || fail "the password is in the output of: ${ran:0:300}"
    [[ $expected == 0 || -s err || -s out ]] || fail "exit $status without a word: ${ran:0:300}"
}

stdout_is() { [[ $(cat out; echo .) == "$1"$'\n.' ]] || fail "stdout is not: $1"; }
stdout_has() { grep -qF -- "$1" out || fail "stdout has not: $1"; }
stdout_lacks() { ! grep -qF -- "$1" out || fail "stdout has: $1"; }
stdout_matches() { grep -qE -- "$1" out || fail "stdout does not match: $1"; }
stdout_empty() { [[ ! -s out ]] || fail "stdout is not empty: $ran"; }
stdout_lines() { [[ $(wc -l <out) == "$1" ]] || fail "stdout has $(wc -l <out) lines, not $1: $ran"; }
stderr_has() { grep -qiF -- "$1" err || fail "stderr has not: $1"; }
stderr_lacks() { ! grep -qiF -- "$1" err || fail "stderr has: $1"; }
stderr_matches() { grep -qiE -- "$1" err || fail "stderr does not match: $1"; }
stderr_empty() { [[ ! -s err ]] || fail "stderr is not empty: $ran"; }
is() { [[ $1 == "$2" ]] || fail "${3:-the value} is '$1', not '$2'"; }

# A store in ./store with the user alice, as COUNTERSIGN_STORE; its keys in ./trust.json.
new_store() {
    export COUNTERSIGN_STORE=$WORK/store
    expect 0 countersign init
    expect 0 countersign users add alice --password-file password
    expect 0 countersign trust export --jwks --out trust.json
}

# sign ARGUMENT...: signs with the password, as alice and for 'a reason' where nothing else is given.
sign() {
    local user=(--user alice) reason=(--reason 'a reason')
    [[ " $* " != *' --user'* ]] || user=()
    [[ " $* " != *' --reason'* ]] || reason=()
    countersign sign "${user[@]}" "${reason[@]}" --password-file password "$@"
}

# A statement over TEXT in FILE: statement FILE TEXT [OPTION...]
statement() {
    local file=$1 text=$2
    shift 2
    sign "$@" -- "$text" >"$file" 2>err || fail "could not sign: $text"
}

# The verdict's reason code, as `verify --json` tells it.
verify() { countersign verify --trust trust.json "$@"; }

# json FILE EXPRESSION: evaluates a Python expression over the JSON value `v`.
json() { python3 -c 'import json, sys; v = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }

# claims FILE EXPRESSION: the same over the claims of the statement in FILE; `header` over its header.
claims() { part_of 1 "$@"; }
header() { part_of 0 "$@"; }
part_of() {
    python3 -c '
import base64, json, sys
part = open(sys.argv[2]).read().strip().split(".")[int(sys.argv[1])]
v = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
print(eval(sys.argv[3]))' "$@"
}

# repeat N TEXT
repeat() { python3 -c 'import sys; sys.stdout.write(int(sys.argv[1]) * sys.argv[2])' "$1" "$2"; }

# What is in the store, row by row: two of these are equal when nothing was changed in between.
rows() { countersign history --json; countersign audit --json; countersign keys list; countersign users list; }

# serve [SETTING...]: starts the service over ./data and waits until it listens; $URL is its address. Called again, it starts again
# at the same address. It ends with the test at the latest.
serve() {
    port=${port:-$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')}
    URL=http://127.0.0.1:$port
    : >daemon.err
    countersignd --data data --listen "127.0.0.1:$port" "$@" >>daemon.out 2>daemon.err </dev/null &
    daemon=$!
    echo "$daemon" >daemon.pid
    trap 'kill -KILL "$(<"$WORK/daemon.pid")" 2>/dev/null' EXIT
    for _ in $(seq 1 1200); do
        grep -q '^listening on' daemon.err && return
        kill -0 "$daemon" 2>/dev/null || break
        sleep 0.05
    done
    cat daemon.err
    fail "the service did not start"
}

# Ends the service: stop [SIGNAL].
stop() {
    cat daemon.err >>daemon.log
    kill "-${1:-TERM}" "$daemon"
    wait "$daemon" 2>/dev/null
    return 0
}

# A service with the operator logged in by the profile `operator`, and the user alice, whose device is the profile `alice`.
new_service() {
    serve "$@"
    expect 0 countersign login --server "$URL" --operator --token-file data/operator-token --profile operator
    enrolled alice
    export COUNTERSIGN_PROFILE=alice
}

# enrolled NAME: a new user with a device, the profile NAME.
enrolled() {
    expect 0 operator users add "$1"
    (umask 077 && operator users code "$1" >"$1.code" 2>err) || fail "no code for $1"
    expect 0 countersign enrol --server "$URL" --user "$1" --code-file "$1.code" --password-file password --profile "$1"
}

# operator COMMAND...: as the operator of the service.
operator() { countersign "$@" --profile operator; }

# signed TEXT...: alice signs with her device.
signed() { countersign sign --reason 'a reason' --password-file password "$@"; }
