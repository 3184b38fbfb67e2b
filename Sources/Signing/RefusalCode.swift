extension Refusal {
    /// What was refused, by number. 102, 146, 153 and 214 are those of the source documents (rules S20-S22, D11); ours start
    /// at 1000. A number is never given a second meaning.
    package enum Code: Int, Sendable, Hashable, CaseIterable {
        case authenticationFailed = 102
        case deviceNotAllowed = 146
        case cancelled = 153
        case methodNotSupported = 214

        case payloadEmpty = 1000
        case payloadBlank = 1001
        case payloadTooLong = 1002
        case payloadTooManyBytes = 1003
        case payloadCharacter = 1004
        case payloadNotUTF8 = 1005
        case reasonEmpty = 1010
        case reasonBlank = 1011
        case reasonTooLong = 1012
        case reasonTooManyBytes = 1013
        case reasonCharacter = 1014
        case reasonNotUTF8 = 1015
        case userNameMalformed = 1020
        case audienceMalformed = 1021
        case issuerMalformed = 1022
        case batchEmpty = 1030
        case batchTooLarge = 1031
        case batchTooManyBytes = 1032
        case batchReference = 1033

        case challengeExpired = 1100
        case ceremonyOpen = 1101
        case ceremonyUnknown = 1102
        case ceremonyAnswered = 1103
        case noChallenge = 1104
        case challengeReplaced = 1105
        case evidenceKind = 1106

        case passwordEmpty = 1200
        case passwordTooShort = 1201
        case passwordTooLong = 1202
        case passwordNotUTF8 = 1203
        case passwordCharacter = 1204
        case passwordOuterSpace = 1205

        // For operators' commands only: whoever signs must not learn which users there are.
        case userExists = 1300
        case userUnknown = 1301
        case userLocked = 1302

        case noActiveKey = 1400
        case keyUnknown = 1401
        case keyState = 1402

        case authenticationBusy = 1500
        case storeBusy = 1501
        case storeFull = 1502
        case storeCorrupt = 1503
        case clockBehind = 1504
        case storeUnavailable = 1505

        case deviceUnknown = 1600
        case deviceCurrent = 1601
        case deviceLast = 1602
        case deviceNameEmpty = 1603
        case deviceNameTooShort = 1604
        case deviceNameTooLong = 1605
        case deviceNameSame = 1606
        case deviceNameCharacter = 1607
        case deviceOperation = 1608
        case activationRejected = 1609
        case activationExpired = 1610
        case activationMethodUnavailable = 1611
        case activationUnknown = 1612
        case matchCodeWrong = 1613
        case activationPending = 1614

        case notificationUnknown = 1700
        case notificationProcessed = 1701
        case notificationExpired = 1702
        case notificationWithoutActions = 1703
        case actionNotOffered = 1704
        case startIndex = 1705
        case recordCount = 1706
        case dateMalformed = 1707
        case notificationMalformed = 1710
        case requestUnknown = 1720
        case tooManyOpen = 1721
        case authorizationPending = 1722
        case slowDown = 1723
        case requestExpired = 1724
        case requestOver = 1725
        case requestTermsMalformed = 1726
        case groupUnknown = 1727
        case groupExists = 1728
        case groupMalformed = 1729
        case pushNotEnrolled = 1730
        case pushTokenMalformed = 1731

        // Of the interface over HTTP.
        case requestMalformed = 1800
        case memberUnknown = 1801
        case memberMissing = 1802
        case memberValue = 1803
        case mediaType = 1804
        case notAcceptable = 1805
        case requestTooLarge = 1806
        case headersTooLarge = 1807
        case requestTimeout = 1808
        case routeUnknown = 1809
        case methodNotAllowed = 1810
        case tooManyRequests = 1811
        case serverBusy = 1812
        case serverStopping = 1813
        case idempotencyKeyMalformed = 1814
        case idempotencyMismatch = 1815
        case idempotencyRunning = 1816
        case internalFault = 1817
        case tooManyStatements = 1818

        case tokenMissing = 1820
        case tokenInvalid = 1821
        case proofMissing = 1822
        case proofInvalid = 1823
        case proofReplayed = 1824
        case nonceNeeded = 1825
        case stepUpNeeded = 1826
        case scopeInsufficient = 1827
        case clientInvalid = 1828
        case grantInvalid = 1829
        case grantTypeUnsupported = 1830

        case sessionUnknown = 1840
        case deviceKeyTaken = 1841
        case deviceKeyRefused = 1842
        case clientExists = 1844
        case clientUnknown = 1845
        case clientNameMalformed = 1846
        case statementUnknown = 1847
        case settingUnknown = 1848
        case settingValue = 1849
        case pageMalformed = 1850
    }
}
