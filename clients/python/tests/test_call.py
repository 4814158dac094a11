"""What a call does with each outcome of an attempt: no network, and a clock that moves only when the call waits."""

import json
import unittest
from email.utils import formatdate
from types import SimpleNamespace

from authority_index import failures
from authority_index.call import AttemptTimedOut, Caller, CallOptions, Send, Wait, WireAnswer, WireFailure
from authority_index.policy import RetryBudget, kept_s, retry_after_s
from authority_index.questions import get_question, post_question

WHOLE = WireAnswer(200, {}, b'{"results":[]}')


def refusal(status, code, **headers):
    problem = {"type": f"urn:authority-index:problem:{code}", "title": "T", "detail": "why", "oldest": "s1"}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return WireAnswer(status, sent, json.dumps(problem).encode())


class Drive:
    """Performs steps with scripted outcomes."""

    def __init__(self, outcomes, **options):
        self.clock = SimpleNamespace(now=0.0)
        settings = {"deadline_s": 2.0, "retries": 3, "retry_budget": 0.1, "random": lambda: 1.0, **options}
        addresses = settings.pop("addresses", ["http://one.test"])
        self.caller = Caller(addresses, lambda: "aik_1", now=lambda: self.clock.now, **settings)
        self.outcomes = list(outcomes)
        self.sent = []
        self.waits = []

    def ask(self, question=None, options=CallOptions()):
        steps = self.caller.ask(question or get_question("search", {"query": "rust"}), options)
        act = lambda: next(steps)
        while True:
            try:
                step = act()
            except StopIteration as end:
                return end.value
            if isinstance(step, Wait):
                self.waits.append(step.seconds)
                self.clock.now += step.seconds
                act = lambda: next(steps)
                continue
            assert isinstance(step, Send)
            self.sent.append(step)
            outcome = self.outcomes.pop(0)
            if isinstance(outcome, AttemptTimedOut):
                self.clock.now += step.timeout_s
            if isinstance(outcome, Exception):
                act = lambda: steps.throw(outcome)
            else:
                act = lambda: steps.send(outcome)


class Retries(unittest.TestCase):
    def test_a_refusal_that_passes_is_repeated_under_the_same_key(self):
        for status, code in [(408, "request-timeout"), (409, "x"), (429, "rate-limited"), (503, "overloaded")]:
            drive = Drive([refusal(status, code), WHOLE])
            drive.ask()
            keys = {step.headers["Idempotency-Key"] for step in drive.sent}
            self.assertEqual((len(drive.sent), len(keys), drive.waits), (2, 1, [0.05]))

    def test_a_refusal_that_stays_is_raised_at_once_with_its_class_and_request_id(self):
        for code, status in [("invalid-parameter", 400), ("unauthorized", 401), ("idempotency-key-reused", 422)]:
            drive = Drive([refusal(status, code, x_request_id="r1")])
            with self.assertRaises(failures.ERROR_CLASSES[code]) as raised:
                drive.ask()
            error = raised.exception
            self.assertEqual((error.code, error.status, error.request_id, error.attempts), (code, status, "r1", 1))
            self.assertEqual(error.idempotency_key, drive.sent[0].headers["Idempotency-Key"])
            self.assertIn("r1", str(error))

    def test_a_500_is_repeated_only_if_it_says_so(self):
        with self.assertRaises(failures.InternalServiceError):
            Drive([refusal(500, "internal-error")]).ask()
        Drive([refusal(500, "internal-error", retry_after="0"), WHOLE]).ask()

    def test_retry_after_is_honoured_unless_it_passes_the_deadline(self):
        drive = Drive([refusal(503, "overloaded", retry_after="1"), WHOLE])
        drive.ask()
        self.assertEqual(drive.waits, [1.05])
        drive = Drive([refusal(503, "overloaded", retry_after="3")])
        with self.assertRaises(failures.OverloadedError) as raised:
            drive.ask()
        self.assertEqual((raised.exception.retry_after, drive.waits), (3.0, []))

    def test_a_reused_connection_that_was_dead_is_replaced_at_once_and_once(self):
        stale = WireFailure("reset", was_reused=True)
        drive = Drive([stale, WHOLE])
        drive.ask()
        self.assertEqual((drive.waits, [step.is_fresh for step in drive.sent]), ([], [False, True]))
        drive = Drive([stale, stale, WHOLE])
        drive.ask()
        self.assertEqual(len(drive.waits), 1)

    def test_a_connection_that_died_within_the_answer_waits_first(self):
        drive = Drive([WireFailure("reset", was_reused=True, has_begun=True), WHOLE])
        drive.ask()
        self.assertEqual(len(drive.waits), 1)

    def test_an_attempt_that_hangs_leaves_half_of_the_time(self):
        drive = Drive([AttemptTimedOut("late"), WHOLE])
        drive.ask()
        self.assertEqual([step.timeout_s for step in drive.sent], [1.0, (2.0 - 1.0 - 0.05) / 2])

    def test_nothing_is_sent_after_the_deadline(self):
        drive = Drive([AttemptTimedOut("late")] * 9)
        with self.assertRaises(failures.DeadlineExceededError):
            drive.ask(options=CallOptions(deadline_s=0.3))
        self.assertLessEqual(drive.clock.now, 0.3)
        self.assertEqual(len(drive.sent), 2)

    def test_waits_double_and_stay_below_the_most(self):
        drive = Drive([refusal(503, "overloaded")] * 8, retries=7, deadline_s=60)
        with self.assertRaises(failures.OverloadedError):
            drive.ask()
        self.assertEqual(drive.waits, [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0])

    def test_a_retry_goes_to_another_address(self):
        drive = Drive([WireFailure("refused"), WHOLE, WHOLE], addresses=["http://one.test", "http://two.test"])
        drive.ask()
        drive.ask()
        self.assertEqual([step.address[7:10] for step in drive.sent], ["one", "two", "two"])

    def test_an_answer_that_cannot_be_read_is_asked_for_again(self):
        for body in [b'{"results":[', b'{"results":["\x00"]}', b"[]", b"\xff"]:
            drive = Drive([WireAnswer(200, {}, body), WHOLE])
            drive.ask()
            self.assertEqual(len(drive.sent), 2)

    def test_an_outage_has_hardly_more_requests_than_calls(self):
        drive = Drive([WireFailure("refused")] * 2_000)
        for _ in range(1_000):
            with self.assertRaises(failures.ConnectionFailedError):
                drive.ask()
        self.assertEqual(len(drive.sent), 1_020)

    def test_a_tenth_of_the_answered_calls_may_be_retries(self):
        budget = RetryBudget(0.1)
        while budget.take():
            pass
        for _ in range(25):
            budget.earn()
        self.assertEqual([budget.take() for _ in range(3)], [True, True, False])

    def test_what_is_free_has_no_idempotency_key(self):
        drive = Drive([WHOLE, WHOLE])
        drive.ask(get_question("topics", {}))
        drive.ask(post_question("rank", {"sources": ["ann"]}), CallOptions(idempotency_key="k1"))
        keys = [step.headers.get("Idempotency-Key") for step in drive.sent]
        self.assertEqual(keys, [None, "k1"])

    def test_members_of_a_problem_are_those_of_its_error(self):
        with self.assertRaises(failures.ChangesGoneError) as raised:
            Drive([refusal(410, "changes-gone")]).ask()
        self.assertEqual(raised.exception.oldest, "s1")


class Headers(unittest.TestCase):
    def test_retry_after_is_seconds_or_a_date(self):
        self.assertEqual(retry_after_s({"retry-after": "7"}, 0), 7.0)
        self.assertEqual(retry_after_s({"retry-after": formatdate(1_000_060, usegmt=True)}, 1_000_000), 60.0)
        self.assertEqual(retry_after_s({"retry-after": formatdate(999_000, usegmt=True)}, 1_000_000), 0.0)
        self.assertIsNone(retry_after_s({"retry-after": "soon"}, 0))
        self.assertIsNone(retry_after_s({}, 0))

    def test_a_connection_is_used_for_as_long_as_its_server_says_less_a_margin(self):
        self.assertEqual(kept_s({"keep-alive": "timeout=8"}), 7.0)
        self.assertEqual(kept_s({"keep-alive": "timeout=1"}), 0.5)
        self.assertEqual(kept_s({}), 4.0)
        self.assertEqual(kept_s({"connection": "close", "keep-alive": "timeout=8"}), 0.0)
