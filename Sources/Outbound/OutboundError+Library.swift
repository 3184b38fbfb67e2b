internal import AsyncHTTPClient
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

extension OutboundError {
    /// What went wrong before the head of an answer came.
    init(ofRequest error: any Error) {
        switch error {
        case let error as HTTPClientError: self.init(error)
        case is NIOConnectionError, is SocketAddressError:
            self.init(.unreachable, "no connection")
        case let error as IOError where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode):
            self.init(.unreachable, "no connection")
        case let error as ChannelError:
            if case .connectTimeout = error {
                self.init(.unreachable, "no connection in time")
            } else {
                self.init(.connectionLost, "the connection was lost")
            }
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            self.init(.untrusted, "no connection that can be trusted: the server's certificate or its TLS")
        case is CancellationError: self.init(.cancelled, "cancelled")
        case HTTPParserError.invalidEOFState: self.init(.connectionLost, "the connection was lost")
        case is HTTPParserError: self.init(.protocolViolation, "the answer is not HTTP")
        default: self.init(.connectionLost, "the connection was lost")
        }
    }

    /// What went wrong within an answer.
    init(ofAnswer error: any Error) {
        let error = OutboundError(ofRequest: error)
        // The request had arrived.
        self = error.wasNotSent ? OutboundError(.connectionLost, "the connection was lost") : error
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .connectTimeout: self.init(.unreachable, "no connection in time")
        case .tlsHandshakeTimeout: self.init(.untrusted, "no TLS connection in time")
        case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout:
            self.init(.timedOut, "no answer in time")
        case .remoteConnectionClosed, .uncleanShutdown: self.init(.connectionLost, "the connection was lost")
        case .cancelled: self.init(.cancelled, "cancelled")
        case .invalidURL, .emptyHost, .emptyScheme, .missingSocketPath:
            self.init(.requestInvalid, "this is no URL of a server")
        default:
            switch error.shortDescription {
            case "Unsupported scheme", "Invalid header field names", "Invalid header field values":
                self.init(.requestInvalid, "the request cannot be sent")
            default: self.init(.protocolViolation, "the server does not speak HTTP as it should")
            }
        }
    }
}
