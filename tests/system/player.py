# SPDX-License-Identifier: Apache-2.0
"""A player of plain streams that reads as fast, or as slowly, as a test wants."""
import socket
import threading
import time

from server import SECONDS


class Player:
    """A connection to `/stream/`, with room for little in the system: what is not read soon stays with the server."""

    def __init__(self, port, file, room=4096):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)  # before the connection: it is the window
        self.socket.settimeout(SECONDS)
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(f"GET /stream/{file} HTTP/1.0\r\n\r\n".encode())
        self.head = self.socket.recv(1024)
        self.thread = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def read_on(self, bytes_per_second=None):
        """Reads from now on, in a thread of its own, until the server ends it."""
        self.thread = threading.Thread(target=self._read, args=(bytes_per_second,), daemon=True)
        self.thread.start()

    def wait_for_end(self):
        """True once the server has ended it."""
        self.thread.join(SECONDS)
        return not self.thread.is_alive()

    def close(self):
        self.socket.close()
        if self.thread is not None:
            self.thread.join(SECONDS)

    def _read(self, bytes_per_second):
        begun, got = time.monotonic(), 0
        try:
            while piece := self.socket.recv(65536):
                got += len(piece)
                if bytes_per_second is not None:
                    time.sleep(max(0, begun + got / bytes_per_second - time.monotonic()))
        except OSError:
            pass
