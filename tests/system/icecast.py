# SPDX-License-Identifier: Apache-2.0
"""A real Icecast 2 on a free port, without any of the machine's settings."""
import base64
import os
import pathlib
import socket
import subprocess
import time
import urllib.request
import xml.etree.ElementTree

PASSWORD = "for-tests"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Icecast:
    """Runs until it is closed. Icecast does not run as root; there it changes to the user that Debian made for it."""

    def __init__(self, folder, clients=100, port=None):
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        folder = pathlib.Path(folder) / "icecast"
        (folder / "log").mkdir(parents=True)
        owner = ""
        if os.geteuid() == 0:
            owner = "<changeowner><user>icecast2</user><group>icecast</group></changeowner>"
            for part in [folder, folder / "log", *folder.parents[:1]]:
                part.chmod(0o777)
        config = folder / "icecast.xml"
        config.write_text(f"""<icecast>
  <limits><clients>{clients}</clients><sources>4</sources><queue-size>524288</queue-size>
    <burst-size>65536</burst-size></limits>
  <authentication><source-password>{PASSWORD}</source-password><admin-user>admin</admin-user>
    <admin-password>{PASSWORD}</admin-password></authentication>
  <location>here</location><admin>nobody@localhost</admin><hostname>localhost</hostname>
  <listen-socket><port>{self.port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <fileserve>1</fileserve>
  <paths><logdir>{folder}/log</logdir><webroot>/usr/share/icecast2/web</webroot>
    <adminroot>/usr/share/icecast2/admin</adminroot></paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>2</loglevel></logging>
  <security><chroot>0</chroot>{owner}</security>
</icecast>
""")
        self.process = subprocess.Popen(["icecast2", "-c", str(config)], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self._wait()

    def _wait(self):
        for _ in range(200):
            try:
                urllib.request.urlopen(f"{self.url}/status-json.xsl", timeout=5).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError("icecast2 did not start") from None
                time.sleep(0.05)
        raise RuntimeError("icecast2 does not answer")

    def mounts(self):
        """Those that have a source."""
        login = base64.b64encode(f"admin:{PASSWORD}".encode()).decode()
        request = urllib.request.Request(f"{self.url}/admin/stats", headers={"Authorization": f"Basic {login}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return [source.get("mount") for source in xml.etree.ElementTree.parse(answer).iter("source")]

    def address(self, mount):
        return f"icecast://{PASSWORD}@127.0.0.1:{self.port}{mount}"

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=20)
