"""Pauses between calls against the service itself, which ends idle connections after 8 to 12 seconds: none shows.

Real time, half a minute: AUTHORITY_INDEX_TEST_SOAK asks for it. What is tested are timers of the service and of the
system.
"""

import asyncio
import json
import os
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from authority_index import AsyncClient, Client

PLACE = json.loads(os.environ.get("AUTHORITY_INDEX_TEST", "null"))
PAUSES_S = [half / 2 for half in range(41)]


@unittest.skipIf(PLACE is None or "AUTHORITY_INDEX_TEST_SOAK" not in os.environ, "takes half a minute")
class Pauses(unittest.TestCase):
    def test_no_pause_of_0_to_20_seconds_shows_with_threads(self):
        def answers(pause_s):
            # A retry would hide what a pause breaks.
            with Client(PLACE["address"], PLACE["key"], retries=0, deadline_s=10) as client:
                first = client.match("@SenCapito").results
                time.sleep(pause_s)
                return [first, client.match("@SenCapito").results]

        with ThreadPoolExecutor(len(PAUSES_S)) as pool:
            for first, second in pool.map(answers, PAUSES_S):
                self.assertEqual(first, second)

    def test_no_pause_of_0_to_20_seconds_shows_with_asyncio(self):
        async def answers(pause_s):
            async with AsyncClient(PLACE["address"], PLACE["key"], retries=0, deadline_s=10) as client:
                first = (await client.match("@SenCapito")).results
                await asyncio.sleep(pause_s)
                return [first, (await client.match("@SenCapito")).results]

        async def all_answers():
            return await asyncio.gather(*(answers(pause_s) for pause_s in PAUSES_S))

        for first, second in asyncio.run(all_answers()):
            self.assertEqual(first, second)
