internal import CountersignVerifier
internal import HTTPTypes
internal import ServiceMessages
internal import Signing
internal import SigningService
internal import Wire

extension Service {
    /// Push challenges, of the device that asks.
    static let pushRoutes: [Route] = [
        Route(
            method: .put, path: PathPattern("/v1/devices/current/push-token"), name: "setPushToken",
            summary: "Enrols this device for push challenges, or gives its new token", access: .sessions([.person]),
            input: .json(SetPushToken.shape), answer: .nothing, refusals: [.pushTokenMalformed]
        ) { call in
            let token = try call.message(SetPushToken.self).checked()
            try await call.service.engine.enrolForPush(token, as: call.session())
            return .nothing
        },
        Route(
            method: .delete, path: PathPattern("/v1/devices/current/push-token"), name: "deletePushToken",
            summary: "Ends this device's enrolment for push challenges", access: .sessions([.person]),
            answer: .nothing, refusals: [.pushNotEnrolled]
        ) { call in
            try await call.service.engine.endPushEnrolment(as: call.session())
            return .nothing
        },
        Route(
            method: .get, path: PathPattern("/v1/push-challenges"), name: "listPushChallenges",
            summary: "What this device has not received, oldest first: retrievePushChallenges",
            access: .sessions([.person]), answer: .json(ListMessage<PushChallengeMessage>.shape), isHeavy: true,
            refusals: [.pushNotEnrolled, .noActiveKey]
        ) { call in
            let challenges = try await call.service.engine.pushChallenges(as: call.session())
            return .json(ListMessage(challenges.map { PushChallengeMessage($0) }).json)
        },
        Route(
            method: .post, path: PathPattern("/v1/notifications/{id}/received"), name: "receiveNotification",
            summary: "This device has the notification: it is not told of it again", access: .sessions([.person]),
            answer: .nothing, refusals: [.notificationUnknown]
        ) { call in
            guard let id = UUIDText(call.parameter()) else { throw Refusal(.notificationUnknown) }
            try await call.service.engine.receive(notification: id, as: call.session())
            return .nothing
        },
    ]
}
