# SPDX-License-Identifier: Apache-2.0
"""The web page in a real browser, served by the program under test."""
import base64
import os
import signal
import time

import numpy
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from program import ProgramTest
from server import Server

PHONE, DESKTOP = (390, 844), (1440, 900)
CAPTURE = """
const [seconds, done] = arguments;
ringwave.capture(seconds).then((samples) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.split(',')[1]);
  reader.readAsDataURL(new Blob([samples]));
}, (error) => done(null));
"""


def start_browser(profile, downloads):
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    options.add_argument("--headless=new")
    options.add_argument("--disable-dev-shm-usage")
    options.add_argument(f"--user-data-dir={profile}")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # chromium has none for root
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_script_timeout(60)
    return browser


class PageTest(ProgramTest):
    """A test with a server, and a browser that looks at its page."""

    def setUp(self):
        super().setUp()
        self.downloads = self.folder / "downloads"
        self.server = Server(self.folder, environment=self.settings())
        self.addCleanup(self.server.end, signal.SIGKILL)
        self.browser = start_browser(self.folder / "profile", self.downloads)
        self.addCleanup(self.browser.quit)

    def open_page(self, query="", size=DESKTOP, scheme="dark"):
        self.look_like(size, scheme)
        self.browser.get(f"http://127.0.0.1:{self.server.port}/{query}")
        self.wait_for("return typeof ringwave !== 'undefined'")

    def look_like(self, size, scheme):
        width, height = size
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def wait_for(self, condition, seconds=30):
        """Until the script returns something true, which is returned."""
        end = time.monotonic() + seconds
        while not (found := self.script(condition)):
            self.assertLess(time.monotonic(), end, f"waited for {condition!r}; {self.state()}")
            time.sleep(0.05)
        return found

    def state(self):
        return self.script("return typeof ringwave === 'undefined' ? null : "
                           "{state: ringwave.state, counters: ringwave.counters, says: document.getElementById('status').textContent}")

    def control(self, role, name):
        """What a screen reader calls so."""
        kinds = {"button": "button", "slider": "input[type=range]", "radio": "input[type=radio]", "link": "a",
                 "checkbox": "input[type=checkbox]", "switch": "[role=switch]", "combobox": "select",
                 "textbox": "input:not([type])"}
        for element in self.browser.find_elements("css selector", kinds[role]):
            if element.accessible_name == name and element.aria_role.lower() == role:
                return element
        return self.fail(f"there is no {role} {name!r}")

    def press(self, role, name):
        """A real click on it, or on its label where that is what one sees of it."""
        element = self.control(role, name)
        is_seen = self.script("return getComputedStyle(arguments[0]).opacity !== '0'", element)
        (element if is_seen else element.find_element("xpath", "ancestor::label")).click()

    def play(self):
        self.press("button", "Play")
        self.wait_for("return ringwave.state === 'playing'")

    def capture(self, seconds):
        """What left the AudioWorklet; shape (frames, 2)."""
        encoded = self.browser.execute_async_script(CAPTURE, seconds)
        self.assertIsNotNone(encoded, "nothing plays")
        return numpy.frombuffer(base64.b64decode(encoded), "<f4").reshape(-1, 2)

    def capture_whole(self, seconds):
        """The same, again where the machine was too busy for the page, which has counted it."""
        for _ in range(4):
            # In one look: the music may break off between two, and then the silence was counted before.
            before = self.wait_for("return ringwave.state === 'playing' && {underruns: ringwave.counters.underruns}")
            samples = self.capture(seconds)
            if self.script("return ringwave.counters.underruns") == before["underruns"]:
                return samples
        return self.fail(f"the music breaks off all the time; {self.state()}")

    def assert_music(self, samples):
        """It is heard, and it breaks off nowhere, not for a millisecond."""
        self.assertGreater(numpy.sqrt(numpy.mean(samples ** 2)), 1e-3, "silence")
        self.assertLessEqual(numpy.max(numpy.abs(samples)), 1)
        silent = numpy.all(numpy.abs(samples) < 1e-7, axis=1)
        edges = numpy.flatnonzero(numpy.diff(numpy.concatenate([[False], silent, [False]])))
        longest = max(edges[1::2] - edges[::2], default=0)
        self.assertLess(longest, 48, f"{longest} frames of silence")
