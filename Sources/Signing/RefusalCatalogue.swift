extension Refusal.Code {
    /// The stable name in kebab case, for programs and logs.
    package var name: String { entry.name }

    /// What is wrong and, where there is something, what to do next. One for each code, the same for every occurrence.
    package var text: String { entry.text }

    /// The catalogue, as `Vectors/signing/refusals.json` repeats it.
    private var entry: (name: String, text: String) {
        switch self {
        case .authenticationFailed:
            ("authentication-failed", "Authentication failed. Check your credentials and try again.")
        case .deviceNotAllowed:
            ("device-not-allowed", "The device is not allowed to do this now.")
        case .cancelled:
            ("cancelled", "The signing was cancelled. Nothing was signed.")
        case .methodNotSupported:
            (
                "method-not-supported",
                "This authentication level and type are not supported here. "
                    + "Level 1 goes with type 0, level 4 with type 1."
            )

        case .payloadEmpty: ("payload-empty", "The payload is empty. Say what is to be signed.")
        case .payloadBlank: ("payload-blank", "The payload has nothing that can be seen.")
        case .payloadTooLong:
            ("payload-too-long", "The payload has too many characters. Sign a longer text by its digest.")
        case .payloadTooManyBytes:
            ("payload-too-many-bytes", "The payload has too many bytes. Sign a longer text by its digest.")
        case .payloadCharacter:
            (
                "payload-character",
                "The payload has a character that may not be signed: a control other than newline and tab, a change of "
                    + "direction, a line separator or a noncharacter."
            )
        case .payloadNotUTF8: ("payload-not-utf8", "The payload is not UTF-8. Sign other data by its digest.")

        case .reasonEmpty: ("reason-empty", "The reason is empty. Say why this is signed.")
        case .reasonBlank: ("reason-blank", "The reason has nothing that can be seen.")
        case .reasonTooLong: ("reason-too-long", "The reason has too many characters.")
        case .reasonTooManyBytes: ("reason-too-many-bytes", "The reason has too many bytes.")
        case .reasonCharacter:
            (
                "reason-character",
                "The reason has a character that may not be signed: a control (newline and tab too), a change of "
                    + "direction, a line separator or a noncharacter."
            )
        case .reasonNotUTF8: ("reason-not-utf8", "The reason is not UTF-8.")

        case .userNameMalformed:
            (
                "user-name-malformed",
                "This is no user name. A user name has 1 to 64 of the characters a-z 0-9 . _ @ - and starts with a "
                    + "letter or digit."
            )
        case .audienceMalformed:
            (
                "audience-malformed",
                "This is no audience. An audience is a name or URI of 1 to 255 visible ASCII characters."
            )

        case .issuerMalformed:
            (
                "issuer-malformed",
                "This is no issuer. An issuer is a name or URI of 1 to 255 visible ASCII characters."
            )

        case .batchEmpty: ("batch-empty", "The batch has no payload. Say what is to be signed.")
        case .batchTooLarge: ("batch-too-large", "The batch has too many payloads. Sign fewer at a time.")
        case .batchTooManyBytes:
            ("batch-too-many-bytes", "The batch has too many bytes in all. Sign fewer payloads at a time.")
        case .batchReference:
            (
                "batch-reference",
                "The batch has a reference that cannot be one, or twice the same. "
                    + "A reference has 1 to 128 bytes without controls."
            )

        case .challengeExpired: ("challenge-expired", "The challenge has expired. Start again.")
        case .ceremonyOpen:
            ("ceremony-open", "A signing is already open in this session. Finish it or reset it first.")
        case .ceremonyUnknown: ("ceremony-unknown", "There is no such signing in this session.")
        case .ceremonyAnswered: ("ceremony-answered", "This challenge was already answered and its text signed.")
        case .noChallenge: ("no-challenge", "There is no challenge to answer. Start a signing first.")
        case .challengeReplaced:
            ("challenge-replaced", "This challenge is no longer the current one. Answer the newest, or start again.")
        case .evidenceKind: ("evidence-kind", "The challenge asks for another kind of evidence.")

        case .passwordEmpty: ("password-empty", "The password is empty.")
        case .passwordTooShort: ("password-too-short", "The password is too short.")
        case .passwordTooLong: ("password-too-long", "The password is too long.")
        case .passwordNotUTF8: ("password-not-utf8", "The password is not UTF-8.")
        case .passwordCharacter: ("password-character", "The password has a control character in it, such as a tab.")
        case .passwordOuterSpace: ("password-outer-space", "The password starts or ends with white space.")

        case .userExists: ("user-exists", "There is or was a user of this name. Names are never used again.")
        case .userUnknown: ("user-unknown", "There is no user of this name.")
        case .userLocked: ("user-locked", "The user is locked. Unlock them first.")

        case .noActiveKey: ("no-active-key", "There is no active signing key. Create or activate one.")
        case .keyUnknown: ("key-unknown", "There is no key with this id.")
        case .keyState: ("key-state", "The key's state does not allow this.")

        case .authenticationBusy:
            ("authentication-busy", "Too many authentications are being checked. Try again in a moment.")
        case .storeBusy: ("store-busy", "The store is busy with other work. Try again in a moment.")
        case .storeFull: ("store-full", "The store has no room left. Free disk space, then try again.")
        case .storeCorrupt: ("store-corrupt", "The store is damaged. Restore it from a backup.")
        case .clockBehind:
            ("clock-behind", "The clock is behind the newest time on record. Set it right, then try again.")
        case .storeUnavailable: ("store-unavailable", "The store cannot be read or written.")

        case .deviceUnknown: ("device-unknown", "There is no such device.")
        case .deviceCurrent: ("device-current", "The device in use cannot be deleted. Delete it from another one.")
        case .deviceLast: ("device-last", "The last device cannot be deleted. Add another one first.")
        case .deviceNameEmpty: ("device-name-empty", "The device name is empty.")
        case .deviceNameTooShort: ("device-name-too-short", "The device name is too short.")
        case .deviceNameTooLong: ("device-name-too-long", "The device name is too long.")
        case .deviceNameSame: ("device-name-same", "The device has this name already. Choose another.")
        case .deviceNameCharacter:
            ("device-name-character", "The device name has a character that cannot be shown safely.")
        case .deviceOperation:
            ("device-operation", "A device can be renamed or deleted, nothing else; other members cannot be set.")
        case .activationRejected: ("activation-rejected", "The activation of this device was rejected.")
        case .activationExpired: ("activation-expired", "Nobody approved this device in time. Start again.")
        case .activationMethodUnavailable:
            ("activation-method-unavailable", "The device cannot be activated in this way, or not any more.")
        case .activationUnknown: ("activation-unknown", "There is no such activation of this device.")
        case .activationPending: ("activation-pending", "The device waits to be approved on another one.")

        case .matchCodeWrong:
            (
                "match-code-wrong",
                "The match code is not the one that is shown where this was asked. If you did not ask, reject it."
            )

        case .notificationUnknown: ("notification-unknown", "There is no such notification.")
        case .notificationProcessed:
            ("notification-processed", "This notification has already been processed.")
        case .notificationExpired: ("notification-expired", "This notification has expired.")
        case .notificationWithoutActions:
            ("notification-without-actions", "This notification has no actions to choose from.")
        case .actionNotOffered:
            ("action-not-offered", "The notification does not offer this action. Choose one of its own, as written.")
        case .startIndex: ("start-index", "The start index must be 1 or more.")
        case .recordCount: ("record-count", "The record count must be 0 (all) or more.")
        case .dateMalformed: ("date-malformed", "This is no date. Dates are written YYYY-MM-DD.")
        case .notificationMalformed:
            ("notification-malformed", "This cannot be a notification. See which texts, actions and times it may have.")
        case .requestUnknown: ("request-unknown", "There is no such signing request.")
        case .tooManyOpen:
            ("too-many-open", "Too many questions to this person are open. Wait until some are answered or over.")
        case .authorizationPending:
            ("authorization-pending", "The signing request waits for an answer. Ask again later, or wait for it.")
        case .slowDown:
            (
                "slow-down",
                "The signing request was asked for too soon. Leave more time between two questions, or wait for it."
            )
        case .requestExpired: ("request-expired", "The signing request has expired. Nothing was signed in time.")
        case .requestOver: ("request-over", "The signing request is over already.")
        case .requestTermsMalformed:
            (
                "request-terms-malformed",
                "This cannot be a signing request. See whom it may ask, how many, and for how long."
            )
        case .groupUnknown: ("group-unknown", "There is no group of this name.")
        case .groupExists: ("group-exists", "There is a group of this name already.")
        case .groupMalformed:
            (
                "group-malformed",
                "This is no group. A name has 1 to 64 of the characters a-z 0-9 . _ - and starts with a letter or "
                    + "digit; a group has 1 to 64 users."
            )
        case .pushNotEnrolled: ("push-not-enrolled", "This device is not enrolled for push challenges. Enrol it first.")
        case .pushTokenMalformed:
            ("push-token-malformed", "This is no push token: 1 to 256 bytes in lower-case hexadecimal.")

        case .requestMalformed:
            ("request-malformed", "The request is malformed. Send it as the interface's description says.")
        case .memberUnknown: ("member-unknown", "The request has a member that is not known here. Leave it out.")
        case .memberMissing: ("member-missing", "The request lacks a member that must be there.")
        case .memberValue: ("member-value", "A member of the request has a value that it cannot have.")
        case .mediaType:
            (
                "media-type",
                "The body's media type is not accepted here. "
                    + "Send application/json unless the route asks for another."
            )
        case .notAcceptable:
            ("not-acceptable", "None of the media types that are accepted can be sent. Accept application/json.")
        case .requestTooLarge: ("request-too-large", "The request's body is too large.")
        case .headersTooLarge: ("headers-too-large", "The request's headers are too large.")
        case .requestTimeout: ("request-timeout", "The request took too long to arrive. Send it again.")
        case .routeUnknown: ("route-unknown", "There is nothing at this address.")
        case .methodNotAllowed: ("method-not-allowed", "This method is not one for this address.")
        case .tooManyRequests: ("too-many-requests", "Too many requests. Wait, then try again.")
        case .serverBusy: ("server-busy", "The server has too much to do. Try again in a moment.")
        case .serverStopping: ("server-stopping", "The server is stopping. Try again in a moment.")
        case .idempotencyKeyMalformed:
            (
                "idempotency-key-malformed",
                "This is no idempotency key. "
                    + "It has 1 to 128 visible ASCII characters and comes once."
            )
        case .idempotencyMismatch:
            (
                "idempotency-mismatch",
                "This idempotency key was used for another request. "
                    + "Take a new one for each request."
            )
        case .idempotencyRunning:
            (
                "idempotency-running",
                "A request with this idempotency key is still being answered. "
                    + "Try again in a moment."
            )
        case .internalFault:
            ("internal-fault", "Something went wrong in the server. Its operator finds more in the log.")
        case .tooManyStatements: ("too-many-statements", "Too many statements in one request. Send fewer at a time.")

        case .tokenMissing: ("token-missing", "An access token is needed. Log in first.")
        case .tokenInvalid:
            ("token-invalid", "The access token is not valid, or not any more. Refresh it or log in again.")
        case .proofMissing: ("proof-missing", "A proof of the key is needed: a DPoP header.")
        case .proofInvalid:
            ("proof-invalid", "The proof of the key is not valid for this request. Make a new one for each request.")
        case .proofReplayed:
            ("proof-replayed", "This proof of the key was used before. Make a new one for each request.")
        case .nonceNeeded:
            (
                "nonce-needed",
                "The proof of the key needs the server's nonce. "
                    + "Make another with the nonce of this answer."
            )
        case .stepUpNeeded: ("step-up-needed", "The log-in was too long ago for this. Log in again.")
        case .scopeInsufficient: ("scope-insufficient", "This session may not do this.")
        case .clientInvalid: ("client-invalid", "The client could not be authenticated.")
        case .grantInvalid: ("grant-invalid", "The grant is not valid, or not any more. Log in again.")
        case .grantTypeUnsupported:
            (
                "grant-type-unsupported",
                "This grant type is not supported. "
                    + "Supported are refresh_token and client_credentials."
            )

        case .sessionUnknown: ("session-unknown", "There is no such session.")
        case .deviceKeyTaken:
            ("device-key-taken", "This key belongs to a device already. Make a new key for each device.")
        case .deviceKeyRefused: ("device-key-refused", "This key cannot be a device's. Take one for ES256 or EdDSA.")
        case .clientExists: ("client-exists", "There is or was a client of this name. A name is never used again.")
        case .clientUnknown: ("client-unknown", "There is no client of this name.")
        case .clientNameMalformed:
            (
                "client-name-malformed",
                "This is no client name. "
                    + "A client name has 1 to 64 of the characters a-z 0-9 . _ - and starts with a letter or digit."
            )
        case .statementUnknown: ("statement-unknown", "There is no statement with this id.")
        case .settingUnknown: ("setting-unknown", "There is no setting of this name.")
        case .settingValue: ("setting-value", "The setting cannot have this value.")
        case .pageMalformed:
            (
                "page-malformed",
                "This is no page of a list. "
                    + "Give a start index of 1 or more and a count within the limit."
            )
        }
    }
}
