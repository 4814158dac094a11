"""Both clients against a running service, straight and through a server that breaks exchanges.

test/suites/long/client/python-client.suite.ts starts both and names them in AUTHORITY_INDEX_TEST: `address`, `key`,
`snapshot`, `faults` and `control` (see test/support/faults/serve.ts of the repository).
"""

import asyncio
import json
import math
import os
import threading
import unittest
import urllib.request
from urllib.parse import quote

from authority_index import (
    AsyncClient,
    Client,
    ClientError,
    ConnectionFailedError,
    CostLimitError,
    InvalidParameterError,
    NoSuchSnapshotError,
)

PLACE = json.loads(os.environ.get("AUTHORITY_INDEX_TEST", "null"))
STEP = int(os.environ.get("AUTHORITY_INDEX_TEST_STEP", "499"))
# Enough for a machine that is busy with other tests; an attempt that hangs takes half of it.
DEADLINE_S = 4.0
ONLY = os.environ.get("AUTHORITY_INDEX_TEST_OPERATION")
SDU = "59121954044035807"
HANDLES = [
    "@SenCapito",
    "sencapito",
    "twitter:SenCapito",
    "https://x.com/SenCapito",
    "x.com/sencapito/status/1",
    "github:davidtwco",
    "https://github.com/davidtwco",
    "davidtwco",
    "nobody-at-all",
    "https://x.com/nobody-at-all",
    "github:SenCapito",
    "é",
    "É",
]


def plainly(target):
    """A request without the client."""
    request = urllib.request.Request(PLACE["address"] + target, headers={"Authorization": f"Bearer {PLACE['key']}"})
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


def control(plan=None):
    """Sets the next faults, and gives the counts."""
    data = None if plan is None else json.dumps(plan).encode()
    with urllib.request.urlopen(PLACE["control"], data) as answer:
        return json.loads(answer.read())


def balance_micro_usd():
    """What the account has after a search of 0.001 USD."""
    with Client(PLACE["address"], PLACE["key"]) as client:
        return round(client.search("rust").balance * 1e6)


def every_operation():
    snapshot = PLACE["snapshot"]
    operations = {
        "search": lambda client: client.search("rust", limit=3),
        "detail": lambda client: client.detail(SDU),
        "detail of a list": lambda client: client.detail([SDU, "7"], aligned=True),
        "peers": lambda client: client.peers("sencapito", limit=2),
        "match": lambda client: client.match("@SenCapito"),
        "match of a list": lambda client: client.match(["@SenCapito", "nobody-at-all"]),
        "rank": lambda client: client.rank(["@SenCapito", "github:davidtwco"], topic="Rust"),
        "autocomplete": lambda client: client.autocomplete("rus"),
        "topics": lambda client: client.topics(limit=2),
        "snapshots": lambda client: client.snapshots(),
        "snapshot": lambda client: client.snapshot(snapshot),
        "history": lambda client: client.history(SDU),
    }
    return operations if ONLY is None else {ONLY: operations[ONLY]}


def every_fault(lengths):
    for side in ("request", "answer"):
        for at in range(0, lengths[side], STEP):
            for how in ("reset", "end"):
                yield {"kind": "kill", "side": side, "at": at, "how": how}
            yield {"kind": "garble", "side": side, "at": at}
            yield {"kind": "delay", "side": side, "at": at, "ms": 20}
    for status in (429, 503):
        yield {"kind": "refuse", "status": status}
        yield {"kind": "refuse", "status": status, "retryAfter": 0}
    yield {"kind": "idle", "ms": 0}
    yield {"kind": "idle", "ms": 5}


class OnLoop:
    """An `AsyncClient` behind the methods of a `Client`, on an event loop of its own."""

    def __init__(self, client, loop):
        self._client, self._loop = client, loop

    def __getattr__(self, name):
        return lambda *words, **params: self._loop.run_until_complete(getattr(self._client, name)(*words, **params))


@unittest.skipIf(PLACE is None, "AUTHORITY_INDEX_TEST names no service")
class Service(unittest.TestCase):
    def setUp(self):
        loop = asyncio.new_event_loop()
        self.addCleanup(loop.close)
        self.loop = loop

    def clients(self, **options):
        """A client of each kind, with the methods of `Client`."""
        settings = {"base_url": PLACE["address"], "api_key": PLACE["key"], **options}
        threaded, on_loop = Client(**settings), OnLoop(AsyncClient(**settings), self.loop)
        self.addCleanup(on_loop.close)
        self.addCleanup(threaded.close)
        return {"threads": threaded, "asyncio": on_loop}


class Broken(Service):
    def test_every_operation_is_answered_rightly_and_charged_once(self):
        for kind, client in self.clients(base_url=PLACE["faults"], deadline_s=DEADLINE_S, retry_budget=1).items():
            control({"queue": [], "otherwise": {"kind": "none"}})
            before, balance = control(), balance_micro_usd()
            calls = priced = faults = price_micro_usd = 0
            for name, call in every_operation().items():
                first = call(client)
                asked = 1
                for fault in every_fault(control()["lengths"]):
                    control({"queue": [fault]})
                    with self.subTest(kind=kind, operation=name, fault=fault):
                        self.assertEqual(call(client).results, first.results)
                    asked += 1
                calls += asked
                faults += asked - 1
                priced += asked if first.cost > 0 else 0
                price_micro_usd += asked * round(first.cost * 1e6)
            control({"queue": []})
            after = control()
            extra = after["exchanges"] - before["exchanges"] - calls
            # The second balance is that after a search of its own.
            self.assertEqual(balance - balance_micro_usd() - 1_000, price_micro_usd)
            self.assertEqual(len(after["keys"]) - len(before["keys"]), priced)
            self.assertGreater(extra, faults / 2)
            self.assertLessEqual(extra, 2 * faults)
            print(json.dumps({"kind": kind, "calls": calls, "faults": faults, "extra": extra}))

    def test_a_question_whose_answer_was_lost_is_charged_once(self):
        for client in self.clients(base_url=PLACE["faults"]).values():
            before = client.match("nobody-at-all").balance
            control({"queue": [{"kind": "kill", "side": "answer", "at": 20, "how": "reset"}]})
            lost = client.match("nobody-at-all")
            self.assertEqual((lost.is_replay, lost.cost), (True, 0))
            self.assertEqual(round((before - lost.balance) * 1_000), 1)

    def test_an_outage_has_at_most_a_tenth_more_requests_than_calls(self):
        for client in self.clients(base_url=PLACE["faults"]).values():
            control({"queue": [], "otherwise": {"kind": "kill", "side": "request", "at": 0, "how": "reset"}})
            before = control()["exchanges"]
            for number in range(300):
                with self.assertRaises(ClientError):
                    client.match(f"person{number}")
            self.assertLessEqual(control()["exchanges"] - before, 330)
            control({"otherwise": {"kind": "none"}})


class Answered(Service):
    def test_what_an_answer_says_of_its_price_and_origin(self):
        for client in self.clients().values():
            answer = client.search("rust", limit=3, explain="query")
            self.assertEqual(answer.results, plainly("/api/v1/index?query=rust&limit=3")["results"])
            self.assertEqual((answer.cost, answer.snapshot, answer.way), (0.001, PLACE["snapshot"], "topic"))
            self.assertGreater(answer.balance, 0)
            self.assertEqual(len(answer.request_id), 36)
            self.assertEqual(answer.more["query"]["topics"], ["Rust"])
            self.assertEqual(client.prices()["rank"], 0.001)

    def test_errors_have_classes_and_request_ids(self):
        for client in self.clients().values():
            with self.assertRaises(InvalidParameterError) as raised:
                client.search("rust", limit=0)
            self.assertEqual((raised.exception.status, len(raised.exception.request_id)), (400, 36))
            with self.assertRaises(NoSuchSnapshotError):
                client.snapshot("0" * 32)

    def test_single_answers_are_the_same_whatever_was_asked_with_them(self):
        expected = [plainly(f"/api/v1/match?handle={quote(handle)}")["results"] for handle in HANDLES]
        for client in self.clients().values():
            for some in (HANDLES, HANDLES[::-1], HANDLES[3:9], HANDLES[-2:]):
                answers = client.match_many([*some, some[0]])
                results = [expected[HANDLES.index(handle)] for handle in [*some, some[0]]]
                self.assertEqual([answer.results for answer in answers], results)
            profiles = client.detail_many([SDU, "7", SDU])
            self.assertEqual([len(each) for each in profiles], [1, 0, 1])
            self.assertEqual(profiles[0].results, plainly(f"/api/v1/detail?sdu={SDU}")["results"])

    def test_a_value_that_is_refused_fails_alone(self):
        for client in self.clients().values():
            found = client.detail_many([SDU, "not-a-number", "7"], return_errors=True)
            self.assertEqual([isinstance(each, InvalidParameterError) for each in found], [False, True, False])
            with self.assertRaises(InvalidParameterError):
                client.detail_many([SDU, "not-a-number"])

    def test_single_calls_of_a_turn_are_one_request(self):
        async def calls():
            async with AsyncClient(PLACE["faults"], PLACE["key"]) as client:
                asked = [client.match(f"github:unowned{number % 900}") for number in range(1_000)]
                answers = await asyncio.gather(*asked, client.match("@SenCapito"), client.detail(SDU))
                ranks = await asyncio.gather(*(client.rank(source, topic="Rust") for source in HANDLES[:1] * 9))
                self.assertEqual([one.results for one in ranks], [ranks[0].results] * 9)
                # One call that is cancelled leaves the others alone.
                task = asyncio.ensure_future(client.match("github:unowned1"))
                others = asyncio.gather(client.match("github:unowned2"), client.match("@SenCapito"))
                await asyncio.sleep(0)
                task.cancel()
                return answers, await others, client.spent_usd

        before = control()["exchanges"]
        answers, others, spent = self.loop.run_until_complete(calls())
        self.assertEqual([len(answers[0]), len(answers[-2]), len(answers[-1])], [0, 1, 1])
        self.assertEqual([len(each) for each in others], [0, 1])
        # Two of the first turn, one of each other; what was cancelled before that is not asked for.
        self.assertEqual(control()["exchanges"] - before, 4)
        self.assertAlmostEqual(spent, 0.902 + 0.001 + 0.002, places=6)

    def test_a_long_list_is_one_order(self):
        people = plainly("/api/v1/index?query=health&limit=20")["results"]
        profiles = plainly("/api/v1/detail?sdus=" + ",".join(person["sdu"] for person in people))["results"]
        known = [f"{place}:{each['handle']}" for one in profiles for place, each in one["socials"].items()]
        filler = [f"github:unowned{number}" for number in range(2_500 - len(known))]
        mixed = [source for pair in zip(filler, known) for source in pair] + filler[len(known) :]
        for client in self.clients().values():
            for topic in ({}, {"topic": "Health"}):
                answer = client.rank(mixed, **topic)
                owned = [each["source"] for each in client.rank(known, **topic)]
                self.assertEqual([each["source"] for each in answer][: len(owned)], owned)
                self.assertEqual([mixed[each["index"]] for each in answer], [each["source"] for each in answer])
                self.assertEqual(len(answer), 2_500)
                self.assertAlmostEqual(answer.cost, 2.5, places=6)
                aligned = client.rank(mixed, aligned=True, fields=["name"], **topic).results
                self.assertEqual([each["source"] for each in aligned], mixed)
                aligned.sort(key=lambda each: each["position"])
                self.assertEqual([each["index"] for each in aligned], [each["index"] for each in answer])
                self.assertEqual(set(aligned[0]), {"source", "name", "reason", "index", "position"})
            self.assertEqual(client.rank(known[0]).results, client.rank([known[0]]).results)
            self.assertEqual(client.rank(["x" * 5_000], lenient=True).results[0]["reason"], "too-long")

    def test_pages_are_everybody_once(self):
        client = self.clients()["threads"]
        pages = list(client.search_pages("health", limit=10))
        self.assertEqual(len({each["sdu"] for page in pages for each in page}), pages[0].more["total"])

        async def counted():
            async with AsyncClient(PLACE["address"], PLACE["key"]) as other:
                return [page.results async for page in other.search_pages("health", limit=10)]

        self.assertEqual(self.loop.run_until_complete(counted()), [page.results for page in pages])

    def test_scores_have_the_shape_of_their_sources(self):
        for client in self.clients().values():
            scores = list(client.scores(["@SenCapito", None, "x" * 5_000, "nobody-at-all", "@SenCapito"]))
            self.assertEqual([math.isnan(score) for score in scores], [False, True, True, True, False])
            self.assertEqual(scores[0], client.detail_many(["351273370525540258"])[0].results[0]["authority_score"])
            self.assertEqual(list(client.scores([])), [])

    def test_a_limit_of_money_is_kept_before_anything_is_sent(self):
        for client in self.clients(max_cost_usd=0.003).values():
            client.match(["a", "b"])
            with self.assertRaises(CostLimitError):
                client.match(["a", "b"])
            client.match("a", max_cost_usd=0.001)
            with self.assertRaises(CostLimitError):
                client.match("a")
        for client in self.clients().values():
            # The limit of a call holds for the whole list, not for each of its parts.
            for ask in (client.rank, client.match_many):
                with self.assertRaises(CostLimitError):
                    ask([f"github:unowned{number}" for number in range(1_500)], max_cost_usd=1.2)
            self.assertEqual(client.match("a").cost, 0.001)

    def test_what_ended_without_an_answer_counts_against_the_limit(self):
        for client in self.clients(base_url=PLACE["faults"], max_cost_usd=0.002, retries=0).values():
            client.prices()
            control({"queue": [{"kind": "kill", "side": "answer", "at": 20, "how": "reset"}] * 2})
            with self.assertRaises(ConnectionFailedError):
                client.match("a")
            control({"queue": []})
            client.match("a")
            with self.assertRaises(CostLimitError):
                client.match("a")

    def test_after_a_refusal_no_part_begins(self):
        for client in self.clients(base_url=PLACE["faults"], parts_at_once=2).values():
            before = control()["exchanges"]
            with self.assertRaises(InvalidParameterError):
                client.rank(["x" * 5_000, *(f"github:unowned{number}" for number in range(9_000))])
            self.assertLess(control()["exchanges"] - before, 9)

    def test_falling_below_a_balance_is_said_once(self):
        balances = []
        client = Client(PLACE["address"], PLACE["key"], on_balance_below=(1e9, balances.append))
        client.match("a")
        client.match("a")
        self.assertEqual(len(balances), 1)
        client.close()

    def test_threads_share_a_client(self):
        client = self.clients(connections_max=3)["threads"]
        found = []
        ask = lambda: found.extend(len(client.match("@SenCapito")) for _ in range(20))
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [1] * 160)

    def test_a_client_goes_on_another_event_loop(self):
        client = AsyncClient(PLACE["address"], PLACE["key"])

        async def once():
            async with client:
                return len(await client.match("@SenCapito"))

        self.assertEqual([asyncio.run(once()), asyncio.run(once())], [1, 1])
