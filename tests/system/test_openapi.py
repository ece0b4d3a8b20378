# SPDX-License-Identifier: Apache-2.0
"""The server does what /api/openapi.json says, and the description says all that the server does."""
import copy
import re
import subprocess

import jsonschema

from audio import needs
from server import ServerTest

METHODS = ("get", "post", "patch", "delete")

# What to ask for, by operation: path parameters, body. {station} and {job} are made before.
GOOD = {
    "listStations": {}, "createStation": {"body": {"preset": "sleep", "settings": {"bpm": 50}, "seed": 4}},
    "getStation": {"id": "{station}"}, "changeStation": {"id": "{station}", "body": {"settings": {"bpm": 60}}},
    "removeStation": {"id": "{other}"}, "listPresets": {}, "getPreset": {"name": "focus"},
    "savePreset": {"body": {"name": "mine", "settings": {"key": "E"}}}, "removePreset": {"name": "mine"},
    "orderRender": {"body": {"format": "flac", "seconds": 1}}, "getRender": {"id": "{job}"},
    "getRenderFile": {"id": "{job}"}, "removeRender": {"id": "{job}"}, "getStatus": {}, "getDevices": {},
    "getDescription": {}, "getHealth": {}, "getMetrics": {}, "playStation": None, "listenToStation": {"id": "{station}"},
}
LAST = ("removeRender", "removePreset")

# And what is refused: the operation, path parameters, the body, the status.
BAD = (("createStation", {}, {"seed": -1}, 400), ("createStation", {}, {"id": "first"}, 409),
       ("createStation", {}, "x" * 70000, 413), ("getStation", {"id": "none"}, None, 404),
       ("changeStation", {"id": "none"}, {"preset": "focus"}, 404), ("changeStation", {"id": "first"}, {"x": 1}, 400),
       ("removeStation", {"id": "none"}, None, 404), ("getPreset", {"name": "none"}, None, 404),
       ("savePreset", {}, {"name": "focus", "settings": {}}, 403), ("savePreset", {}, {"name": "/", "settings": {}}, 400),
       ("removePreset", {"name": "focus"}, None, 403), ("removeStation", {"id": "others"}, None, 403),
       ("changeStation", {"id": "others"}, {"preset": "focus"}, 403), ("orderRender", {}, {"format": "wav"}, 400),
       ("orderRender", {}, {"format": "wav", "seconds": 1, "station": "none"}, 404),
       ("getRender", {"id": "none"}, None, 404), ("getRenderFile", {"id": "none"}, None, 404),
       ("removeRender", {"id": "none"}, None, 404), ("playStation", {"file": "none.mp3"}, None, 404),
       ("listenToStation", {"id": "first"}, None, 426))


class Description(ServerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.document = cls.server.get("/api/openapi.json").json
        cls.operations = {operation["operationId"]: (path, method, operation)
                          for path, item in cls.document["paths"].items()
                          for method, operation in item.items() if method in METHODS}
        cls.server.post("/api/stations", {"id": "first"})
        cls.server.post("/api/stations", {"id": "others"})
        cls.server.secrets.pop("/api/stations/others")

    def validator(self, schema):
        """OpenAPI 3.0's dialect is that of JSON Schema's draft 4."""
        return jsonschema.Draft4Validator({**copy.deepcopy(schema), "components": self.document["components"]})

    def response_of(self, operation, status):
        self.assertIn(str(status), operation["responses"], operation["operationId"])
        response = operation["responses"][str(status)]
        if "$ref" in response:
            response = self.document["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
        return response

    def ask(self, name, parameters, body):
        path, method, operation = self.operations[name]
        for parameter, value in parameters.items():
            path = path.replace("{" + parameter + "}", value)
        self.assertNotIn("{", path)
        reply = self.server.ask(method.upper(), path, body)
        response = self.response_of(operation, reply.status)
        if "content" not in response:
            self.assertEqual(reply.body, b"")
            return reply
        media_type = reply.headers["Content-Type"].split(";")[0]
        self.assertIn(media_type, response["content"], name)
        if media_type == "application/json":
            self.validator(response["content"][media_type]["schema"]).validate(reply.json)
        return reply

    @needs("redocly")
    def test_has_no_error_that_a_linter_knows(self):
        path = self.folder / "openapi.json"
        path.write_bytes(self.server.get("/api/openapi.json").body)
        found = subprocess.run(["redocly", "lint", path], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)

    def test_says_where_the_server_is_and_how_one_shows_who_one_is(self):
        self.assertTrue(self.document["servers"])
        schemes = set(self.document["components"]["securitySchemes"])
        for _, _, operation in self.operations.values():
            for way in operation.get("security", self.document["security"]):
                self.assertLessEqual(set(way), schemes)

    def test_is_well_formed(self):
        self.assertEqual(self.document["openapi"], "3.0.3")
        text = str(self.document)
        for reference in re.findall(r"#/components/(\w+)/(\w+)", text):
            self.assertIn(reference[1], self.document["components"][reference[0]])
        for schema in self.document["components"]["schemas"].values():
            jsonschema.Draft4Validator.check_schema(schema)
        for path, method, operation in self.operations.values():
            named = set(re.findall(r"\{(\w+)\}", path))
            described = {parameter["name"] for parameter in self.document["paths"][path].get("parameters", [])}
            self.assertEqual(named, described, (path, method, operation["operationId"]))

    def test_has_every_route_and_no_other(self):
        shown = self.succeed("serve", "--check", "--port", "0", "--data", self.folder / "data").stdout
        routes = set(re.findall(r"^  (GET|POST|PATCH|DELETE) (/\S*)$", shown, re.M))
        self.assertEqual(routes, {(method.upper(), path) for path, method, _ in self.operations.values()})

    def test_holds_for_every_operation(self):
        self.assertEqual(set(GOOD), set(self.operations), "an operation has no example here")
        job = self.server.post("/api/render", {"format": "wav", "seconds": 0.5}).json["id"]
        self.wait_until(lambda: self.server.get(f"/api/render/{job}").json["state"] == "done", "a file")
        made = {"{station}": "first", "{other}": self.new_station()["id"], "{job}": job}
        for name in sorted(GOOD, key=lambda name: name in LAST):
            wish = GOOD[name]
            if wish is None:
                continue  # it does not end
            with self.subTest(operation=name):
                parameters = {key: made.get(value, value) for key, value in wish.items() if key != "body"}
                body = wish.get("body")
                operation = self.operations[name][2]
                if body is not None:
                    self.validator(operation["requestBody"]["content"]["application/json"]["schema"]).validate(body)
                reply = self.ask(name, parameters, body)
                self.assertTrue(reply.status < 400 or name == "listenToStation", reply.body)

    def test_holds_for_what_is_refused(self):
        for name, parameters, body, status in BAD:
            with self.subTest(operation=name, status=status):
                self.assertEqual(self.ask(name, parameters, body).status, status)

    def test_stream_types_are_described(self):
        _, _, operation = self.operations["playStation"]
        described = set(operation["responses"]["200"]["content"])
        for ending in ("opus", "mp3", "flac", "wav"):
            head = self.server.ask("HEAD", f"/stream/first.{ending}")
            self.assertIn(head.headers["Content-Type"].split(";")[0], described)
