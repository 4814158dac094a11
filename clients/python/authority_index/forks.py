"""Objects that a forked process has to make anew: it has their locks as another thread held them, and their sockets
are those of its parent.

Invariant: a child uses no lock, no place and no connection that its parent had.
"""

from __future__ import annotations

import os
import weakref
from typing import Any, List

_objects: List["weakref.ref[Any]"] = []


def renewed_in_child(owner: Any) -> None:
    """Calls `renew()` of an object in every process that is forked from this one, as long as the object is there."""
    _objects.append(weakref.ref(owner, _objects.remove))


def _renew_all() -> None:
    for each in list(_objects):
        owner = each()
        if owner is not None:
            owner.renew()


# Windows has no fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
