"""Verifies the statements of a file, one on each line, by another library: verify.py pyjwt|joserfc TRUST FILE

Each signature is checked under the same JWK set, the algorithm is the key's, and the claims are parsed. Prints how many are valid.
"""

import json
import sys


def pyjwt(trust):
    import jwt

    keys = {key.key_id: key for key in jwt.PyJWKSet.from_dict(trust).keys}
    options = {"verify_aud": False}

    def verify(line):
        key = keys[jwt.get_unverified_header(line)["kid"]]
        return jwt.decode(line, key, algorithms=[key.algorithm_name], options=options)["auth_level"] >= 1

    return verify, jwt.PyJWTError


def joserfc(trust):
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    keys = KeySet.import_key_set(trust)
    algorithms = sorted({key["alg"] for key in trust["keys"]})

    def verify(line):
        return jwt.decode(line, keys, algorithms=algorithms).claims["auth_level"] >= 1

    return verify, JoseError


library, trust, file = sys.argv[1:]
verify, refusal = {"pyjwt": pyjwt, "joserfc": joserfc}[library](json.load(open(trust)))
valid = 0
for line in open(file):
    try:
        valid += verify(line.removesuffix("\n"))
    except refusal:
        pass
print(valid)
