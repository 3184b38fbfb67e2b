"""Those whom the service carries things to: a webhook, and a push service that speaks the contract that Apple documents."""

import json
import socket
import ssl
import threading
import time

import h2.config
import h2.connection
import h2.events
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from daemon import PATIENCE


class Receiver:
    """What came, and what is answered: a function of the request's number, from 0, that gives status, fields and body."""

    def __init__(self):
        self.lock = threading.Condition()
        self.requests: list = []
        self.answer = lambda number: (200, {}, b"")

    def came(self, request) -> tuple:
        with self.lock:
            self.requests.append(request)
            answer = self.answer(len(self.requests) - 1)
            self.lock.notify_all()
        return answer

    def wait(self, count: int) -> list:
        """The first so many requests, once they are there."""
        limit = time.monotonic() + PATIENCE
        with self.lock:
            while len(self.requests) < count:
                left = limit - time.monotonic()
                assert left > 0, f"{len(self.requests)} of {count} requests came"
                self.lock.wait(left)
            return self.requests[:count]


def context(chain, key) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(chain, key)
    return made


class Webhook(Receiver):
    """HTTP/1.1 over TLS; a request is path, fields and body."""

    def __init__(self, chain, key, port: int = 0):
        super().__init__()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, fields, text = receiver.came((self.path, dict(self.headers), body))
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.server.socket = context(chain, key).wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"https://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class PushService(Receiver):
    """HTTP/2 over TLS and nothing else; a request is its fields and its body."""

    def __init__(self, chain, key):
        super().__init__()
        self.context = context(chain, key)
        self.context.set_alpn_protocols(["h2"])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"https://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                accepted, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(accepted,), daemon=True).start()

    def serve(self, accepted):
        try:
            stream = self.context.wrap_socket(accepted, server_side=True)
            assert stream.selected_alpn_protocol() == "h2"
            connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
            connection.initiate_connection()
            stream.sendall(connection.data_to_send())
            heads, bodies = {}, {}
            while data := stream.recv(65536):
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        heads[event.stream_id], bodies[event.stream_id] = dict(event.headers), b""
                    elif isinstance(event, h2.events.DataReceived):
                        bodies[event.stream_id] += event.data
                        connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                    elif isinstance(event, h2.events.StreamEnded):
                        self.reply(connection, event.stream_id, heads.pop(event.stream_id), bodies.pop(event.stream_id))
                stream.sendall(connection.data_to_send())
        except (OSError, AssertionError):
            accepted.close()

    def reply(self, connection, stream_id: int, head: dict, body: bytes):
        status, fields, text = self.came((head, body))
        fields = {":status": str(status), "apns-id": head.get("apns-id", "")} | fields
        connection.send_headers(stream_id, list(fields.items()), end_stream=not text)
        if text:
            connection.send_data(stream_id, text, end_stream=True)

    def close(self):
        self.listener.close()


def reason(word: str, **members) -> bytes:
    """The body of one of Apple's refusals."""
    return json.dumps({"reason": word} | members).encode()
