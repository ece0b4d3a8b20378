# SPDX-License-Identifier: Apache-2.0
"""The web page as a listener meets it: chromium, clicks and keys, and what leaves the AudioWorklet."""
import json
import os
import pathlib
import shutil
import signal
import sys
import time
import urllib.request

from audio import needs, read_wav
from page import DESKTOP, PHONE, PageTest

NAMES = [("button", "Play"), ("slider", "Volume"), ("slider", "Tempo"), ("slider", "Intensity"), ("slider", "Complexity"),
         ("slider", "Variety"), ("slider", "Density"), ("radio", "C"), ("radio", "F sharp"), ("radio", "B flat"),
         ("combobox", "Mode"), ("checkbox", "Pads"), ("checkbox", "Hats"), ("button", "Focus"), ("button", "Sleep"),
         ("button", "Save as preset"), ("textbox", "Seed"), ("button", "New piece"), ("button", "Share"),
         ("combobox", "Minutes to save"), ("combobox", "Format"), ("button", "Save"), ("link", "Machine"),
         ("switch", "Dark")]


@needs("chromium")
@needs("chromedriver")
class Page(PageTest):
    def station(self):
        """As the server knows it."""
        identifier = self.script("return ringwave.station")
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}/api/stations/{identifier}") as answer:
            return json.load(answer)

    def counters(self):
        return self.script("return ringwave.counters")

    def test_plays_at_one_click_on_the_first_button(self):
        self.open_page()
        first = self.browser.find_element("css selector", "button")
        self.assertEqual(first.accessible_name, "Play")
        first.click()
        self.wait_for("return ringwave.state === 'playing'")
        self.assertEqual(first.accessible_name, "Pause")
        self.assert_music(self.capture_whole(3))
        counters = self.counters()
        self.assertEqual(counters["gaps"], 0)
        print(f"first sound after {counters['firstSoundMs']:.0f} ms, {counters['codec']}", file=sys.stderr)
        first.click()
        self.wait_for("return ringwave.state === 'stopped'")
        self.assertEqual(first.accessible_name, "Play")
        self.assertEqual([entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"], [])

    def test_plays_pcm_as_well(self):
        self.open_page("?codec=pcm")
        self.play()
        self.assertEqual(self.counters()["codec"], "pcm")
        self.assert_music(self.capture_whole(2))

    def test_space_plays_and_pauses(self):
        self.open_page()
        body = self.browser.find_element("css selector", "body")
        body.send_keys(" ")
        self.wait_for("return ringwave.state === 'playing'")
        body.send_keys(" ")
        self.wait_for("return ringwave.state === 'stopped'")
        body.send_keys(" ")
        self.wait_for("return ringwave.state === 'playing'")
        self.assert_music(self.capture_whole(1))

    def test_every_control_has_a_name(self):
        self.open_page()
        self.wait_for("return document.querySelectorAll('#presets button').length > 4")
        self.wait_for("return !document.getElementById('to-machine').hidden")
        for role, name in NAMES:
            with self.subTest(f"{role} {name}"):
                self.control(role, name)
        for element in self.browser.find_elements("css selector", "button, input, select, summary, a"):
            if element.is_displayed():
                self.assertNotEqual(element.accessible_name, "", element.get_attribute("outerHTML"))

    def test_new_settings_are_acknowledged(self):
        self.open_page("?seed=1&preset=focus")
        self.play()
        self.press("radio", "G")
        self.wait_for("return ringwave.settings.key === 'G'")
        self.assertRegex(self.wait_for("return document.getElementById('countdown').textContent"), r"^heard in \d+ s$")
        self.press("button", "Sleep")
        self.wait_for("return ringwave.preset === 'sleep' && ringwave.settings.key === 'E'")
        self.assertEqual(self.control("combobox", "Mode").get_attribute("value"), "phrygian")
        self.assertEqual(self.control("button", "Sleep").get_attribute("aria-pressed"), "true")
        self.press("checkbox", "Bass")
        self.wait_for("return !ringwave.settings.layers.includes('bass')")
        self.assert_music(self.capture_whole(1))

    def test_goes_on_when_the_server_was_killed(self):
        self.open_page()
        self.play()
        before = self.script("return {station: ringwave.station, seed: ringwave.seed, heard: ringwave.heardTime}")
        self.server.end(signal.SIGKILL)
        self.wait_for("return ringwave.state === 'reconnecting'")
        self.wait_for("return /^Connection lost/.test(document.getElementById('status').textContent)")
        self.press("radio", "B flat")  # nobody is there to hear it yet
        self.server.start()
        self.wait_for("return ringwave.state === 'playing'")
        self.wait_for("return ringwave.settings.key === 'Bb'")
        after = self.script("return {station: ringwave.station, seed: ringwave.seed, heard: ringwave.heardTime}")
        self.assertEqual(after["station"], before["station"])
        self.assertEqual(after["seed"], before["seed"])
        self.assertGreater(after["heard"], before["heard"] - 10 * 48000, "it does not go on: it begins again")
        self.assertEqual(self.counters()["reconnects"], 1)
        self.assert_music(self.capture_whole(2))
        self.assertEqual(self.station()["settings"]["key"], "Bb")

    def test_waits_for_a_server_that_is_full(self):
        self.server.end()
        self.server.arguments = ["--max-playing", "1", "--linger-seconds", "0"]
        self.server.start()
        other = self.server.post("/api/stations", {}).json["id"]
        with self.server.socket(f"GET /stream/{other}.mp3 HTTP/1.0\r\n\r\n".encode()) as player:
            player.recv(65536)
            self.open_page()
            self.press("button", "Play")
            self.wait_for("return document.getElementById('status').textContent === 'The server is busy. Trying again…'")
        self.wait_for("return ringwave.state === 'playing'")
        self.assert_music(self.capture_whole(1))

    def test_makes_a_station_anew_that_the_server_has_forgotten(self):
        self.open_page("?seed=77&preset=bright&key=A")
        self.play()
        before = self.station()
        self.server.end(signal.SIGKILL)
        shutil.rmtree(self.server.data)
        self.server.start()
        self.wait_for("return ringwave.state === 'playing' && ringwave.counters.reconnects === 1")
        after = self.station()
        for same in ("id", "seed", "settings"):
            self.assertEqual(after[same], before[same])
        self.assert_music(self.capture_whole(1))

    def test_a_link_makes_a_station(self):
        self.open_page("?seed=42&preset=focus&key=Bb&mode=lydian&bpm=72&intensity=0.25&layers=pads,bells&nonsense=1")
        self.play()
        made = self.station()
        self.assertEqual(made["seed"], 42)
        settings = made["settings"]
        self.assertEqual((settings["key"], settings["mode"], settings["bpm"]), ("Bb", "lydian", 72))
        self.assertEqual((settings["intensity"], settings["layers"]), (0.25, ["pads", "bells"]))
        self.open_page(f"?station={made['id']}")
        self.play()
        self.assertEqual(self.script("return ringwave.seed"), 42)

    def test_remembers_station_and_volume(self):
        self.open_page()
        self.play()
        station = self.script("return ringwave.station")
        self.control("slider", "Volume").send_keys("\ue012" * 5)  # left
        volume = self.control("slider", "Volume").get_attribute("value")
        self.assertNotEqual(volume, "0.8")
        self.open_page()
        self.assertEqual(self.script("return ringwave.station"), station)
        self.assertEqual(self.control("slider", "Volume").get_attribute("value"), volume)

    def known(self, station):
        """Whether the server has a station of that id."""
        return self.server.get(f"/api/stations/{station}").status == 200

    def begin_again(self, query=""):
        """The page, closed and opened another time."""
        self.browser.get("about:blank")
        self.open_page(query)

    def test_the_main_job_is_play_change_close_come_back_change(self):
        self.open_page()
        self.play()
        self.press("radio", "G")
        self.wait_for("return document.getElementById('countdown').textContent && ringwave.settings.key === 'G'")
        station = self.script("return ringwave.station")
        self.begin_again()
        self.assertEqual(self.script("return [ringwave.station, ringwave.settings.key]"), [station, "G"])
        self.play()
        self.wait_for("return ringwave.isOwner")
        self.press("button", "Sleep")
        self.wait_for("return ringwave.preset === 'sleep'")
        self.assertEqual((self.station()["id"], self.station()["preset"]), (station, "sleep"))
        self.script("return document.getElementById('play').click()")
        self.wait_for("return ringwave.state === 'stopped'")
        self.press("radio", "A")  # nobody listens: it goes by REST
        self.wait_until_key("A")

    def wait_until_key(self, key):
        end = time.monotonic() + 20
        while self.station()["settings"]["key"] != key:
            self.assertLess(time.monotonic(), end, self.station())
            time.sleep(0.05)

    def test_a_remembered_station_that_is_another_s_is_made_anew(self):
        for secret in ("'another'", "null"):
            with self.subTest(secret=secret):
                self.open_page("?seed=77&preset=bright")
                self.play()
                before = self.station()
                self.script("const kept = JSON.parse(localStorage.ringwave);"
                            f"kept.secrets = {secret} ? kept.secrets.map(([path]) => [path, {secret}]) : [];"
                            "localStorage.ringwave = JSON.stringify(kept);")
                self.begin_again("?seed=77&preset=bright")
                self.assertEqual(self.script("return ringwave.station"), before["id"])
                self.press("button", "Play")
                self.wait_for(f"return ringwave.state === 'playing' && ringwave.station !== '{before['id']}'")
                self.wait_for("return ringwave.isOwner")
                after = self.station()
                self.assertEqual((after["seed"], after["settings"]), (77, before["settings"]))
                self.press("radio", "C sharp")
                self.wait_for("return ringwave.settings.key === 'C#'")
                self.wait_until_key("C#")
                self.assertTrue(self.known(before["id"]), "what is another's stays")

    def test_a_wish_for_a_station_that_is_another_s_is_heard_on_a_new_one(self):
        self.open_page("?seed=79")
        self.play()
        before = self.script("return ringwave.station")
        self.script("const kept = JSON.parse(localStorage.ringwave); kept.secrets[0][1] = 'another';"
                    "localStorage.ringwave = JSON.stringify(kept);")
        self.begin_again("?seed=79")
        self.press("radio", "G")  # nobody plays: it goes by REST, and is refused
        self.wait_for("return ringwave.station === null")
        self.play()
        self.wait_for("return ringwave.isOwner")
        made = self.station()
        self.assertNotEqual(made["id"], before)
        self.assertEqual((made["seed"], made["settings"]["key"]), (79, "G"))

    def test_another_who_was_quicker_to_take_its_name_keeps_it(self):
        self.open_page("?seed=78")
        self.play()
        before = self.station()
        self.script("""const ask = window.fetch;
            window.fetch = async (path, options) => {
              if (options?.method === 'POST' && options.body?.includes('"id"')) await ask(path, { ...options });
              return ask(path, options);
            };""")
        self.server.end(signal.SIGKILL)
        shutil.rmtree(self.server.data)
        self.server.start()
        self.wait_for(f"return ringwave.state === 'playing' && ringwave.station !== '{before['id']}' && ringwave.isOwner")
        self.assertEqual((self.station()["seed"], self.station()["settings"]), (78, before["settings"]))
        self.assertTrue(self.known(before["id"]))

    def test_deletes_what_it_leaves_and_keeps_what_it_comes_back_to(self):
        self.open_page()
        self.play()
        first = self.script("return ringwave.station")
        self.press("button", "New piece")
        self.wait_for(f"return ringwave.state === 'playing' && ringwave.station && ringwave.station !== '{first}'")
        self.wait_until(lambda: not self.known(first), "the first is deleted")
        second = self.script("return ringwave.station")
        other = self.server.post("/api/stations", {"seed": 5}).json["id"]
        self.begin_again(f"?station={other}")
        self.play()
        self.begin_again()
        self.assertEqual(self.script("return ringwave.station"), second)
        self.begin_again("?seed=9")
        self.assertTrue(self.known(second))
        self.play()
        self.wait_until(lambda: not self.known(second), "the second is deleted")
        self.assertTrue(self.known(other))

    def wait_until(self, is_so, what):
        end = time.monotonic() + 20
        while not is_so():
            self.assertLess(time.monotonic(), end, f"in vain: {what}")
            time.sleep(0.05)

    def test_another_s_station_is_listened_to_and_copied(self):
        other = self.server.post("/api/stations", {"seed": 5, "preset": "bright"}).json
        self.open_page(f"?station={other['id']}")
        self.play()
        for role, name in (("radio", "G"), ("combobox", "Mode"), ("slider", "Tempo"), ("slider", "Density"),
                           ("checkbox", "Bass"), ("button", "Sleep")):
            with self.subTest(name):
                self.assertFalse(self.control(role, name).is_enabled())
        self.assertTrue(self.browser.find_element("id", "others").is_displayed())
        self.press("button", "Make a copy")
        self.wait_for(f"return ringwave.state === 'playing' && ringwave.station && ringwave.station !== '{other['id']}'")
        self.assertEqual((self.station()["seed"], self.station()["settings"]), (5, other["settings"]))
        self.assertNotIn("station=", self.browser.current_url)
        self.assertFalse(self.browser.find_element("id", "others").is_displayed())
        self.press("radio", "G")
        self.wait_until_key("G")
        self.assertEqual(self.server.get(f"/api/stations/{other['id']}").json["settings"], other["settings"])

    def test_the_machine_is_hidden_from_those_who_may_not_see_it(self):
        self.server.end()
        self.server.arguments = ["--admin-tokens", "0123456789abcdef"]
        self.server.start()
        self.open_page("#machine")
        self.wait_for("return !document.getElementById('view-station').hidden")
        self.assertFalse(self.browser.find_element("id", "to-machine").is_displayed())
        self.assertFalse(self.browser.find_element("id", "view-machine").is_displayed())
        self.play()

    def test_the_main_job_is_as_simple_with_a_token(self):
        self.server.end()
        self.server.arguments = ["--tokens", "0123456789abcdef"]
        self.server.start()
        self.open_page("?token=0123456789abcdef")
        self.play()
        self.wait_for("return ringwave.isOwner")
        self.press("radio", "G")
        self.wait_for("return document.getElementById('countdown').textContent && ringwave.settings.key === 'G'")
        self.press("button", "Pause")
        self.wait_for("return ringwave.state === 'stopped'")
        self.press("radio", "A")
        self.wait_for("return ringwave.settings.key === 'A'")
        station = self.script("return ringwave.station")
        path = f"/api/stations/{station}?token=0123456789abcdef"
        self.wait_until(lambda: self.server.get(path).json["settings"]["key"] == "A", "the key by REST")

    def test_secrets_that_are_kept_are_not_shown_nor_sent_in_an_address(self):
        self.open_page()
        self.play()
        self.wait_for("return ringwave.isOwner")
        secret = self.script("return JSON.parse(localStorage.ringwave).secrets[0][1]")
        self.assertGreaterEqual(len(secret), 26)
        asked = self.script("return performance.getEntriesByType('resource').map((entry) => entry.name).join(' ')")
        self.assertIn("/api/", asked)
        self.assertNotIn(secret, asked + self.browser.current_url + self.browser.page_source)

    def test_saves_a_preset(self):
        self.open_page("?preset=bright&key=Ab")
        self.wait_for("return document.querySelectorAll('#presets button').length > 4")
        self.press("button", "Save as preset")
        self.control("textbox", "Name").send_keys("evening")
        self.press("button", "Save preset")
        self.wait_for("return document.querySelector('[data-preset=evening]')")
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}/api/presets") as answer:
            saved = [preset for preset in json.load(answer)["presets"] if preset["name"] == "evening"]
        self.assertEqual(saved[0]["settings"]["key"], "Ab")
        self.press("button", "Remove preset evening")
        self.wait_for("return !document.querySelector('[data-preset=evening]')")

    def test_saves_what_was_heard(self):
        self.open_page()
        self.play()
        self.capture(2)
        self.press("button", "Save")
        end = time.monotonic() + 20
        while not (files := list(self.downloads.glob("*.wav"))) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual(len(files), 1)
        rate, samples = read_wav(files[0])
        self.assertEqual(rate, 48000)
        self.assertEqual(samples.shape[1], 2)
        self.assertGreater(len(samples), 2 * rate)
        self.assert_music(samples[-rate:] / 32768)

    def test_machine_is_live(self):
        self.open_page()
        self.play()
        self.press("link", "Machine")
        self.wait_for("return document.querySelectorAll('#devices li').length > 0")
        self.wait_for("return [...document.querySelectorAll('.gauge')].find(g => g.ariaLabel === 'Listeners')"
                      ".querySelector('strong').textContent === '1'")
        self.assertIn("cpu", self.browser.find_element("id", "devices").text)
        self.assertEqual(self.script("return ringwave.state"), "playing")

    def test_fits_a_phone_with_large_letters(self):
        self.open_page("?seed=42&preset=focus", PHONE)
        self.play()
        self.script("document.documentElement.style.fontSize = '20px'")
        for view in ("station", "machine"):
            with self.subTest(view):
                self.script("location.hash = arguments[0]", view)
                time.sleep(1.5)
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), PHONE[0])

    def test_fits_phone_and_desktop(self):
        pictures = pathlib.Path(os.environ.get("RINGWAVE_SCREENSHOTS", self.folder))
        pictures.mkdir(parents=True, exist_ok=True)
        self.open_page("?seed=42&preset=focus")
        self.play()
        for view in ("station", "machine"):
            self.script("location.hash = arguments[0]", view)
            for width, size in (("phone", PHONE), ("desktop", DESKTOP)):
                for scheme in ("dark", "light"):
                    with self.subTest(f"{view}, {width}, {scheme}"):
                        self.look_like(size, scheme)
                        time.sleep(1.5)
                        self.browser.save_screenshot(str(pictures / f"{view}-{width}-{scheme}.png"))
                        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), size[0])
