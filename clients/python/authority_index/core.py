"""Between the methods and the wire: one question with its price, values as batches, long lists as parts.

Generators of steps, as in call.py: a driver performs them. Invariant: an answer is the same whether it was asked for
alone, with others, or in parts.
"""

from __future__ import annotations

import dataclasses
import random as system_random
import time
import uuid
from itertools import count
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union, cast

from .answers import Answer
from .call import Caller, CallOptions, Steps, Together
from .contract import AccountView
from .failures import (
    ClientError,
    FailureFacts,
    InsufficientBalanceError,
    InvalidParameterError,
    PayloadTooLargeError,
    RefusedError,
)
from .lists import merged_ranks, owners_by_handle, possible_spellings, with_ordering
from .questions import (
    PATHS,
    VALUES,
    Question,
    are_profiles,
    body_parts,
    get_question,
    post_question,
    profiles_max,
    values_of,
)
from .spending import Spending

# How often parts of a list are asked again until one snapshot has answered them all.
_ROUNDS_MAX = 4
_OPTIONS = [field.name for field in dataclasses.fields(CallOptions)]
# Errors that one value of a batch brings upon the others.
_OF_ONE_VALUE = (InvalidParameterError, InsufficientBalanceError, PayloadTooLargeError)

Outcome = Union[Answer[Any], ClientError]
Members = Mapping[str, Any]
Answers = List[Answer[Any]]


class Core:
    """Turns what methods take into steps. `Client` says what the parameters are."""

    def __init__(
        self,
        base_url: Union[str, Sequence[str]],
        api_key: Union[str, Callable[[], str]],
        *,
        deadline_s: float = 2.0,
        retries: int = 3,
        retry_budget: float = 0.1,
        parts_at_once: int = 4,
        max_cost_usd: Optional[float] = None,
        on_balance_below: Optional[Tuple[float, Callable[[float], None]]] = None,
        now: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = system_random.random,
    ) -> None:
        addresses = [base_url] if isinstance(base_url, str) else list(base_url)
        if not addresses:
            raise ValueError("base_url has no address")
        self.caller = Caller(
            addresses,
            api_key if callable(api_key) else lambda: str(api_key),
            deadline_s=deadline_s,
            retries=retries,
            retry_budget=retry_budget,
            now=now,
            random=random,
        )
        self.spending = Spending(max_cost_usd, on_balance_below)
        self._parts_at_once = parts_at_once
        self._prices: Optional[Dict[str, float]] = None

    def account(self, days: Optional[int] = None) -> Steps[AccountView]:
        """The account of the key."""
        target = "/api/v1/account" if days is None else f"/api/v1/account?days={days}"
        reply = yield from self.caller.ask(Question("GET", target, None, False))
        return cast(AccountView, reply.members["results"][0])

    def prices(self) -> Steps[Dict[str, float]]:
        """USD of one request or value, by operation, as the service publishes them."""
        if self._prices is None:
            reply = yield from self.caller.ask(Question("GET", "/openapi.json", None, False))
            paths = reply.members["paths"]
            described = {route: paths.get(path, {}) for route, path in PATHS.items()}
            self._prices = {
                route: (methods.get("get") or methods.get("post") or {}).get("x-price-usd", 0.0)
                for route, methods in described.items()
            }
        return self._prices

    def get(self, route: str, params: Members) -> Steps[Answer[Any]]:
        """A GET; `params` have the options of the call, too."""
        members, options = _parted(params)
        question = get_question(route, members)
        return (yield from self._ask(route, values_of(route, members), members, question, options))

    def values(self, route: str, values: Union[str, Sequence[str]], params: Members) -> Steps[Answer[Any]]:
        """One value, or a list of any length in parts that one snapshot answers."""
        if isinstance(values, str):
            members, options = _parted(params)
            return (yield from self._batch(route, [values], members, options))[0]
        return (yield from self._list(route, list(values), params))

    def each(self, route: str, values: Sequence[str], params: Members) -> Steps[List[Outcome]]:
        """An answer or an error for each value, as it has alone; equal values are asked for once."""
        members, options = _parted(params)
        different = list(dict.fromkeys(values))
        options = yield from self._of_parts(route, len(different), members, options)
        # Each request is a question of its own, so none can have the key of another.
        options = dataclasses.replace(options, idempotency_key=None)
        plain = [value for value in different if "," not in value]
        parts = [*body_parts(plain), *([value] for value in different if "," in value)]
        steps = [self._settled(route, part, members, options) for part in parts]
        answered = yield Together(steps, self._parts_at_once)
        by_value = {value: outcome for part, all in zip(parts, answered) for value, outcome in zip(part, all)}
        return [by_value[value] for value in values]

    def _settled(
        self, route: str, part: List[str], members: Members, options: CallOptions
    ) -> Steps[List[Outcome]]:
        """Answers values; where one value spoils it, its halves."""
        try:
            return list((yield from self._batch(route, part, members, options)))
        except ClientError as error:
            if len(part) == 1 or not isinstance(error, _OF_ONE_VALUE):
                return [error for _ in part]
        half = len(part) // 2
        first = yield from self._settled(route, part[:half], members, options)
        return first + (yield from self._settled(route, part[half:], members, options))

    def _list(self, route: str, values: List[str], params: Members) -> Steps[Answer[Any]]:
        members, options = _parted(params)
        options = yield from self._of_parts(route, len(values), members, options)
        parts = body_parts(values) or [[]]
        sent = with_ordering(members) if route == "rank" and len(parts) > 1 else members
        key = options.idempotency_key or str(uuid.uuid4())

        def ask(index: int) -> Steps[Answer[Any]]:
            part_key = key if len(parts) == 1 else f"{key[:56]}-{index}"
            return self._post(route, parts[index], sent, dataclasses.replace(options, idempotency_key=part_key))

        answers = yield Together([ask(index) for index in range(len(parts))], self._parts_at_once)
        for turn in count(1):
            late = [index for index, each in enumerate(answers) if each.snapshot != answers[-1].snapshot]
            if not late:
                break
            if turn == _ROUNDS_MAX:
                facts = FailureFacts(answers[-1].request_id, len(parts), key)
                raise ClientError("snapshot-changing", "no snapshot answered all parts", facts)
            # The same key again: the answer is that of now, and free.
            again = yield Together([ask(index) for index in late], self._parts_at_once)
            for index, answer in zip(late, again):
                answers[index] = dataclasses.replace(answer, cost=answers[index].cost + answer.cost)
        return answers[0] if len(parts) == 1 else _joined(route, parts, answers, members)

    def _batch(self, route: str, values: List[str], members: Members, options: CallOptions) -> Steps[Answers]:
        """Values that each were asked for alone, one answer for each."""
        if len(values) == 1 and route != "rank":
            others = {name: value for name, value in members.items() if name != "aligned"}
            question = get_question(route, {VALUES[route]: values[0], **others})
            number = values[0].count(",") + 1
            return [(yield from self._ask(route, number, members, question, options))]
        if route == "match":
            return (yield from self._owners(values, members, options))
        if route == "detail":
            answer = yield from self._post(route, values, {**members, "aligned": True}, options)
            return _shares(answer, [[] if item is None else [item] for item in answer.results])
        answer = yield from self._post(route, values, members, options)
        lists: List[List[Any]] = [[] for _ in values]
        for item in answer.results:
            alone = {"index": 0, "position": 1} if "position" in item else {"index": 0}
            lists[item["index"]].append({**item, **alone})
        return _shares(answer, lists)

    def _owners(self, handles: List[str], members: Members, options: CallOptions) -> Steps[Answers]:
        """The owners of each handle; of several spellings of one handle, too."""
        others = {name: value for name, value in members.items() if name != "aligned"}
        answer = yield from self._post("match", handles, others, options)
        owners = owners_by_handle(handles, answer.results)
        unclear = possible_spellings(owners)
        answers = dict(zip(owners, _shares(answer, list(owners.values()))))
        if unclear and not (yield from self._were_all_different(answer, len(handles), members)):
            again = yield from self._batch("match", unclear, members, options)
            answers.update(zip(unclear, again))
        return [answers[handle] for handle in handles]

    def _were_all_different(self, answer: Answer[Any], number: int, members: Members) -> Steps[bool]:
        """Whether so many values were charged as were sent, so that no two were spellings of one."""
        if answer.cost == 0 or answer.is_replay:
            return False
        prices = yield from self.prices()
        profiles = len(answer.results) if are_profiles("match", members) else 0
        return round(answer.cost * 1e6) == round((prices["match"] * number + prices["detail"] * profiles) * 1e6)

    def _post(
        self, route: str, values: Sequence[str], members: Members, options: CallOptions
    ) -> Steps[Answer[Any]]:
        question = post_question(route, {VALUES[route]: list(values), **members})
        return self._ask(route, len(values), members, question, options)

    def _ask(
        self, route: str, number: int, members: Members, question: Question, options: CallOptions
    ) -> Steps[Answer[Any]]:
        price = yield from self._price(route, number, members, options)
        reserved = self.spending.reserve(price, options.max_cost_usd)
        is_known = False
        try:
            reply = yield from self.caller.ask(question, options)
            answer = _answer_of(reply.headers, reply.members)
            self.spending.charge(answer.cost, answer.balance)
            is_known = True
            return answer
        except RefusedError:
            is_known = True
            raise
        finally:
            self.spending.release(reserved, is_known)

    def _price(self, route: str, number: int, members: Members, options: CallOptions) -> Steps[float]:
        """USD; 0 where nothing is limited."""
        if not self.spending.is_limited and options.max_cost_usd is None:
            return 0.0
        prices = yield from self.prices()
        return prices[route] * number + prices["detail"] * profiles_max(route, members, number)

    def _of_parts(
        self, route: str, number: int, members: Members, options: CallOptions
    ) -> Steps[CallOptions]:
        """Checks the price of a whole list; gives the options of its parts."""
        price = yield from self._price(route, number, members, options)
        self.spending.check(price, options.max_cost_usd)
        return dataclasses.replace(options, max_cost_usd=None)


def _answer_of(headers: Mapping[str, str], members: Members) -> Answer[Any]:
    balance = headers.get("x-balance-usd")
    known = ("results", "duration", "request_id")
    return Answer(
        results=members.get("results", []),
        cost=float(headers.get("x-cost-usd", 0)),
        balance=None if balance is None else float(balance),
        snapshot=headers.get("x-snapshot-id", ""),
        request_id=headers.get("x-request-id", ""),
        is_replay=headers.get("idempotent-replay") == "true",
        way=headers.get("x-search-way", ""),
        more={name: value for name, value in members.items() if name not in known},
    )


def _parted(params: Members) -> Tuple[Dict[str, Any], CallOptions]:
    """Members of a question, and the options of its call."""
    members = {name: value for name, value in params.items() if name not in _OPTIONS}
    return members, CallOptions(**{name: params[name] for name in _OPTIONS if name in params})


def _shares(answer: Answer[Any], lists: Sequence[List[Any]]) -> Answers:
    """One answer for each of several lists of items; the cost in equal shares."""
    cost = answer.cost / len(lists)
    return [dataclasses.replace(answer, cost=cost, results=results) for results in lists]


def _joined(
    route: str, parts: Sequence[Sequence[str]], answers: Answers, members: Members
) -> Answer[Any]:
    lists = [answer.results for answer in answers]
    results = [item for items in lists for item in items]
    if route == "rank":
        results = merged_ranks([len(part) for part in parts], lists, members)
    balances = [answer.balance for answer in answers if answer.balance is not None]
    return dataclasses.replace(
        answers[-1],
        results=results,
        cost=sum(answer.cost for answer in answers),
        balance=min(balances, default=None),
    )


def checked(outcomes: List[Outcome], return_errors: bool) -> Any:
    """The outcomes; raises the first error unless errors are to be among them."""
    errors = [outcome for outcome in outcomes if isinstance(outcome, ClientError)]
    if errors and not return_errors:
        raise errors[0]
    return outcomes
