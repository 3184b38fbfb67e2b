package import Signing

extension Refusal.Code {
    /// The one table from refusals to HTTP statuses (RFC 9110 section 15, RFC 6585).
    package var httpStatus: Int {
        switch self {
        case .requestMalformed, .memberUnknown, .memberMissing, .memberValue, .idempotencyKeyMalformed, .grantInvalid,
            .grantTypeUnsupported, .pageMalformed, .startIndex, .recordCount, .dateMalformed, .authorizationPending,
            .slowDown:
            400
        case .tokenMissing, .tokenInvalid, .proofMissing, .proofInvalid, .proofReplayed, .nonceNeeded, .stepUpNeeded,
            .clientInvalid:
            401
        case .authenticationFailed, .deviceNotAllowed, .scopeInsufficient: 403
        case .routeUnknown, .ceremonyUnknown, .userUnknown, .keyUnknown, .deviceUnknown, .activationUnknown,
            .notificationUnknown, .sessionUnknown, .clientUnknown, .statementUnknown, .settingUnknown, .requestUnknown,
            .groupUnknown, .pushNotEnrolled:
            404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .requestTimeout: 408
        case .cancelled, .ceremonyOpen, .ceremonyAnswered, .noChallenge, .challengeReplaced, .userExists, .userLocked,
            .keyState, .deviceCurrent, .deviceLast, .activationRejected, .activationPending, .notificationProcessed,
            .idempotencyRunning, .deviceKeyTaken, .clientExists, .requestOver, .groupExists:
            409
        case .challengeExpired, .activationExpired, .notificationExpired, .requestExpired: 410
        case .requestTooLarge, .tooManyStatements, .batchTooLarge, .batchTooManyBytes: 413
        case .mediaType: 415
        case .methodNotSupported, .payloadEmpty, .payloadBlank, .payloadTooLong, .payloadTooManyBytes,
            .payloadCharacter,
            .payloadNotUTF8, .reasonEmpty, .reasonBlank, .reasonTooLong, .reasonTooManyBytes, .reasonCharacter,
            .reasonNotUTF8, .userNameMalformed, .audienceMalformed, .issuerMalformed, .evidenceKind, .passwordEmpty,
            .passwordTooShort, .passwordTooLong, .passwordNotUTF8, .passwordCharacter, .passwordOuterSpace,
            .deviceNameEmpty, .deviceNameTooShort, .deviceNameTooLong, .deviceNameSame, .deviceNameCharacter,
            .deviceOperation, .activationMethodUnavailable, .notificationWithoutActions, .actionNotOffered,
            .matchCodeWrong, .notificationMalformed, .idempotencyMismatch, .deviceKeyRefused, .clientNameMalformed,
            .requestTermsMalformed, .groupMalformed, .settingValue, .pushTokenMalformed, .batchEmpty, .batchReference:
            422
        case .tooManyRequests, .tooManyOpen: 429
        case .headersTooLarge: 431
        case .internalFault: 500
        case .noActiveKey, .authenticationBusy, .storeBusy, .storeFull, .storeCorrupt, .clockBehind, .storeUnavailable,
            .serverBusy, .serverStopping:
            503
        }
    }

    /// After how many seconds it is worth to ask again, where it is and the refusal does not say (RFC 9110 section 10.2.3).
    package var retryAfter: Int? {
        switch self {
        case .authenticationBusy, .storeBusy, .serverBusy, .tooManyRequests: 1
        case .serverStopping, .authorizationPending, .slowDown: 5
        case .storeFull, .storeCorrupt, .clockBehind, .storeUnavailable, .tooManyOpen: 60
        default: nil
        }
    }

    /// The word that RFC 6749 section 5.2, RFC 6750 section 3.1, RFC 9449 section 7.1, RFC 9470 section 3 or OpenID
    /// CIBA Core section 11 has for it.
    package var error: String? {
        switch self {
        case .requestMalformed, .memberUnknown, .memberMissing, .memberValue, .mediaType: "invalid_request"
        case .tokenInvalid: "invalid_token"
        case .proofMissing, .proofInvalid, .proofReplayed: "invalid_dpop_proof"
        case .nonceNeeded: "use_dpop_nonce"
        case .stepUpNeeded: "insufficient_user_authentication"
        case .scopeInsufficient: "insufficient_scope"
        case .clientInvalid: "invalid_client"
        case .grantInvalid: "invalid_grant"
        case .grantTypeUnsupported: "unsupported_grant_type"
        case .authorizationPending: "authorization_pending"
        case .slowDown: "slow_down"
        case .cancelled: "access_denied"
        case .requestExpired: "expired_token"
        default: nil
        }
    }
}

extension Refusal {
    /// The HTTP status of its code.
    package var httpStatus: Int { code.httpStatus }
}
