import Signing
import Storage

/// The one table from what the service refuses to what the process says.
extension ExitStatus {
    init(_ code: Refusal.Code) {
        self =
            switch code {
            case .authenticationFailed, .matchCodeWrong: .authenticationFailed
            case .deviceNotAllowed: .deviceNotAllowed
            case .methodNotSupported, .activationMethodUnavailable: .unsupportedMethod

            case .cancelled, .activationRejected: .declined
            // Somebody else ended it meanwhile: an operator's reset, most likely.
            case .ceremonyUnknown, .ceremonyAnswered, .noChallenge, .challengeReplaced: .declined
            case .challengeExpired, .activationExpired, .notificationExpired, .requestExpired: .expired

            case .payloadEmpty, .payloadBlank, .payloadTooLong, .payloadTooManyBytes, .payloadCharacter,
                .payloadNotUTF8, .reasonEmpty, .reasonBlank, .reasonTooLong, .reasonTooManyBytes, .reasonCharacter,
                .reasonNotUTF8, .userNameMalformed, .audienceMalformed, .issuerMalformed, .evidenceKind, .batchEmpty,
                .batchTooLarge,
                .batchTooManyBytes, .batchReference:
                .refusedInput
            case .passwordEmpty, .passwordTooShort, .passwordTooLong, .passwordNotUTF8, .passwordCharacter,
                .passwordOuterSpace:
                .refusedInput
            case .userExists, .userUnknown, .userLocked, .noActiveKey, .keyUnknown, .keyState: .refusedInput
            case .deviceUnknown, .activationUnknown, .activationPending, .deviceCurrent, .deviceLast, .deviceNameEmpty,
                .deviceNameTooShort,
                .deviceNameTooLong, .deviceNameSame, .deviceNameCharacter, .deviceOperation:
                .refusedInput
            case .notificationUnknown, .notificationProcessed, .notificationWithoutActions, .actionNotOffered,
                .notificationMalformed, .startIndex, .recordCount, .dateMalformed, .pushNotEnrolled,
                .pushTokenMalformed, .requestUnknown, .requestOver, .requestTermsMalformed, .groupUnknown, .groupExists,
                .groupMalformed:
                .refusedInput

            case .ceremonyOpen, .authenticationBusy, .storeBusy, .storeFull, .storeCorrupt, .clockBehind,
                .storeUnavailable:
                .unavailable

            case .requestMalformed, .memberUnknown, .memberMissing, .memberValue, .mediaType, .notAcceptable,
                .requestTooLarge, .headersTooLarge, .routeUnknown, .methodNotAllowed, .idempotencyKeyMalformed,
                .idempotencyMismatch, .tooManyStatements, .grantTypeUnsupported:
                .refusedInput
            case .sessionUnknown, .deviceKeyTaken, .deviceKeyRefused, .clientExists, .clientUnknown,
                .clientNameMalformed, .statementUnknown, .settingUnknown, .settingValue, .pageMalformed:
                .refusedInput
            case .tokenMissing, .tokenInvalid, .proofMissing, .proofInvalid, .proofReplayed, .nonceNeeded,
                .stepUpNeeded, .scopeInsufficient, .clientInvalid, .grantInvalid:
                .authenticationFailed
            case .authorizationPending, .slowDown, .requestTimeout, .tooManyRequests, .tooManyOpen, .serverBusy,
                .serverStopping, .idempotencyRunning,
                .internalFault:
                .unavailable
            }
    }

    init(_ code: StorageError.Code) {
        self =
            switch code {
            case .newerSchema, .notAStore, .unreadable, .exists: .refusedInput
            case .busy, .full, .corrupt, .constraint, .conflict, .io: .unavailable
            }
    }
}
