# SPDX-License-Identifier: Apache-2.0
"""The REST interface of `ringwave serve`: stations, presets, render jobs, the page, and wrong input of every kind."""
import json
import subprocess

from server import ServerTest

SETTINGS = {"key": "F#", "mode": "harmonic_minor", "bpm": 72.5, "intensity": 0.25, "melody_complexity": 0,
            "progression_variety": 1, "harmonic_density": 0.75, "layers": ["pads", "bells"]}
UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}


class Stations(ServerTest):
    def test_is_what_was_asked_for(self):
        made = self.new_station(id="one", settings=SETTINGS, seed=2**53 - 1)
        made.pop("secret")
        self.assertEqual(made["settings"], SETTINGS)
        self.assertEqual((made["id"], made["seed"], made["is_playing"], made["listeners"], made["sample_time"]),
                         ("one", 2**53 - 1, False, 0, 0))
        self.assertNotIn("preset", made)
        self.assertEqual(self.server.get("/api/stations/one").json, made)
        self.assertIn(made, self.server.get("/api/stations").json["stations"])

    def test_has_a_preset_and_a_random_seed_where_nothing_is_said(self):
        first, second = self.new_station(), self.new_station()
        self.assertEqual(first["preset"], "focus")
        self.assertNotEqual((first["id"], first["seed"]), (second["id"], second["seed"]))
        self.assertRegex(first["id"], r"^[A-Za-z0-9_-]{1,32}$")

    def test_takes_a_preset_with_other_settings_in_their_place(self):
        made = self.new_station(preset="sleep", settings={"bpm": 44})
        self.assertEqual((made["settings"]["bpm"], made["settings"]["mode"]), (44, "phrygian"))
        self.assertNotIn("preset", made)

    def test_changes(self):
        name = self.new_station(preset="bright")["id"]
        changed = self.server.ask("PATCH", f"/api/stations/{name}", {"settings": {"key": "Bb"}})
        self.assertEqual((changed.status, changed.json["settings"]["key"]), (200, "Bb"))
        self.assertEqual(changed.json["settings"]["bpm"], 70)
        self.assertIn("applies_at", changed.json)
        self.assertNotIn("preset", changed.json)
        chosen = self.server.ask("PATCH", f"/api/stations/{name}", {"preset": "sleep"}).json
        self.assertEqual((chosen["preset"], chosen["settings"]["bpm"]), ("sleep", 40))

    def test_goes(self):
        name = self.new_station()["id"]
        self.assertEqual(self.server.ask("DELETE", f"/api/stations/{name}").status, 204)
        self.assert_refused(self.server.get(f"/api/stations/{name}"), 404, "not_found")
        self.assert_refused(self.server.ask("DELETE", f"/api/stations/{name}"), 404, "not_found")

    def test_a_refusal_says_all_that_it_has_to_say(self):
        for body, told in (('{"a\\u0000b": 1}', "there is no member 'a\\0b' here"),
                           ('{"settings": {"a\\u0000b": 1}}', "a\\0b"), ('{"a\\u0000b": 1, "a\\u0000b": 1}', "twice"),
                           ('{"preset": "a\\u0000b"}', "preset has a NUL in it"),
                           ('{"settings": {"mode": "a\\u0000b"}}', "mode has a NUL in it")):
            reply = self.server.post("/api/stations", body)
            self.assertEqual(reply.status, 400)
            self.assertIn(told, reply.json["error"]["message"])
        self.assertIn("use pcm or opus", self.server.get("/ws/stations/x?codec=a%00b", **UPGRADE).json["error"]["message"])

    def test_wrong_wishes_are_refused_and_nothing_is_made(self):
        self.new_station(id="taken")
        before = self.server.get("/api/stations").json
        for body, status, code in (
                ("", 201, None), ("{", 400, "bad_json"), ('{"seed": 1, "seed": 2}', 400, "bad_json"),
                ("[1]", 400, "wrong_type"), ("null", 400, "wrong_type"), (b'{"id": "\xff"}', 400, "bad_json"),
                ('{"settings": {"bpm": NaN}}', 400, "bad_json"), ('{"settings": {"bpm": 1e999}}', 400, "bad_json"),
                ({"sead": 1}, 400, "unknown_member"), ({"settings": {"tempo": 60}}, 400, "unknown_member"),
                ({"settings": {"bpm": 400}}, 400, "out_of_range"), ({"settings": {"bpm": "60"}}, 400, "wrong_type"),
                ({"settings": {"mode": "bebop"}}, 400, "unknown_name"), ({"settings": {"key": "H"}}, 400, "unknown_name"),
                ({"settings": {"layers": ["pads", "theremin"]}}, 400, "unknown_name"),
                ({"settings": [1]}, 400, "wrong_type"), ({"settings": {"intensity": -0.001}}, 400, "out_of_range"),
                ({"preset": "none"}, 400, "unknown_name"), ({"preset": 7}, 400, "wrong_type"),
                ({"seed": -1}, 400, "out_of_range"), ({"seed": 2**53}, 400, "out_of_range"),
                ({"seed": 1.5}, 400, "wrong_type"), ({"seed": "1"}, 400, "wrong_type"),
                ({"id": "taken"}, 409, "exists"), ({"id": "../../etc/passwd"}, 400, "out_of_range"),
                ({"id": ""}, 400, "out_of_range"), ({"id": "x" * 33}, 400, "out_of_range"),
                ("[" * 5000, 400, "bad_json"), ('{"a":' * 5000, 400, "bad_json")):
            with self.subTest(body=str(body)[:60]):
                reply = self.server.post("/api/stations", body)
                if code is None:
                    self.assertEqual(reply.status, status)
                    self.server.ask("DELETE", f"/api/stations/{reply.json['id']}")
                else:
                    self.assert_refused(reply, status, code)
        self.assertEqual(self.server.get("/api/stations").json, before)

    def test_a_thousand_at_once_are_as_many_as_there_may_be(self):
        self.start_server("--max-stations", "50")
        replies = [self.server.post("/api/stations") for _ in range(60)]
        self.assertEqual([reply.status for reply in replies], [201] * 50 + [503] * 10)
        self.assert_refused(replies[-1], 503, "limit_reached")


class Presets(ServerTest):
    def test_come_back_also_after_a_restart(self):
        server = self.start_server()
        saved = server.post("/api/presets", {"name": "My_own-1", "settings": SETTINGS})
        preset = saved.json
        preset.pop("secret")
        self.assertEqual((saved.status, preset), (201, {"name": "My_own-1", "settings": SETTINGS, "is_built_in": False}))
        server.end()
        server.start()
        self.assertEqual(server.get("/api/presets/My_own-1").json, preset)
        self.assertEqual([preset["name"] for preset in server.get("/api/presets").json["presets"]],
                         ["focus", "meditation", "sleep", "bright", "My_own-1"])
        self.assertEqual(server.ask("DELETE", "/api/presets/My_own-1").status, 204)
        self.assert_refused(server.get("/api/presets/My_own-1"), 404, "not_found")
        self.assertEqual(list((self.folder / "data/presets").iterdir()), [])

    def test_that_are_built_in_stay(self):
        self.assert_refused(self.server.ask("DELETE", "/api/presets/focus"), 403, "forbidden")
        self.assert_refused(self.server.post("/api/presets", {"name": "focus", "settings": {}}), 403, "forbidden")

    def test_have_names_that_are_no_paths(self):
        for name in ("", "a/b", "..", "x" * 33, "ä", "a b", "a.toml"):
            with self.subTest(name=name):
                self.assert_refused(self.server.post("/api/presets", {"name": name, "settings": {}}), 400, "out_of_range")
        self.assert_refused(self.server.post("/api/presets", {"name": "x"}), 400, "wrong_type")

    def test_a_file_that_is_damaged_is_left_alone(self):
        folder = self.folder / "data/presets"
        folder.mkdir(parents=True)
        (folder / "torn.toml").write_text("bpm = ")
        server = self.start_server()
        self.assert_refused(server.get("/api/presets/torn"), 404, "not_found")
        self.assertIn("torn.toml:1", server.log())
        self.assertTrue((folder / "torn.toml").exists())


class Render(ServerTest):
    def finished(self, job):
        self.wait_until(lambda: self.server.get(f"/api/render/{job}").json["state"] not in ("waiting", "running"),
                        "a job that ends")
        return self.server.get(f"/api/render/{job}").json

    def test_gives_a_file_of_each_format(self):
        for ending in ("wav", "flac", "ogg", "opus", "mp3"):
            with self.subTest(ending=ending):
                ordered = self.server.post("/api/render", {"format": ending, "seconds": 2.5, "preset": "bright", "seed": 3})
                self.assertEqual(ordered.status, 202, ordered.body)
                job = self.finished(ordered.json["id"])
                self.assertEqual((job["state"], job["progress"]), ("done", 1))
                reply = self.server.get(job["url"])
                self.assertTrue(reply.headers["Content-Type"].startswith("audio/"))
                path = self.folder / f"made.{ending}"
                path.write_bytes(reply.body)
                shown = json.loads(subprocess.run(
                    ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "json", path],
                    capture_output=True, check=True, timeout=60).stdout)
                self.assertAlmostEqual(float(shown["format"]["duration"]), 2.5, delta=0.06)
                head = self.server.ask("HEAD", job["url"])
                self.assertEqual((head.status, int(head.headers["Content-Length"]), head.body), (200, len(reply.body), b""))

    def test_is_the_same_for_the_same_seed(self):
        order = {"format": "wav", "seconds": 1, "preset": "sleep", "seed": 9}
        files = [self.server.get(self.finished(self.server.post("/api/render", order).json["id"])["url"]).body
                 for _ in range(2)]
        self.assertEqual(files[0], files[1])

    def test_stops_when_it_is_deleted(self):
        job = self.server.post("/api/render", {"format": "wav", "seconds": 3600}).json["id"]
        self.wait_until(lambda: self.server.get(f"/api/render/{job}").json["progress"] > 0, "progress")
        self.assert_refused(self.server.get(f"/api/render/{job}/file"), 404, "not_found")
        self.assertEqual(self.server.ask("DELETE", f"/api/render/{job}").status, 204)
        self.assert_refused(self.server.get(f"/api/render/{job}"), 404, "not_found")
        folder = self.server.folder / "data/renders"
        self.wait_until(lambda: not any(job in path.name for path in folder.iterdir()), "no file")

    def test_refuses_what_cannot_be(self):
        for order, status, code in (
                ({"seconds": 1}, 400, "unknown_name"), ({"format": "exe", "seconds": 1}, 400, "unknown_name"),
                ({"format": "wav"}, 400, "wrong_type"), ({"format": "wav", "seconds": 0}, 400, "out_of_range"),
                ({"format": "wav", "seconds": 1e9}, 400, "out_of_range"),
                ({"format": "wav", "seconds": 1, "station": "none"}, 404, "not_found"),
                ({"format": "wav", "seconds": 1, "until": 5}, 400, "unknown_member"),
                ({"format": "wav", "seconds": 1, "station": self.new_station()["id"]}, 400, "out_of_range")):
            with self.subTest(order=order):
                self.assert_refused(self.server.post("/api/render", order), status, code)
        self.assert_refused(self.server.get("/api/render/none"), 404, "not_found")

    def test_waits_in_a_queue_that_ends(self):
        self.start_server("--max-render-jobs", "2")
        replies = [self.server.post("/api/render", {"format": "wav", "seconds": 3600}) for _ in range(6)]
        refused = [reply for reply in replies if reply.status != 202]  # one is taken out of the queue at some time
        self.assertGreaterEqual(len(refused), 3, [reply.body for reply in replies] + [self.server.log()])
        for reply in refused:
            self.assert_refused(reply, 503, "limit_reached")


class Page(ServerTest):
    def test_is_served_with_its_type_and_kept_by_the_browser(self):
        page = self.server.get("/")
        self.assertEqual((page.status, page.headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn(b"Ringwave", page.body)
        self.assertEqual(self.server.get("/index.html").body, page.body)
        again = self.server.get("/", If_None_Match=page.headers["ETag"])
        self.assertEqual((again.status, again.body), (304, b""))
        head = self.server.ask("HEAD", "/")
        self.assertEqual((head.status, int(head.headers["Content-Length"]), head.body), (200, len(page.body), b""))

    def test_every_answer_says_what_a_browser_may_not(self):
        for path in ("/", "/api/status", "/nothing", "/health"):
            headers = self.server.get(path).headers
            self.assertIn("default-src 'self'", headers["Content-Security-Policy"])
            self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
            self.assertEqual((headers["X-Content-Type-Options"], headers["Referrer-Policy"]), ("nosniff", "no-referrer"))

    def test_no_path_leads_out_of_it(self):
        for path in ("/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd",
                     "/./index.html", "/index.html/", "/.git/config", "/web/index.html", "/%00", "/a%zz"):
            with self.subTest(path=path):
                self.assertIn(self.server.get(path).status, (400, 404))

    def test_can_come_from_a_folder(self):
        (self.folder / "page/js").mkdir(parents=True)
        (self.folder / "page/index.html").write_text("mine")
        (self.folder / "page/js/a.js").write_text("one")
        (self.folder / "secret").write_text("secret")
        server = self.start_server("--web-folder", self.folder / "page")
        self.assertEqual((server.get("/").body, server.get("/js/a.js").headers["Content-Type"]),
                         (b"mine", "text/javascript; charset=utf-8"))
        (self.folder / "page/js/a.js").write_text("two")
        self.assertEqual(server.get("/js/a.js").body, b"two")
        self.assertEqual(server.get("/../secret").status, 404)
