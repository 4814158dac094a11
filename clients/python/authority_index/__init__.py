"""Clients of the Authority Index for threads (`Client`) and for asyncio (`AsyncClient`); README.md shows them.

Python 3.9 and the standard library are enough.
"""

from .answers import Answer
from .async_client import AsyncClient
from .client import Client
from .failures import *  # noqa: F403
from .failures import ClientError, RefusedError

__all__ = ["Answer", "AsyncClient", "Client", "ClientError", "RefusedError"]
