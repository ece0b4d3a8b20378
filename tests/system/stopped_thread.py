# SPDX-License-Identifier: Apache-2.0
"""One thread of a running program that hangs, while the others go on: by ptrace, as a debugger stops it."""
import ctypes
import os
import pathlib

SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17
WALL = 0x40000000  # also for what is a thread and no child

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def threads(pid, name):
    """Those that have this name."""
    return sorted(int(task.name) for task in pathlib.Path(f"/proc/{pid}/task").iterdir()
                  if (task / "comm").read_text().strip() == name)


class StoppedThread:
    """For `with`: the thread hangs until its end. Whoever stops it is its debugger, so that must be the same thread."""

    def __init__(self, thread):
        self.thread = thread
        self._trace(SEIZE)
        self._trace(INTERRUPT)
        os.waitpid(self.thread, WALL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.thread is not None:
            self._trace(DETACH)

    def wait_until_gone(self):
        """Until its program has ended it."""
        os.waitpid(self.thread, WALL)
        self.thread = None

    def _trace(self, request):
        if libc.ptrace(request, self.thread, None, None) != 0:
            error = ctypes.get_errno()
            raise OSError(error, f"the thread cannot be stopped: {os.strerror(error)}")
