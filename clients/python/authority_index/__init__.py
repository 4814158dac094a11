"""Clients of the Authority Index: `AuthorityIndex` for programs with threads, `AsyncAuthorityIndex` for asyncio."""

from .client import AsyncAuthorityIndex, AuthorityIndex
from .call import Answer
from .errors import (
    APIError,
    AuthenticationError,
    BadRequestError,
    ConnectionError,
    InsufficientBalanceError,
    NotFoundError,
    RateLimitError,
    TimeoutError,
)
from .pages import AsyncPages, Page

__all__ = [
    "APIError",
    "Answer",
    "AsyncAuthorityIndex",
    "AsyncPages",
    "AuthenticationError",
    "AuthorityIndex",
    "BadRequestError",
    "ConnectionError",
    "InsufficientBalanceError",
    "NotFoundError",
    "Page",
    "RateLimitError",
    "TimeoutError",
]
