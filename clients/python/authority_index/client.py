"""The clients: `AuthorityIndex` for threads, `AsyncAuthorityIndex` for asyncio. Both have the same methods, of which the
one returns what the other's can be awaited for. Parameters of methods are those of the HTTP API, beside `timeout_s` and
`idempotency_key`.
"""

from __future__ import annotations

import copy
import json
import math
import os
import re
import uuid
from dataclasses import replace
from typing import Any, Callable, Coroutine, Dict, Generic, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union
from urllib.parse import quote

import httpx

from .call import Answer, Caller, Options
from .lists import answered_parts, body_parts, joined, merged_ranks, with_ordering
from .pages import AsyncPages, Page
from .scores import scores_like, texts_of
from .transport import AsyncTransport, BlockingTransport, Transport

Values = Union[str, Sequence[str]]
Self = TypeVar("Self", bound="_Methods[Any]")
Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)
Call = Coroutine[Any, Any, Answer[Any]]

_LIST_NAMES = {"match": "handles", "detail": "sdus", "rank": "sources"}
# Operations without a price unless the operator sets one: they carry no idempotency key.
_FREE = ("autocomplete", "topics", "snapshots", "account")


class _Methods(Generic[Http]):
    """The operations, and the options of clients.

    `api_key` and `base_url` are those of the environment variables `AUTHORITY_INDEX_KEY` and `AUTHORITY_INDEX_URL`
    unless they are given; the address is else that of this machine. `timeout_s` is for a whole call with its retries,
    `max_retries` for one call, `retry_budget` the share of answered calls that may be retries. `http_client` sends
    requests in the place of a client of its own: for proxies, certificates and hooks.
    """

    _transport_class: Any

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout_s: float = 10.0,
        max_retries: int = 3,
        retry_budget: float = 0.1,
        http_client: Optional[Http] = None,
    ) -> None:
        key = api_key or os.environ.get("AUTHORITY_INDEX_KEY")
        if not key:
            raise ValueError("no key: give api_key or set AUTHORITY_INDEX_KEY")
        address = base_url or os.environ.get("AUTHORITY_INDEX_URL") or "http://127.0.0.1:8080"
        if not re.match(r"https?://[^/]", address):
            raise ValueError(f"base_url is no address: {address}")
        self._timeout_s = timeout_s
        self._transport: Transport = self._transport_class(address.rstrip("/"), http_client)
        self._caller = Caller(self._transport, key, max_retries, retry_budget)
        self._is_whole = False

    @property
    def with_response(self: Self) -> Self:
        """The same client, whose methods give an `Answer`: the data with cost, balance, snapshot and response."""
        other = copy.copy(self)
        other._is_whole = True
        return other

    def match(self, handles: Values, **params: Any) -> Any:
        """The owner of a handle, None if nobody in the index has it; of a list the owner of each."""
        return self._run(self._values("match", handles, params))

    def detail(self, sdus: Values, **params: Any) -> Any:
        """The profile of an SDU, None if the index has no such person; of a list the profile of each."""
        return self._run(self._values("detail", sdus, params))

    def rank(self, sources: Sequence[str], **params: Any) -> Any:
        """Sources in the order of their authors' authority; with `aligned` in their own, each with its `position`."""
        return self._run(self._rank(sources, params))

    def scores(self, sources: Any, **params: Any) -> Any:
        """The authority score of the author of each source, nan where none is known; a Series for a Series.

        Each different source is asked for, and charged, once. Blank entries and what is no text are free.
        """
        return self._run(self._scores(sources, params))

    def search(self, query: str, **params: Any) -> Any:
        """People by topic, keywords or name, the best first."""
        return self._pages("index", {"query": query, **params})

    def peers(self, handles: Values, **params: Any) -> Any:
        """The top authorities connected with handles."""
        return self._pages("peers", {"handles": handles, **params})

    def topics(self, **params: Any) -> Any:
        """Topics, the largest first."""
        return self._pages("topics", params)

    def snapshots(self, **params: Any) -> Any:
        """Snapshots, the last announced first."""
        return self._pages("snapshots", params)

    def changes(self, since: str, **params: Any) -> Any:
        """Changes since a snapshot."""
        return self._pages("changes", {"since": since, **params})

    def history(self, sdus: Values, **params: Any) -> Any:
        """History of the ranks and scores of people."""
        return self._pages("history", {"sdus": sdus, **params})

    def autocomplete(self, query: str, **params: Any) -> Any:
        """Suggestions for a text that is being typed."""
        return self._run(self._get("autocomplete", {"query": query, **params}, lambda body: body["results"]))

    def snapshot(self, id: str, **params: Any) -> Any:
        """One snapshot: its id, its time and its counts."""
        if not re.fullmatch(r"[A-Za-z0-9_-]+", id):
            raise ValueError("the id of a snapshot is 32 hexadecimal digits")
        return self._run(self._get(f"snapshots/{id}", params, lambda body: body["results"][0]))

    def account(self, **params: Any) -> Any:
        """The account of the key: balance, limits, sales, prices; with `days` the sales of each of the last UTC days. Free."""
        return self._run(self._get("account", params, lambda body: body["results"][0]))

    def _run(self, call: Call) -> Any:
        return self._transport.run(self._shown(call))

    async def _shown(self, call: Call) -> Any:
        answer = await call
        return answer if self._is_whole else answer.data

    def _pages(self, path: str, params: Dict[str, Any]) -> Any:
        raise NotImplementedError

    def _parted(self, given: Mapping[str, Any]) -> Tuple[Dict[str, Any], Options]:
        """Parameters of the API, and options of the call."""
        params = dict(given)
        timeout_s = params.pop("timeout_s", None)
        key = params.pop("idempotency_key", None)
        return params, Options(self._timeout_s if timeout_s is None else timeout_s, key)

    async def _get(self, path: str, given: Mapping[str, Any], read: Callable[[Dict[str, Any]], Any]) -> Answer[Any]:
        params, options = self._parted(given)
        query = _query_of(params)
        target = f"/api/v1/{path}{'?' if query else ''}{query}"
        answer = await self._caller.ask(target, options, is_charged=not path.startswith(_FREE))
        return replace(answer, data=read(answer.data))

    def _page(self, path: str, params: Mapping[str, Any], after: Any = None) -> Call:
        return self._get(path, {"cursor": "*", **params}, lambda body: Page(body, after))

    async def _page_after(self, cursor: str, path: str, params: Mapping[str, Any]) -> Page:
        # Each further page has an idempotency key of its own.
        return (await self._page(path, {**params, "cursor": cursor, "idempotency_key": None})).data

    async def _post(self, route: str, values: Sequence[str], params: Mapping[str, Any], options: Options) -> Answer[Any]:
        body = json.dumps({_LIST_NAMES[route]: list(values), **params}, ensure_ascii=False).encode()
        answer = await self._caller.ask(f"/api/v1/{route}", options, body)
        return replace(answer, data=answer.data["results"])

    async def _parts(
        self, route: str, parts: Sequence[List[str]], params: Mapping[str, Any], options: Options
    ) -> List[Answer[Any]]:
        key = options.idempotency_key or str(uuid.uuid4())
        ask = lambda part, own: self._post(route, part, params, replace(options, idempotency_key=own))
        return await answered_parts(parts, key, ask, self._transport)

    async def _values(self, route: str, values: Values, given: Mapping[str, Any]) -> Answer[Any]:
        params, options = self._parted({**given, "aligned": True})
        if isinstance(values, str):
            answer = await self._post(route, [values], params, options)
            return replace(answer, data=answer.data[0])
        answers = await self._parts(route, body_parts(list(values)), params, options)
        return joined(answers, [item for each in answers for item in each.data])

    async def _rank(self, sources: Sequence[str], given: Mapping[str, Any]) -> Answer[Any]:
        if isinstance(sources, str):
            raise TypeError("a rank is of a list of sources")
        params, options = self._parted(given)
        parts = body_parts(list(sources))
        if len(parts) == 1:
            return await self._post("rank", parts[0], params, options)
        answers = await self._parts("rank", parts, with_ordering(params), options)
        return joined(answers, merged_ranks([len(part) for part in parts], [each.data for each in answers], params))

    async def _scores(self, sources: Any, given: Mapping[str, Any]) -> Answer[Any]:
        texts = texts_of(sources)
        different = list(dict.fromkeys(text for text in texts if text is not None))
        known: Dict[Optional[str], float] = {}
        answer: Answer[Any] = Answer([], httpx.Response(200), "", 0.0, None, "")
        if different:
            answer = await self._rank(different, {**given, "fields": ["authority_score"], "aligned": True})
            known = {each["source"]: each["authority_score"] for each in answer.data}
        scores = [known.get(text) for text in texts]
        return replace(answer, data=scores_like(sources, [math.nan if each is None else each for each in scores]))


class AuthorityIndex(_Methods[httpx.Client]):
    """Asks the service. Threads may share a client; a `with` block closes its connections."""

    _transport_class = BlockingTransport

    def close(self) -> None:
        """Closes connections."""
        self._transport.close()

    def __enter__(self) -> AuthorityIndex:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _pages(self, path: str, params: Dict[str, Any]) -> Any:
        after = lambda cursor: self._transport.run(self._page_after(cursor, path, params))
        return self._run(self._page(path, params, after))


class AsyncAuthorityIndex(_Methods[httpx.AsyncClient]):
    """Asks the service on an event loop; `async with` closes its connections. Options are those of `AuthorityIndex`."""

    _transport_class = AsyncTransport

    async def close(self) -> None:
        """Closes connections."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncAuthorityIndex:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def _pages(self, path: str, params: Dict[str, Any]) -> Any:
        first = lambda: self._run(self._page(path, params))
        return AsyncPages(first, lambda cursor: self._page_after(cursor, path, params))


def _query_of(params: Mapping[str, Any]) -> str:
    """A query string. Lists repeat their parameter, and a comma is part of an entry; a text may be a list by commas."""
    pairs: List[str] = []
    for name, value in params.items():
        if isinstance(value, (list, tuple)):
            pairs.extend(f"{name}={quote(str(each), safe='')}" for each in value)
        elif value is not None:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            pairs.append(f"{name}={quote(text, safe=',')}")
    return "&".join(pairs)
