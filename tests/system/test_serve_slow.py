# SPDX-License-Identifier: Apache-2.0
"""Players that pause or read too slowly, when their station or the server goes: nobody else is to feel it."""
import contextlib
import time

from player import Player
from server import ServerTest


class Slowness(ServerTest):
    ARGUMENTS = ("--drain-seconds", "5", "--threads", "2")

    def assert_healthy(self):
        for _ in range(10):
            self.assertEqual(self.server.get("/health").json, {"status": "ok"})

    def delete_before_paused_players(self, ending, seconds):
        """One player for each thread of the network; they pause until their buffers are full, and then read again."""
        station = self.new_station()
        with contextlib.ExitStack() as open_players:
            players = [open_players.enter_context(Player(self.server.port, f"{station['id']}.{ending}")) for _ in range(2)]
            time.sleep(seconds)
            self.assertEqual(self.server.remove(station).status, 204)
            for player in players:
                player.read_on()
            self.assert_healthy()
            for player in players:
                self.assertTrue(player.wait_for_end(), "the stream of a station that was deleted ends")
            self.assert_healthy()

    def test_who_paused_in_a_wav_that_is_deleted_holds_up_nobody(self):
        self.delete_before_paused_players("wav", 5)

    def test_who_paused_in_an_opus_stream_that_is_deleted_holds_up_nobody(self):
        self.delete_before_paused_players("opus", 9)

    def test_the_server_ends_though_players_are_too_slow(self):
        self.start_server()
        station = self.new_station()
        with contextlib.ExitStack() as open_players:
            players = [open_players.enter_context(Player(self.server.port, f"{station['id']}.wav")) for _ in range(10)]
            for number, player in enumerate(players):
                player.read_on(bytes_per_second=120e3 + 65e3 * number / (len(players) - 1))
            time.sleep(20)  # the slowest are behind by then, by more than the system keeps for them
            self.assertEqual(self.server.end(), 0)
            for player in players:
                self.assertTrue(player.wait_for_end(), "who listens is told the end")
