"""Pages of lists: the first by itself, and the items of all, each page asked for when it is needed."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Generator, Iterator, List, Optional


class Page:
    """A page of a list. Iterating gives its items, and of a synchronous client those of all further pages.

    Other members of the answer are attributes, such as `total` and `facets` of a search.
    """

    def __init__(self, body: Dict[str, Any], after: Optional[Callable[[str], Page]] = None) -> None:
        self.body = body
        self._after = after

    @property
    def results(self) -> List[Dict[str, Any]]:
        """The items of this page."""
        return self.body["results"]

    @property
    def next_cursor(self) -> Optional[str]:
        """The `cursor` of the next page; None behind the last."""
        return self.body.get("next_cursor")

    def __getattr__(self, name: str) -> Any:
        if name == "body" or name not in self.body:
            raise AttributeError(name)
        return self.body[name]

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        page = self
        yield from page.results
        while self._after is not None and page.next_cursor is not None:
            page = self._after(page.next_cursor)
            yield from page.results


class AsyncPages:
    """Awaited it is the first page; `async for` gives the items of all pages."""

    def __init__(self, first: Callable[[], Awaitable[Any]], after: Callable[[str], Awaitable[Page]]) -> None:
        self._first = first
        self._after = after

    def __await__(self) -> Generator[Any, None, Any]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[Dict[str, Any]]:
        page = await self._first()
        while True:
            for item in page.results:
                yield item
            if page.next_cursor is None:
                return
            page = await self._after(page.next_cursor)
