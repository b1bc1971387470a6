"""A server on the loopback, and an empty cache of fetched data sets."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Server:
    """What is asked of it, and what it answers: path -> (status, body, claimed length)."""

    def __init__(self):
        self.pages = {}
        self.asked = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server.asked.append(self.path)
                code, body, length = server.pages.get(self.path, (404, b"", 0))
                self.send_response(code)
                self.send_header("Content-Length", str(length))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))
        self.thread.start()

    def put(self, path, body, length=None):
        """Serve ``body`` and give its address."""
        self.pages[path] = (200, body, len(body) if length is None else length)
        return self.address(path)

    def address(self, path):
        return f"http://127.0.0.1:{self.http.server_port}{path}"

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


@pytest.fixture
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """An empty cache, and no ECOC_BENCH_DATA."""
    monkeypatch.delenv("ECOC_BENCH_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    folder = tmp_path / "cache" / "ecoc-bench"
    monkeypatch.setattr("pooch.os_cache", lambda project: folder)
    return folder
