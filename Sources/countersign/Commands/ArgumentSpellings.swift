public import ArgumentParser
public import CountersignKeys
public import CountersignVerifier

// Spelled as in JOSE: ES256, EdDSA, ES384, PS256, RS256.
extension KeyAlgorithm: ExpressibleByArgument {}

// Spelled as in key histories: superseded, compromised.
extension TrustedKey.Revocation.Reason: ExpressibleByArgument {}
