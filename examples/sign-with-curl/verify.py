#!/usr/bin/env python3
"""Verifies a statement with PyJWT, which knows nothing but where the service publishes its keys.

    verify.py https://sign.example.com/.well-known/jwks.json < statement
"""
import sys

import jwt

text = sys.stdin.read().removesuffix("\n")
key = jwt.PyJWKClient(sys.argv[1]).get_signing_key_from_jwt(text)
token = jwt.decode_complete(text, key.key, algorithms=[key.algorithm_name], options={"verify_aud": False})
claims = token["payload"]
if token["header"]["typ"] != "countersign+jwt" or claims["auth_level"] < 1 or "aud" in claims:
    sys.exit("not what we accept")
print(f"{claims['sub']} signed {claims['payload']!r} for {claims['reason']!r}")
