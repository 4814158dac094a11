"""Both clients against a running service, straight and through a server that breaks exchanges.

test/suites/long/client/python-client.suite.ts starts both and names them in AUTHORITY_INDEX_TEST: `address`, `key`,
`snapshot`, `faults` and `control` (see test/support/faults/serve.ts of the repository).
"""

import asyncio
import json
import math
import multiprocessing
import os
import pathlib
import re
import unittest
import unittest.mock
import urllib.request

from authority_index import AsyncAuthorityIndex, AuthorityIndex, BadRequestError, NotFoundError

try:
    import pandas
except ImportError:
    pandas = None
try:
    import polars
except ImportError:
    polars = None

PLACE = json.loads(os.environ.get("AUTHORITY_INDEX_TEST", "null"))
STEP = int(os.environ.get("CLIENT_STEP", "499"))
# Enough for a machine that is busy with other tests; an attempt that hangs takes half of it.
TIMEOUT_S = 4.0
SDU = "59121954044035807"
README = pathlib.Path(__file__).parents[1] / "README.md"


def plainly(target, body=None):
    """The results of a request without the client."""
    headers = {"Authorization": f"Bearer {PLACE['key']}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(PLACE["address"] + target, data, headers)) as answer:
        return json.loads(answer.read())["results"]


def control(plan=None):
    """Sets the next faults, and gives the counts."""
    data = None if plan is None else json.dumps(plan).encode()
    with urllib.request.urlopen(PLACE["control"], data) as answer:
        return json.loads(answer.read())


def every_operation():
    snapshot = PLACE["snapshot"]
    return {
        "search": lambda client: client.search("rust", limit=3),
        "detail": lambda client: client.detail(SDU),
        "detail of a list": lambda client: client.detail([SDU, "7"]),
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
    """An `AsyncAuthorityIndex` behind the methods of an `AuthorityIndex`, on an event loop of its own."""

    def __init__(self, client, loop):
        self._client, self._loop = client, loop

    @property
    def with_response(self):
        return OnLoop(self._client.with_response, self._loop)

    def __getattr__(self, name):
        async def called(words, params):
            return await getattr(self._client, name)(*words, **params)

        return lambda *words, **params: self._loop.run_until_complete(called(words, params))


@unittest.skipIf(PLACE is None, "AUTHORITY_INDEX_TEST names no service")
class Service(unittest.TestCase):
    def clients(self, **options):
        """A client of each kind, with the methods of `AuthorityIndex`."""
        loop = asyncio.new_event_loop()
        self.addCleanup(loop.close)
        settings = {"base_url": PLACE["address"], "api_key": PLACE["key"], **options}
        threaded, on_loop = AuthorityIndex(**settings), OnLoop(AsyncAuthorityIndex(**settings), loop)
        self.addCleanup(on_loop.close)
        self.addCleanup(threaded.close)
        return {"threads": threaded, "asyncio": on_loop}

    def balance_micro_usd(self):
        """What the account has after a search of 0.001 USD."""
        with AuthorityIndex(PLACE["key"], PLACE["address"]) as client:
            return round(client.with_response.search("rust").balance * 1e6)


def shown(data):
    return getattr(data, "body", data)


class Broken(Service):
    def test_every_operation_is_answered_rightly_and_charged_once(self):
        for kind, client in self.clients(base_url=PLACE["faults"], timeout_s=TIMEOUT_S, retry_budget=1).items():
            control({"queue": [], "otherwise": {"kind": "none"}})
            before, balance = control(), self.balance_micro_usd()
            calls = faults = price_micro_usd = 0
            for name, call in every_operation().items():
                first = call(client.with_response)
                asked = 1
                for fault in every_fault(control()["lengths"]):
                    control({"queue": [fault]})
                    with self.subTest(kind=kind, operation=name, fault=fault):
                        self.assertEqual(shown(call(client)), shown(first.data))
                    asked += 1
                # The last fault ends the connection in a moment: a question that meets that is asked again, and free.
                call(client)
                asked += 1
                calls += asked
                faults += asked - 1
                price_micro_usd += asked * round(first.cost * 1e6)
            control({"queue": []})
            extra = control()["exchanges"] - before["exchanges"] - calls
            # The second balance is that after a search of its own.
            self.assertEqual(balance - self.balance_micro_usd() - 1_000, price_micro_usd)
            self.assertGreater(extra, faults / 4)
            self.assertLessEqual(extra, 2 * faults)
            print(json.dumps({"kind": kind, "calls": calls, "faults": faults, "extra": extra}))


class Straight(Service):
    def test_the_first_example_runs(self):
        if pandas is None:
            self.skipTest("pandas is missing")
        example = re.search(r"```python\n(.*?)```", README.read_text(), re.S).group(1)
        frame = {}
        place = {"AUTHORITY_INDEX_KEY": PLACE["key"], "AUTHORITY_INDEX_URL": PLACE["address"]}
        with unittest.mock.patch.dict(os.environ, place):
            exec(example, frame)
        frame["client"].close()
        self.assertEqual(list(frame["frame"]["authority"][:2]), [45.74, 100.0])

    def test_scores_have_the_shape_of_their_sources_and_each_source_one_price(self):
        sources = ["@SenCapito", "github:davidtwco", "nobody-at-all", "@SenCapito", " ", None]
        expected = [45.74, 100.0, None, 45.74, None, None]

        def same(scores):
            return [None if score is None or math.isnan(score) else score for score in scores] == expected

        for client in self.clients().values():
            whole = client.with_response.scores(sources)
            self.assertTrue(same(whole.data))
            self.assertAlmostEqual(whole.cost, 0.003)
            self.assertEqual(len(client.scores([])), 0)
            if pandas is not None:
                series = client.scores(pandas.Series(sources, index=list("abcdef")))
                self.assertTrue(same(series))
                self.assertEqual((list(series.index), str(series.dtype)), (list("abcdef"), "float64"))
            if polars is not None:
                series = client.scores(polars.Series("url", sources))
                self.assertEqual((series.to_list(), series.dtype), (expected, polars.Float64))

    def test_pages_awaited_are_the_first_and_iterated_all(self):
        first = plainly("/api/v1/index?query=rust&limit=50")
        client = self.clients()["threads"]
        page = client.search("rust", limit=50)
        self.assertEqual(page.results, first)
        self.assertEqual(len({each["sdu"] for each in page}), page.total)

        async def all_of():
            async with AsyncAuthorityIndex(PLACE["key"], PLACE["address"]) as client:
                self.assertEqual((await client.search("rust", limit=50)).results, first)
                return [each["sdu"] async for each in client.search("rust", limit=50)]

        self.assertEqual(len(asyncio.run(all_of())), page.total)

    def test_a_long_list_has_the_order_that_one_body_gives(self):
        people = plainly("/api/v1/index?query=health&limit=50&fields=socials")
        some = [f"{platform}:{each['handle']}" for one in people for platform, each in one["socials"].items()][:900]
        long = some + [f"github:unowned{number}" for number in range(2_500 - len(some))]
        for topic in (None, "Health"):
            params = {} if topic is None else {"topic": topic}
            direct = plainly("/api/v1/rank", {"sources": some, **params})
            known = [each for each in direct if each["sdu"] is not None]
            for client in self.clients().values():
                whole = client.with_response.rank(long, **params)
                self.assertEqual(whole.data[: len(known)], known)
                self.assertEqual(sorted(each["index"] for each in whole.data), list(range(2_500)))
                aligned = client.rank(long, aligned=True, fields=["name"], **params)
                self.assertEqual([each["source"] for each in aligned], long)
                self.assertEqual({"source", "name", "reason", "index", "position"}, set(aligned[0]))

    def test_errors_have_the_class_of_their_status(self):
        for client in self.clients().values():
            with self.assertRaises(BadRequestError):
                client.detail("not-a-number")
            with self.assertRaises(NotFoundError):
                client.snapshot("0" * 32)

    def test_a_forked_process_has_connections_of_its_own(self):
        client = self.clients()["threads"]
        expected = client.match("@SenCapito")
        answers = multiprocessing.get_context("fork").SimpleQueue()

        def asked():
            answers.put([client.match("@SenCapito") == expected for _ in range(20)])

        child = multiprocessing.get_context("fork").Process(target=asked)
        child.start()
        own = [client.match("@SenCapito") == expected for _ in range(20)]
        child.join(30)
        self.assertEqual((own, answers.get()), ([True] * 20, [True] * 20))
