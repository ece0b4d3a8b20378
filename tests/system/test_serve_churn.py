# SPDX-License-Identifier: Apache-2.0
"""A minute of clients that come and go at random; `tools/bench-server churn` is the same for as long as one likes."""
import os
import random
import sys

from churn import Churn
from server import ServerTest


class Coming(ServerTest):
    CLIENTS = 24
    SECONDS = 60

    def test_and_going_at_random_lets_no_thread_spin_and_the_server_answers_and_ends(self):
        """RINGWAVE_CHURN_SEED=N does again what was done when N was told."""
        seed = int(os.environ.get("RINGWAVE_CHURN_SEED", random.randrange(1_000_000)))
        print(f"seed {seed} ", end="", file=sys.stderr, flush=True)
        churn = Churn(self.start_server(), self.CLIENTS, seed)
        self.assertEqual(churn.run(self.SECONDS), [], f"with RINGWAVE_CHURN_SEED={seed}")
        self.assertGreater(churn.counts["visits"], 0)
        self.assertGreater(churn.counts["deleted"], 0)
