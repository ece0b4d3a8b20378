# SPDX-License-Identifier: Apache-2.0
"""What a listener, an owner and an administrator may do: the table of docs/serving.md, walked against a server, and
how each of them shows who they are."""
import asyncio
import json
import re
import stat
import time

from program import BAD_FILE, ROOT, WRONG_USE
from server import ServerTest
from test_serve_websocket import next_text

TOKEN, ADMIN = "0123456789abcdef", "fedcba9876543210"
ROLES = ("listener", "owner", "administrator")
BODIES = {"POST /api/stations": {"preset": "sleep"}, "PATCH /api/stations/{id}": {"preset": "focus"},
          "POST /api/render": {"format": "wav", "seconds": 0.1}}
MESSAGES = {"settings": {"type": "settings", "bpm": 50}, "preset": {"type": "preset", "name": "sleep"}}
UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}


def rows_of_the_table():
    """What is done, the request, and who may."""
    text = (ROOT / "docs/serving.md").read_text()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    begin = rows.index(["what", "request", *ROLES])
    for row in rows[begin + 2:]:
        if len(row) != 5:
            return
        yield row[0], row[1], dict(zip(ROLES, row[2:]))


class Table(ServerTest):
    ARGUMENTS = (*ServerTest.ARGUMENTS, "--tokens", TOKEN, "--admin-tokens", ADMIN)

    def headers(self, role, secret):
        """With the server's token, and beside it what the role shows."""
        shown = {"listener": "", "owner": secret, "administrator": ADMIN}[role]
        return {"Authorization": f"Bearer {TOKEN}", **({"X_Ringwave_Secret": shown} if shown else {})}

    def made(self, path, body):
        reply = self.server.ask("POST", path, body, secret="", Authorization=f"Bearer {TOKEN}")
        self.assertIn(reply.status, (201, 202), reply.body)
        return reply.json

    def wait_for(self, job):
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        self.wait_until(lambda: self.server.get(f"/api/render/{job}", **bearer).json["state"] == "done", "a file")

    def say(self, message, role):
        """The type of the answer, and the code of a refusal."""
        async def talk():
            station = self.made("/api/stations", {})
            headers = {name.replace("_", "-"): value for name, value in self.headers(role, station["secret"]).items()}
            async with self.server.listen(station["id"], secret="", extra_headers=headers) as socket:
                hello = json.loads(await socket.recv())
                self.assertEqual(hello["is_owner"], role != "listener")
                await socket.send(json.dumps(MESSAGES[message]))
                return await next_text(socket, "settings", "error")
        answer = asyncio.run(talk())
        return 403 if answer.get("code") == "forbidden" else 200 if answer["type"] == "settings" else answer

    def ask(self, request, role):
        """The status of the answer to a row's request, about something that was made for it."""
        if named := re.fullmatch(r"message `(\w+)`", request):
            return self.say(named[1], role)
        method, path, rest = re.fullmatch(r"`(\w+) (\S+)`(.*)", request).groups()
        body, secret = BODIES.get(f"{method} {path}"), None
        if "/stations/" in path or "/stream/" in path:
            station = self.made("/api/stations", {})
            path, secret = path.format(id=station["id"], file=f"{station['id']}.mp3"), station["secret"]
        elif "/presets" in path:
            name = f"p{time.monotonic_ns()}"
            body = {"name": name, "settings": {}} if method == "POST" else None
            if rest or "{" in path:
                secret = self.made("/api/presets", {"name": name, "settings": {}})["secret"]
            path = path.format(name=name)
        elif "{" in path:
            job = self.made("/api/render", BODIES["POST /api/render"])
            path = path.format(id=job["id"])
            if path.endswith("/file"):
                self.wait_for(job["id"])
        if "/ws/" in path:
            return self.server.get(path, secret="", **UPGRADE, **self.headers(role, secret)).status
        if "/stream/" in path:
            method = "HEAD"
        return self.server.ask(method, path, body, secret="", **self.headers(role, secret)).status

    def test_holds_in_every_row_for_every_role(self):
        count = 0
        for what, request, allowed in rows_of_the_table():
            for role, word in allowed.items():
                with self.subTest(what=what, role=role):
                    self.assertIn(word, ("yes", "no"))
                    status = self.ask(request, role)
                    if word == "no":
                        self.assertEqual(status, 403)
                    else:
                        self.assertIn(status, (101, 200, 201, 202, 204))
                    count += 1
        self.assertGreaterEqual(count, 60)

    def test_has_every_route(self):
        shown = self.succeed("serve", "--check", "--port", "0", "--data", self.folder / "data").stdout
        routes = set(re.findall(r"^  ((?:GET|POST|PATCH|DELETE) /\S*)$", shown, re.M))
        named = {found[1] for _, request, _ in rows_of_the_table() if (found := re.match(r"`(\w+ \S+)`", request))}
        self.assertEqual(named, routes)


class Secrets(ServerTest):
    def test_is_told_once_and_kept_as_a_hash(self):
        made = self.new_station(id="mine")
        self.assertGreaterEqual(len(made["secret"]), 26)
        for reply in (self.server.get("/api/stations/mine"), self.server.get("/api/stations")):
            self.assertNotIn(b"secret", reply.body)
        self.assertNotEqual(made["secret"], self.new_station()["secret"])
        state = self.server.data / "stations.json"
        self.wait_until(lambda: state.exists() and "mine" in state.read_text(), "a state")
        self.assertNotIn(made["secret"], state.read_text())
        self.assertNotIn(made["secret"], self.server.log())

    def test_stands_in_no_log(self):
        server = self.start_server("--log-level", "debug")
        station = self.new_station()
        path, secrets = f"/api/stations/{station['id']}", (station["secret"], server.admin_token)
        for secret in secrets:
            for headers in ({"X_Ringwave_Secret": secret}, {"Authorization": f"Bearer {secret}"}):
                self.assertEqual(server.ask("PATCH", path, {"preset": "sleep"}, secret="", **headers).status, 200)
        self.assertIn(path, server.log())
        for secret in secrets:
            self.assertNotIn(secret, server.log())

    def test_is_wanted_from_loopback_too(self):
        station = self.new_station()
        path = f"/api/stations/{station['id']}"
        for secret in ("", "wrong", station["secret"][:-1], station["secret"] + "x"):
            for headers in ({}, {"Authorization": f"Bearer {secret}"}):
                for method, body in (("PATCH", {"preset": "sleep"}), ("DELETE", None)):
                    reply = self.server.ask(method, path, body, secret=secret if not headers else "", **headers)
                    self.assert_refused(reply, 403, "forbidden")
                    self.assertIn("X-Ringwave-Secret", reply.json["error"]["message"])
        self.assertEqual(self.server.get(path).json["preset"], "focus")
        self.assert_refused(self.server.ask("DELETE", f"{path}?token={station['secret']}", secret=""), 403, "forbidden")
        bearer = {"Authorization": f"Bearer {station['secret']}"}
        self.assertEqual(self.server.ask("PATCH", path, {"preset": "sleep"}, secret="", **bearer).status, 200)
        self.assertEqual(self.server.ask("DELETE", path, secret=station["secret"]).status, 204)

    def test_does_not_fit_another_station(self):
        one, other = self.new_station(), self.new_station()
        reply = self.server.ask("DELETE", f"/api/stations/{one['id']}", secret=other["secret"])
        self.assert_refused(reply, 403, "forbidden")

    def test_is_known_again_after_a_restart(self):
        server = self.start_server()
        station, preset = self.new_station(), server.post("/api/presets", {"name": "mine", "settings": {}}).json
        server.end()
        server.start()
        for path, secret in ((f"/api/stations/{station['id']}", station["secret"]), ("/api/presets/mine", preset["secret"])):
            self.assert_refused(server.ask("DELETE", path, secret="wrong"), 403, "forbidden")
            self.assertEqual(server.ask("DELETE", path, secret=secret).status, 204)
        self.assertEqual(list((server.data / "presets").iterdir()), [])

    def test_of_a_preset_is_wanted_to_replace_and_to_remove_it(self):
        saved = self.server.post("/api/presets", {"name": "evening", "settings": {"bpm": 50}}, secret="")
        secret = saved.json["secret"]
        for wrong in ("", "wrong"):
            self.assert_refused(self.server.post("/api/presets", {"name": "evening", "settings": {}}, secret=wrong),
                                403, "forbidden")
            self.assert_refused(self.server.ask("DELETE", "/api/presets/evening", secret=wrong), 403, "forbidden")
        self.assertEqual(self.server.get("/api/presets/evening").json["settings"]["bpm"], 50)
        again = self.server.post("/api/presets", {"name": "evening", "settings": {"bpm": 60}}, secret=secret)
        self.assertEqual((again.status, again.json["settings"]["bpm"], "secret" in again.json), (201, 60, False))
        self.assertEqual(self.server.ask("DELETE", "/api/presets/evening", secret=secret).status, 204)

    def test_what_an_earlier_program_left_is_the_administrators(self):
        server = self.start_server()
        self.new_station(id="old")
        server.post("/api/presets", {"name": "old", "settings": {}})
        server.end()
        path = server.data / "stations.json"
        state = json.loads(path.read_text())
        for member in ("owner", "made_from", "is_kept", "heard_at"):
            del state["stations"][0][member]
        path.write_text(json.dumps(state))
        (server.data / "presets/old.owner").unlink()
        server.start()
        for path in ("/api/stations/old", "/api/presets/old"):
            self.assert_refused(server.ask("DELETE", path), 403, "forbidden")
            self.assertEqual(server.ask("DELETE", path, secret=server.admin_token).status, 204)

    def test_goes_over_a_web_socket_as_a_message(self):
        async def talk():
            station = self.new_station()
            async with self.server.listen(station["id"], secret="") as socket:
                self.assertFalse(json.loads(await socket.recv())["is_owner"])
                for message in ({"type": "settings", "bpm": 50}, {"type": "preset", "name": "sleep"},
                                {"type": "own", "secret": "wrong"}, {"type": "settings", "bpm": 50}):
                    await socket.send(json.dumps(message))
                    error = await next_text(socket, "error")
                    self.assertEqual((error["code"], error["recoverable"]), ("forbidden", True))
                for message, code in (({"type": "own"}, "wrong_type"), ({"type": "own", "secret": 1}, "wrong_type"),
                                      ({"type": "own", "secret": "x", "id": 1}, "unknown_member")):
                    await socket.send(json.dumps(message))
                    self.assertEqual((await next_text(socket, "error"))["code"], code)
                await socket.send(json.dumps({"type": "own", "secret": station["secret"]}))
                self.assertEqual(await next_text(socket, "own", "error"), {"type": "own", "is_owner": True})
                await socket.send(json.dumps({"type": "settings", "bpm": 51}))
                self.assertEqual((await next_text(socket, "settings", "error"))["settings"]["bpm"], 51)
            async with self.server.listen(station["id"], secret="") as socket:
                await socket.send(json.dumps({"type": "own", "secret": self.server.admin_token}))
                self.assertTrue((await next_text(socket, "own", "error"))["is_owner"])
            self.assertEqual(self.server.get(f"/api/stations/{station['id']}").json["settings"]["bpm"], 51)

        asyncio.run(talk())


class Administrators(ServerTest):
    PATHS = ("/api/stations", "/api/status", "/api/devices", "/metrics")

    def statuses(self, **headers):
        return {self.server.get(path, **headers).status for path in self.PATHS}

    def test_token_is_made_and_said(self):
        path = self.server.data / "admin-token"
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertIn(str(path), self.server.log())
        self.assertNotIn(self.server.admin_token, self.server.log())
        self.assertEqual(self.server.ask("DELETE", f"/api/stations/{self.new_station()['id']}",
                                         secret=self.server.admin_token).status, 204)
        kept = self.start_server()
        token = kept.admin_token
        kept.end()
        kept.start()
        self.assertEqual(kept.admin_token, token)

    def test_token_that_others_can_read_is_not_believed(self):
        (self.folder / "data").mkdir()
        (self.folder / "data/admin-token").write_text("0123456789abcdef0123456789abcdef\n")
        (self.folder / "data/admin-token").chmod(0o644)
        told = self.fail_with(BAD_FILE, "serve", "--port", "0", "--data", self.folder / "data")
        self.assertIn("admin-token", told)

    def test_see_all_and_so_does_this_machine_but_not_through_a_proxy(self):
        self.assertEqual(self.statuses(), {200})
        for header in ("X_Forwarded_For", "Forwarded", "Via"):
            with self.subTest(header):
                self.assertEqual(self.statuses(**{header: "192.0.2.1"}), {403})
                self.assertEqual(self.statuses(**{header: ""}), {403})
                bearer = {"Authorization": f"Bearer {self.server.admin_token}"}
                self.assertEqual(self.statuses(**{header: "192.0.2.1"}, **bearer), {200})
        self.assert_refused(self.server.get("/metrics", Via="1.1 proxy"), 403, "forbidden")

    def test_that_are_configured_are_the_only_ones_who_see_all(self):
        server = self.start_server("--admin-tokens", f"{ADMIN},another-of-them-0123")
        self.assertFalse((server.data / "admin-token").exists())
        self.assertEqual(self.statuses(), {403})
        for headers in ({"Authorization": f"Bearer {ADMIN}"}, {"X_Ringwave_Secret": "another-of-them-0123"}):
            self.assertEqual(self.statuses(**headers), {200})
        for headers in ({"Authorization": f"Bearer {ADMIN}x"}, {"Authorization": f"Basic {ADMIN}"}):
            self.assertEqual(self.statuses(**headers), {403})
        self.assertEqual(server.get(f"/api/status?token={ADMIN}").status, 403)

    def test_tokens_are_checked_and_not_shown(self):
        data = self.folder / "data"
        self.fail_with(WRONG_USE, "serve", "--check", "--data", data, "--admin-tokens", "short")
        told = self.fail_with(WRONG_USE, "serve", "--check", "--data", data, "--tokens", TOKEN, "--admin-tokens", TOKEN)
        self.assertIn("admin_tokens", told)
        shown = self.succeed("serve", "--check", "--port", "0", "--data", data, "--admin-tokens", ADMIN).stdout
        self.assertIn("  admin_tokens = 1 that are not shown\n", shown)
        self.assertNotIn(ADMIN, shown)

    def test_alone_make_the_station_for_icecast_from_elsewhere(self):
        elsewhere = {"X_Forwarded_For": "192.0.2.1"}
        reply = self.server.ask("POST", "/api/stations", {"id": "icecast"}, secret="", **elsewhere)
        self.assert_refused(reply, 403, "forbidden")
        reply = self.server.ask("POST", "/api/stations", {"id": "icecast"}, secret=self.server.admin_token, **elsewhere)
        self.assertEqual(reply.status, 201)


class StationForIcecast(ServerTest):
    """Nobody is at the other end: the station is made ready before that is known."""

    FEED = ("--icecast", "icecast://hackme@127.0.0.1:1/night.opus", "--icecast-station", "night", "--expire-days", "0.00001")

    def made_before(self, **headers):
        """A station of that name, made before it was the feed's; the server with the feed."""
        server = self.start_server()
        self.assertEqual(server.ask("POST", "/api/stations", {"id": "night", "seed": 7}, **headers).status, 201)
        server.end()
        server.arguments += self.FEED
        server.start()
        self.wait_until(lambda: "tried again" in server.log(), "an attempt")
        self.assertEqual(server.get("/api/stations/night").json["seed"], 7)
        return server

    def test_is_a_stranger_s_no_longer(self):
        server = self.made_before(Via="1.1 proxy")
        time.sleep(3)
        self.assertEqual(server.get("/api/stations/night").json["seed"], 7, "it did not expire")
        self.assert_refused(server.ask("PATCH", "/api/stations/night", {"preset": "sleep"}), 403, "forbidden")
        self.assertEqual(server.ask("PATCH", "/api/stations/night", {"preset": "sleep"}, secret=server.admin_token).status, 200)

    def test_that_this_machine_made_stays_its_makers(self):
        server = self.made_before()
        self.assertEqual(server.ask("PATCH", "/api/stations/night", {"preset": "sleep"}).status, 200)

    def test_that_the_feed_makes_does_not_expire(self):
        server = self.start_server(*self.FEED)
        self.wait_until(lambda: server.get("/api/stations/night").status == 200, "the station")
        time.sleep(3)
        self.assertEqual(server.get("/api/stations/night").status, 200)


class Shares(ServerTest):
    """Of what there is little of, for one address."""

    ARGUMENTS = (*ServerTest.ARGUMENTS, "--limit-loopback", "--max-stations-per-address", "3", "--max-playing-per-address",
                 "2", "--max-renders-per-address", "2", "--requests-per-second", "1000")

    def test_of_stations_also_after_a_restart(self):
        server = self.start_server()
        made = [self.new_station()["id"] for _ in range(3)]
        for _ in range(2):
            self.assert_refused(server.post("/api/stations"), 503, "limit_reached")
            self.assertEqual(server.post("/api/stations", secret=server.admin_token).status, 201)
            server.end()
            server.start()
        self.assertEqual(server.ask("DELETE", f"/api/stations/{made[0]}").status, 204)
        self.assertEqual(server.post("/api/stations").status, 201)

    def test_of_stations_that_play_until_they_sleep(self):
        server = self.start_server()
        stations = [server.post("/api/stations", secret=server.admin_token).json["id"] for _ in range(4)]
        asked = [f"GET /stream/{name}.mp3 HTTP/1.0\r\n\r\n".encode() for name in stations]
        players = [server.socket(request) for request in asked[:2]]
        for player in players:
            self.assertIn(b" 200 ", player.recv(4096))
        with server.socket(asked[2]) as third:
            self.assertIn(b"limit_reached", third.recv(4096))
        with server.socket(asked[1]) as beside:
            self.assertIn(b" 200 ", beside.recv(4096), "it plays already")
        players[0].close()
        self.wait_until(lambda: not server.get(f"/api/stations/{stations[0]}").json["is_playing"], "sleep")
        with server.socket(asked[3]) as fourth:
            self.assertIn(b" 200 ", fourth.recv(4096))
        players[1].close()

    def test_of_files_that_are_rendered(self):
        server = self.start_server()
        long = {"format": "wav", "seconds": 3600}
        jobs = [server.post("/api/render", long).json["id"] for _ in range(2)]
        self.assert_refused(server.post("/api/render", long), 503, "limit_reached")
        self.assertEqual(server.post("/api/render", long, secret=server.admin_token).status, 202)
        for job in jobs:
            server.ask("DELETE", f"/api/render/{job}")
        self.assertEqual(server.post("/api/render", long).status, 202)

    def test_of_this_machine_are_unlimited_unless_it_is_told(self):
        server = self.start_server()
        server.end()
        server.arguments.remove("--limit-loopback")
        server.start()
        self.assertEqual({server.post("/api/stations").status for _ in range(6)}, {201})


class Expiry(ServerTest):
    def test_takes_what_nobody_hears_but_what_administrators_and_this_machine_made(self):
        server = self.start_server("--expire-days", "0.00001")
        elsewhere = {"Via": "1.1 proxy"}
        gone = server.ask("POST", "/api/stations", {"id": "gone"}, **elsewhere)
        self.assertEqual(gone.status, 201)
        server.ask("POST", "/api/stations", {"id": "administrators"}, secret=server.admin_token, **elsewhere)
        self.new_station(id="machines")
        self.wait_until(lambda: server.get("/api/stations/gone").status == 404, "expiry")
        for kept in ("administrators", "machines"):
            self.assertEqual(server.get(f"/api/stations/{kept}").status, 200)
        server.end()
        server.start()
        time.sleep(2)
        for kept in ("administrators", "machines"):
            self.assertEqual(server.get(f"/api/stations/{kept}").status, 200)

    def test_counts_from_now_for_what_an_earlier_program_left(self):
        server = self.start_server("--expire-days", "1")
        for name in ("untimed", "recent", "old", "ahead"):
            server.ask("POST", "/api/stations", {"id": name}, Via="1.1 proxy")
        server.end()
        path = server.data / "stations.json"
        state = json.loads(path.read_text())
        stations = {station["id"]: station for station in state["stations"]}
        self.assertAlmostEqual(stations["old"]["heard_at"], time.time(), delta=60)
        del stations["untimed"]["heard_at"]
        stations["recent"]["heard_at"] -= 86000
        stations["old"]["heard_at"] -= 86400
        stations["ahead"]["heard_at"] += 400 * 86400  # a clock was wrong
        path.write_text(json.dumps(state))
        server.start()
        self.wait_until(lambda: server.get("/api/stations/old").status == 404, "expiry")
        left = {station["id"]: station for station in server.get("/api/stations").json["stations"]}
        self.assertEqual(set(left), {"untimed", "recent", "ahead"})
        server.end()
        for station in json.loads(path.read_text())["stations"]:
            self.assertLessEqual(station["heard_at"], time.time())
