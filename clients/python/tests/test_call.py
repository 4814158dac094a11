"""What a call does with each outcome of an attempt, by both clients: answers are made up, and waits are not waited for."""

import asyncio
import inspect
import json
import os
import time
import unittest
from email.utils import formatdate
from unittest import mock

import httpx

import authority_index
from authority_index import APIError, AsyncAuthorityIndex, AuthorityIndex
from authority_index.lists import body_parts, merged_ranks
from authority_index.retries import RetryBudget, retry_after_s

DEAD = httpx.RemoteProtocolError("Server disconnected without sending a response.")


def answer(results=(), **headers):
    sent = {"X-Request-Id": "r1", "X-Cost-Usd": "0.001", "X-Snapshot-Id": "s1", **headers}
    return httpx.Response(200, headers=sent, json={"duration": 0, "results": list(results)})


def refusal(status, code, **headers):
    problem = {"type": f"urn:authority-index:problem:{code}", "detail": f"it is {code}", "cost_usd": 0.05}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, headers={"X-Request-Id": "r2", **sent}, json=problem)


class Scene:
    """A client whose attempts end as a list says; the last outcome stands for all behind it."""

    def __init__(self, is_async, outcomes, **options):
        self.sent, self.waits = [], []
        self._outcomes = list(outcomes)
        self._is_async = is_async
        http = (httpx.AsyncClient if is_async else httpx.Client)(transport=httpx.MockTransport(self._respond))
        kind = AsyncAuthorityIndex if is_async else AuthorityIndex
        self.client = kind("aik_1", "http://one.test/", http_client=http, **options)

    def _respond(self, request):
        self.sent.append(request)
        outcome = self._outcomes[min(len(self.sent), len(self._outcomes)) - 1]
        if isinstance(outcome, Exception):
            raise outcome
        return httpx.Response(outcome.status_code, headers=outcome.headers, content=outcome.content)

    def call(self, name, *words, **params):
        """Calls a method, or one of `with_response`."""
        owner = self.client
        for part in name.split(".")[:-1]:
            owner = getattr(owner, part)
        method = getattr(owner, name.split(".")[-1])

        async def asleep(seconds):
            self.waits.append(seconds)

        with mock.patch("random.random", lambda: 1.0), mock.patch("asyncio.sleep", asleep), mock.patch(
            "time.sleep", self.waits.append
        ):
            if not self._is_async:
                return method(*words, **params)

            async def called():
                return await method(*words, **params)

            return asyncio.run(called())

    def keys(self):
        return [request.headers.get("idempotency-key") for request in self.sent]


class Calls(unittest.TestCase):
    def scenes(self, outcomes, **options):
        for is_async in (False, True):
            with self.subTest(is_async=is_async):
                yield Scene(is_async, outcomes, **options)

    def test_a_refusal_that_passes_is_repeated_under_the_same_key(self):
        for status, code in [(408, "request-timeout"), (409, "x"), (429, "rate-limited"), (503, "overloaded")]:
            for scene in self.scenes([refusal(status, code), answer()]):
                scene.call("search", "rust")
                self.assertEqual((len(scene.keys()), len(set(scene.keys())), scene.waits), (2, 1, [0.05]))

    def test_a_refusal_that_stays_is_raised_at_once_by_the_class_of_its_status(self):
        for status, code, kind in [
            (400, "invalid-parameter", "BadRequestError"),
            (401, "unauthorized", "AuthenticationError"),
            (402, "cap-reached", "InsufficientBalanceError"),
            (404, "no-such-snapshot", "NotFoundError"),
            (403, "key-restricted", "APIError"),
            (500, "internal-error", "APIError"),
        ]:
            for scene in self.scenes([refusal(status, code)]):
                with self.assertRaises(APIError) as raised:
                    scene.call("search", "rust")
                error = raised.exception
                self.assertIs(type(error), getattr(authority_index, kind))
                self.assertEqual((error.code, error.status, error.request_id, error.attempts), (code, status, "r2", 1))
                self.assertEqual((error.problem["cost_usd"], error.idempotency_key), (0.05, scene.keys()[0]))
                self.assertEqual(str(error), f"it is {code} (request r2)")

    def test_retry_after_is_honoured_unless_it_passes_the_time_of_the_call(self):
        for scene in self.scenes([refusal(500, "internal-error", retry_after="1"), answer()]):
            scene.call("search", "rust")
            self.assertEqual(scene.waits, [1.05])
        for scene in self.scenes([refusal(429, "rate-limited", retry_after="3")]):
            with self.assertRaises(authority_index.RateLimitError) as raised:
                scene.call("search", "rust", timeout_s=2)
            self.assertEqual((raised.exception.headers["retry-after"], scene.waits), ("3", []))

    def test_a_connection_that_had_answered_and_is_dead_is_replaced_at_once_and_once(self):
        for scene in self.scenes([answer(), DEAD, answer(), DEAD], max_retries=0):
            scene.call("topics")
            scene.call("topics")
            with self.assertRaises(ConnectionError) as raised:
                scene.call("topics")
            self.assertIsInstance(raised.exception, authority_index.ConnectionError)
            self.assertEqual((raised.exception.code, scene.waits, len(scene.sent)), ("connection-failed", [], 5))

    def test_waits_double_and_stay_below_the_most(self):
        for scene in self.scenes([refusal(503, "overloaded")], max_retries=7, timeout_s=60):
            with self.assertRaises(APIError):
                scene.call("search", "rust")
            self.assertEqual(scene.waits, [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0])

    def test_an_attempt_that_hangs_leaves_half_of_the_time_and_the_last_takes_the_rest(self):
        for scene in self.scenes([httpx.ReadTimeout("late")], max_retries=1, timeout_s=2):
            with self.assertRaises(TimeoutError) as raised:
                scene.call("search", "rust")
            self.assertEqual((raised.exception.code, raised.exception.attempts), ("timeout", 2))
        scene = Scene(False, [httpx.ReadTimeout("late")], max_retries=1, timeout_s=2)
        with self.assertRaises(TimeoutError):
            scene.call("search", "rust")
        first, last = [request.extensions["timeout"]["read"] for request in scene.sent]
        self.assertAlmostEqual(first, 1, delta=0.2)
        self.assertAlmostEqual(last, 2, delta=0.2)

    def test_an_answer_that_cannot_be_read_is_asked_for_again(self):
        for body in [b'{"results":[', b'{"results":["\x00"]}', b"[]", b"\xff"]:
            for scene in self.scenes([httpx.Response(200, content=body), answer()]):
                scene.call("search", "rust")
                self.assertEqual(len(scene.sent), 2)

    def test_an_outage_has_hardly_more_requests_than_calls(self):
        for scene in self.scenes([httpx.ConnectError("refused")]):
            for _ in range(100):
                with self.assertRaises(ConnectionError):
                    scene.call("search", "rust")
            self.assertEqual(len(scene.sent), 120)

    def test_what_is_free_has_no_idempotency_key(self):
        for scene in self.scenes([answer([{}])]):
            scene.call("topics")
            scene.call("account", days=2)
            scene.call("rank", ["ann"], idempotency_key="k1")
            self.assertEqual(scene.keys(), [None, None, "k1"])
            self.assertEqual(str(scene.sent[1].url), "http://one.test/api/v1/account?days=2")

    def test_lists_are_aligned_and_queries_repeat_parameters(self):
        for scene in self.scenes([answer([{"name": "Ann"}, None], **{"X-Balance-Usd": "9"})]):
            whole = scene.call("with_response.match", ["a", "b"], fields=["name"])
            self.assertEqual((whole.data, whole.cost, whole.balance), ([{"name": "Ann"}, None], 0.001, 9.0))
            self.assertEqual((whole.snapshot, whole.request_id), ("s1", "r1"))
            self.assertEqual(scene.call("match", "a"), {"name": "Ann"})
            body = json.loads(scene.sent[0].content)
            self.assertEqual(body, {"handles": ["a", "b"], "fields": ["name"], "aligned": True})
            scene.call("search", "a,b", country=["a,b", "c"], related=False, topic=None)
            query = scene.sent[2].url.query.decode()
            self.assertEqual(query, "cursor=*&query=a,b&country=a%2Cb&country=c&related=false".replace("*", "%2A"))

    def test_a_list_that_no_snapshot_answers_is_asked_again_under_the_same_keys(self):
        answers = [answer(**{"X-Snapshot-Id": f"s{number}"}) for number in range(9)]
        for scene in self.scenes(answers):
            with self.assertRaises(APIError) as raised:
                scene.call("match", [f"h{number}" for number in range(1_500)])
            self.assertEqual((raised.exception.code, len(set(scene.keys()))), ("snapshot-changing", 2))

    def test_the_key_and_the_address_come_from_the_environment(self):
        with mock.patch.dict(os.environ, {"AUTHORITY_INDEX_KEY": ""}), self.assertRaises(ValueError):
            AuthorityIndex()
        with self.assertRaises(ValueError):
            AuthorityIndex("aik_1", "one.test")
        place = {"AUTHORITY_INDEX_KEY": "aik_2", "AUTHORITY_INDEX_URL": "https://two.test/base/"}
        seen = []
        http = httpx.Client(transport=httpx.MockTransport(lambda request: seen.append(request) or answer()))
        with mock.patch.dict(os.environ, place):
            AuthorityIndex(http_client=http).topics()
        self.assertEqual(str(seen[0].url), "https://two.test/base/api/v1/topics?cursor=%2A")
        self.assertEqual(seen[0].headers["authorization"], "Bearer aik_2")

    def test_an_id_that_is_a_step_of_a_path_is_refused(self):
        for scene in self.scenes([answer()]):
            for id in ["..", "", "a/b", "%2e", "a\n"]:
                with self.assertRaises(ValueError):
                    scene.client.snapshot(id)

    def test_both_have_the_same_methods_and_options(self):
        for name in ("__init__", "close"):
            words = [list(inspect.signature(getattr(kind, name)).parameters) for kind in (AuthorityIndex, AsyncAuthorityIndex)]
            self.assertEqual(words[0], words[1])


class Parts(unittest.TestCase):
    def test_parts_fit_into_bodies_and_keep_their_order(self):
        values = [f"h{number}" for number in range(2_500)] + ["é" * 70_000, "x" * 140_000, "y"]
        parts = body_parts(values)
        self.assertEqual([value for part in parts for value in part], values)
        for part in parts:
            self.assertLessEqual(len(part), 1_000)
            self.assertLess(len(json.dumps({"handles": part}, ensure_ascii=False).encode()), 256 * 1024)

    def test_merged_ranks_are_by_rank_then_score_then_sdu(self):
        def item(index, sdu, score, rank):
            return {"index": index, "sdu": sdu, "authority_score": score, "rank": rank}

        parts = [[item(1, "9", 2.0, None), item(0, None, None, None)], [item(0, "10", 2.0, None), item(1, "7", 1.0, 3)]]
        self.assertEqual([each["index"] for each in merged_ranks([2, 2], parts, {"topic": "Rust"})], [3, 1, 2, 0])
        aligned = merged_ranks([2, 2], parts, {"aligned": True, "fields": ["name"]})
        self.assertEqual(aligned, [{"index": at, "position": place} for at, place in enumerate([4, 1, 2, 3])])

    def test_retry_after_is_seconds_or_a_date(self):
        of = lambda text: retry_after_s(httpx.Response(503, headers={"Retry-After": text}))
        self.assertEqual((of("7"), of("soon"), of(formatdate(0, usegmt=True))), (7.0, 0.0, 0.0))
        self.assertAlmostEqual(of(formatdate(time.time() + 60, usegmt=True)), 60, delta=2)

    def test_a_tenth_of_the_answered_calls_may_be_retries(self):
        budget = RetryBudget(0.1)
        while budget.take():
            pass
        for _ in range(25):
            budget.earn()
        self.assertEqual([budget.take() for _ in range(3)], [True, True, False])
