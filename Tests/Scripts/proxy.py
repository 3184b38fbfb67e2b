#!/usr/bin/env python3
"""A proxy that loses answers: proxy.py PORT UPSTREAM_PORT PATTERN COUNT FILE [busy].

It forwards HTTP/1.1 requests, one after the other on each connection. The answers to the first COUNT requests whose first line
holds PATTERN are thrown away after the service gave them: the connection is closed instead. FILE gets a line `lost` for each.
With `busy` they do not reach the service: the proxy answers 503, as one does that has too much to do for a long time.
"""
import http.client
import http.server
import sys

port, upstream, pattern, count, journal = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5]
left = count
is_busy = sys.argv[6:] == ["busy"]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def forward(self):
        global left
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if is_busy and left > 0 and pattern in self.requestline:
            left -= 1
            self.send_response_only(503)
            self.send_header("Retry-After", "3600")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        connection = http.client.HTTPConnection("127.0.0.1", upstream)
        connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            connection.putheader(name, value)
        connection.endheaders(body or None)
        answer = connection.getresponse()
        data = answer.read()
        if left > 0 and pattern in self.requestline and answer.status < 400:
            left -= 1
            with open(journal, "a") as file:
                file.write("lost\n")
            self.close_connection = True
            self.connection.close()
            return
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_DELETE = do_PUT = forward

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
