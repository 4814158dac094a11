"""Clients of the Authority Index for threads (`Client`) and for asyncio (`AsyncClient`); README.md shows them.

Python 3.9 and the standard library are enough.
"""

from . import failures
from .answers import Answer
from .async_client import AsyncClient
from .client import Client
from .failures import *  # noqa: F403

__all__ = ["Answer", "AsyncClient", "Client", *failures.__all__]
