import Outbound
import Testing

/// Where a request may be sent that somebody outside has named.
struct OutboundAddressTests {
    @Test(
        "attack: an address of this machine, of a private network or of nobody is none of the internet at large",
        arguments: [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "169.254.169.254",
            "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
            "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
            "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "100::1", "fc00::1", "fd12::1",
            "fe80::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1",
        ])
    func privateAddress(address: String) async throws {
        #expect(try await !ResolvedHost.resolve(address).isPublic)
    }

    @Test(
        "An address of the internet at large is one",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
            "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "::ffff:1.1.1.1",
            "2001:200::1", "2606:4700:4700::1111", "[2606:4700:4700::1111]", "2003::1",
        ])
    func publicAddress(address: String) async throws {
        #expect(try await ResolvedHost.resolve(address).isPublic)
    }

    @Test("One private address among several is enough to refuse the name")
    func mixed() {
        #expect(!ResolvedHost(addresses: [[1, 1, 1, 1], [127, 0, 0, 1]]).isPublic)
        #expect(ResolvedHost(addresses: [[1, 1, 1, 1], [8, 8, 8, 8]]).isPublic)
        #expect(!ResolvedHost(addresses: [[1, 1, 1]]).isPublic)
    }

    @Test("attack: a name is looked at after it was resolved, however it is written")
    func refused() async throws {
        let exchange = GuardedExchange(allowsPrivate: false)
        for host in ["localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "[::1]", "[::ffff:127.0.0.1]"] {
            do {
                _ = try await exchange.send(OutboundRequest("POST", "https://\(host):9/hook", timeout: .seconds(60)))
                Issue.record("\(host) was asked")
            } catch {
                #expect(error.code == .refusedAddress, "\(host): \(error)")
                #expect(error.wasNotSent)
            }
        }
    }

    @Test(
        "What is no https URL of a server is refused before any name is resolved",
        arguments: [
            "http://example.com/", "ftp://example.com/", "https://", "https:///x", "https://user@example.com/",
            "https://example.com\\@evil.test/", "https://[::1/", "https://example.com:0/", "https://example.com:99999/",
            "https://example.com /", "https://ex\u{E4}mple.com/", "//example.com/", "https://%6Cocalhost/",
            "https://[::1%25lo]/", "https://local_host/",
        ])
    func malformed(url: String) async throws {
        do {
            _ = try await GuardedExchange(allowsPrivate: true).send(OutboundRequest("POST", url))
            Issue.record("\(url) was asked")
        } catch {
            #expect(error.code == .requestInvalid)
        }
    }
}
