"""Clients of the Authority Index: `AuthorityIndex` for programs with threads, `AsyncAuthorityIndex` for asyncio."""

from .call import Answer as Answer
from .client import AsyncAuthorityIndex as AsyncAuthorityIndex
from .client import AuthorityIndex as AuthorityIndex
from .errors import APIError as APIError
from .errors import AuthenticationError as AuthenticationError
from .errors import BadRequestError as BadRequestError
from .errors import ConnectionError as ConnectionError
from .errors import InsufficientBalanceError as InsufficientBalanceError
from .errors import NotFoundError as NotFoundError
from .errors import RateLimitError as RateLimitError
from .errors import TimeoutError as TimeoutError
from .pages import AsyncPages as AsyncPages
from .pages import Page as Page
