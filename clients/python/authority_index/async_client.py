"""The client for asyncio: `AsyncClient(base_url, api_key)` and a method for each operation of the API.

Single calls of `match`, `detail` and `rank` in one turn of the event loop are one request. Equal ones are one value.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    List,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)

from .answers import Answer
from .contract import (
    AccountView,
    Change,
    Match,
    Moment,
    Profile,
    Snapshot,
    SnapshotPage,
    Source,
    Suggestion,
    Summary,
    Topic,
)
from .core import Core, Members, checked
from .call import Steps
from .coalescer import Coalescer
from .scores import known_scores, scores_like, texts_of
from .streams import StreamTransport, perform

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .contract import (
        AutocompleteParams,
        ChangesParams,
        DetailParams,
        HistoryParams,
        MatchParams,
        PeersParams,
        RankParams,
        SearchParams,
        SnapshotParams,
        SnapshotsParams,
        TopicsParams,
    )

Values = Union[str, Sequence[str]]
T = TypeVar("T")


class AsyncClient:
    """Asks the service.

    `base_url` is an address, or several: a retry goes to another. `api_key` is the key, or what gives it for each
    attempt. `deadline_s` is for a whole call with its retries; each method takes it, too, as well as
    `idempotency_key` and `max_cost_usd`. `retry_budget` is the share of answered calls that may be retries.
    `parts_at_once` are the requests of one long list at the same time. `max_cost_usd` is for all calls.
    `on_balance_below` is an amount in USD, and what is called when the balance falls below it. `tls` is a context
    for https.
    """

    def __init__(
        self,
        base_url: Union[str, Sequence[str]],
        api_key: Union[str, Callable[[], str]],
        *,
        deadline_s: float = 2.0,
        retries: int = 3,
        retry_budget: float = 0.1,
        connections_max: int = 32,
        parts_at_once: int = 4,
        max_cost_usd: Optional[float] = None,
        on_balance_below: Optional[Tuple[float, Callable[[float], None]]] = None,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._core = Core(
            base_url,
            api_key,
            deadline_s=deadline_s,
            retries=retries,
            retry_budget=retry_budget,
            parts_at_once=parts_at_once,
            max_cost_usd=max_cost_usd,
            on_balance_below=on_balance_below,
        )
        self._transport = StreamTransport(connections_max, tls)
        self._coalescer = Coalescer(lambda route, values, params: self._run(self._core.each(route, values, params)))

    async def search(self, query: str, **params: Unpack[SearchParams]) -> Answer[Summary]:
        """People by topic, keywords or name."""
        return await self._run(self._core.get("search", {"query": query, **params}))

    def search_pages(self, query: str, **params: Unpack[SearchParams]) -> AsyncIterator[Answer[Summary]]:
        """The pages of a search, each when it is asked for."""
        return _pages(lambda cursor: self._page("search", {"query": query, **params, "cursor": cursor}), "*")

    async def match(self, handles: Values, **params: Unpack[MatchParams]) -> Answer[Match]:
        """The owners of a handle, or of a list of any length."""
        if isinstance(handles, str):
            return await self._coalesced("match", handles, params)
        return await self._run(self._core.values("match", handles, params))

    async def match_many(
        self, handles: Sequence[str], *, return_errors: bool = False, **params: Unpack[MatchParams]
    ) -> List[Answer[Match]]:
        """What `match` answers to each value, in as few requests as can be, with idempotency keys of their own.

        With `return_errors` an error is the item of its value; else the first is raised.
        """
        return checked(await self._run(self._core.each("match", handles, params)), return_errors)

    async def detail(self, sdus: Values, **params: Unpack[DetailParams]) -> Answer[Profile]:
        """Profiles by SDU, of one or of a list of any length."""
        if isinstance(sdus, str):
            return await self._coalesced("detail", sdus, params)
        return await self._run(self._core.values("detail", sdus, params))

    async def detail_many(
        self, sdus: Sequence[str], *, return_errors: bool = False, **params: Unpack[DetailParams]
    ) -> List[Answer[Profile]]:
        """What `detail` answers to each value, in as few requests as can be, with idempotency keys of their own.

        With `return_errors` an error is the item of its value; else the first is raised.
        """
        return checked(await self._run(self._core.each("detail", sdus, params)), return_errors)

    async def peers(self, handles: Values, **params: Unpack[PeersParams]) -> Answer[Summary]:
        """The top authorities connected with handles."""
        return await self._run(self._core.get("peers", {"handles": handles, **params}))

    def peers_pages(self, handles: Values, **params: Unpack[PeersParams]) -> AsyncIterator[Answer[Summary]]:
        """The pages of peers."""
        return _pages(lambda cursor: self._page("peers", {"handles": handles, **params, "cursor": cursor}), "*")

    async def rank(self, sources: Values, **params: Unpack[RankParams]) -> Answer[Source]:
        """Sources in the order of their authors' authority: one, or a list of any length as one order."""
        if isinstance(sources, str):
            return await self._coalesced("rank", sources, params)
        return await self._run(self._core.values("rank", sources, params))

    async def autocomplete(self, query: str, **params: Unpack[AutocompleteParams]) -> Answer[Suggestion]:
        """Suggestions for what is being typed."""
        return await self._run(self._core.get("autocomplete", {"query": query, **params}))

    async def topics(self, **params: Unpack[TopicsParams]) -> Answer[Topic]:
        """Topics, the largest first."""
        return await self._run(self._core.get("topics", params))

    def topics_pages(self, **params: Unpack[TopicsParams]) -> AsyncIterator[Answer[Topic]]:
        """The pages of the topics."""
        return _pages(lambda cursor: self._page("topics", {**params, "cursor": cursor}), None)

    async def snapshots(self, **params: Unpack[SnapshotsParams]) -> Answer[Snapshot]:
        """Snapshots, the last announced first."""
        return await self._run(self._core.get("snapshots", params))

    def snapshots_pages(self, **params: Unpack[SnapshotsParams]) -> AsyncIterator[Answer[Snapshot]]:
        """The pages of the snapshots."""
        return _pages(lambda cursor: self._page("snapshots", {**params, "cursor": cursor}), None)

    async def snapshot(self, id: str, **params: Unpack[SnapshotParams]) -> Answer[SnapshotPage]:
        """What is known of one snapshot."""
        return await self._run(self._core.get("snapshot", {"id": id, **params}))

    async def changes(self, since: str, **params: Unpack[ChangesParams]) -> Answer[Change]:
        """What changed since a snapshot: one page."""
        return await self._run(self._core.get("changes", {"since": since, **params}))

    def changes_pages(self, since: str, **params: Unpack[ChangesParams]) -> AsyncIterator[Answer[Change]]:
        """The pages of the changes."""
        return _pages(lambda cursor: self._page("changes", {"since": since, **params, "cursor": cursor}), None)

    async def history(self, sdus: Values, **params: Unpack[HistoryParams]) -> Answer[Moment]:
        """How ranks and scores of people came to be: one page."""
        return await self._run(self._core.get("history", {"sdus": sdus, **params}))

    def history_pages(self, sdus: Values, **params: Unpack[HistoryParams]) -> AsyncIterator[Answer[Moment]]:
        """The pages of a history."""
        return _pages(lambda cursor: self._page("history", {"sdus": sdus, **params, "cursor": cursor}), None)

    async def scores(self, sources: Any, **params: Unpack[RankParams]) -> Any:
        """The authority score of each source: a Series for a Series, else an array where numpy is there, else a list.

        nan where no author is known.
        """
        texts = texts_of(sources)
        asked = list(dict.fromkeys(text for text in texts if text is not None))
        question = {"lenient": True, "fields": ["sdu", "authority_score"], **params}
        items = (await self._run(self._core.values("rank", asked, question))).results if asked else []
        return scores_like(sources, texts, known_scores(items))

    async def account(self, days: Optional[int] = None) -> AccountView:
        """The account of the key: what can be spent, limits, what was sold, prices. Free.

        days asks for what was sold on each of so many UTC days (1 to 92), today included.
        """
        return await self._run(self._core.account(days))

    async def prices(self) -> Dict[str, float]:
        """The prices of the service, USD for each request or value."""
        return await self._run(self._core.prices())

    @property
    def spent_usd(self) -> float:
        """USD that this client was charged."""
        return self._core.spending.spent_usd

    async def close(self) -> None:
        """Closes idle connections; the client can still be used."""
        self._transport.close()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _page(self, route: str, params: Members) -> Awaitable[Answer[Any]]:
        return self._run(self._core.get(route, params))

    async def _run(self, steps: Steps[T]) -> T:
        return await perform(steps, self._transport)

    async def _coalesced(self, route: str, value: str, params: Any) -> Answer[Any]:
        if "idempotency_key" in params or "max_cost_usd" in params:
            return await self._run(self._core.values(route, value, params))
        return await self._coalescer.ask(route, value, params)


async def _pages(
    ask: Callable[[Optional[str]], Awaitable[Answer[Any]]], cursor: Optional[str]
) -> AsyncIterator[Answer[Any]]:
    while True:
        page = await ask(cursor)
        yield page
        cursor = page.next_cursor
        if cursor is None:
            return
