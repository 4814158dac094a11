"""Reads a pocket file of the Authority Index (docs/pocket.md): scores, core topics and ranks by handle.

Python 3.9 and the standard library are enough; numpy is used where it is installed. The file is mapped into
memory, so that processes share it and opening it reads its head only.

    with Pocket("authorities.pocket") as pocket:
        pocket.lookup("@SenCapito")   # {"score": 45.74, "topic": "Environment", "rank": 1} or None
        pocket.scores(handles)        # nan where a handle has no owner
"""

import hashlib
import json
import mmap
import re
import struct
import unicodedata
import zlib
from urllib.parse import unquote

try:
    import numpy
except ImportError:
    numpy = None

_PREFIXED = re.compile(r"([a-z0-9][a-z0-9_.-]*):(.+)\Z", re.I | re.S | re.A)
_ORCID = re.compile(r"[0-9]{4}-?[0-9]{4}-?[0-9]{4}-?[0-9]{3}[0-9x]\Z", re.I)
_ADDRESS = re.compile(r"(?:https?:)?//|[^/\s:]+\.[^/\s:]+/", re.I)
# Default_Ignorable_Code_Point of Unicode.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


def _folded(text):
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).strip()


def _key(handle):
    return _folded(re.sub(r"^[@\s]+", "", _folded(handle)).lower())


class Pocket:
    """A pocket file. Methods may be called from any thread."""

    def __init__(self, path):
        with open(path, "rb") as file:
            begin = file.read(32)
            if begin[:8] != b"AIPOCKET":
                raise ValueError(f"{path} is no pocket file")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        version, head, entries, people, checksum = struct.unpack_from("<5I", begin.ljust(32, b"\0"), 8)
        if version != 1:
            raise ValueError(f"{path} is a pocket file of version {version}, not 1")
        self._checksum, self._count = checksum, entries
        self._at = []
        place = 32 + head
        for size, count in ((8, entries), (4, entries), (2, entries), (2, people), (4, people), (4, people)):
            self._at.append(place)
            place += (size * count + 7) // 8 * 8
        if place != len(self._map):
            raise ValueError(f"{path} is cut or too long")
        try:
            facts = json.loads(self._map[32 : 32 + head].decode())
        except ValueError as error:
            raise ValueError(f"{path} is damaged: its head is not JSON") from error
        self.snapshot, self.created_at = facts["snapshot"], facts["created_at"]
        self._platforms = {name: number for number, name in enumerate(facts["platforms"])}
        self._topics, self._aliases, self._hosts = facts["topics"], facts["aliases"], facts["hosts"]
        self._cased = {name: re.compile(shape, re.A) for name, shape in facts["cased"].items()}
        if numpy is not None:
            self._hashes = numpy.frombuffer(self._map, "<u8", entries, self._at[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the mapping."""
        self._hashes = None
        self._map.close()

    def is_whole(self):
        """Whether every byte is as it was written."""
        return zlib.crc32(memoryview(self._map)[32:]) == self._checksum

    def lookup(self, handle):
        """What is known of the top owner of a handle, or None."""
        person = self._owner(handle)
        if person < 0:
            return None
        (topic,) = struct.unpack_from("<I", self._map, self._at[4] + 4 * person)
        (rank,) = struct.unpack_from("<I", self._map, self._at[5] + 4 * person)
        return {"score": self._score(person), "topic": self._topics[topic], "rank": rank}

    def scores(self, handles):
        """The authority scores of the top owners of handles, nan where a handle has none."""
        keys = [self._read(handle) for handle in handles]
        hashes = [_hash(key) for key, _ in keys]
        if numpy is None:
            places = [self._first(hash) for hash in hashes]
        else:
            places = numpy.searchsorted(self._hashes, numpy.array(hashes, "<u8")).tolist()
        found = []
        for (key, platform), hash, place in zip(keys, hashes, places):
            person = self._owner_at(place, hash, platform) if key else -1
            found.append(self._score(person) if person >= 0 else float("nan"))
        return found if numpy is None else numpy.array(found)

    def _score(self, person):
        return struct.unpack_from("<H", self._map, self._at[3] + 2 * person)[0] / 100

    def _owner(self, handle):
        key, platform = self._read(handle)
        if not key:
            return -1
        hash = _hash(key)
        return self._owner_at(self._first(hash), hash, platform)

    def _owner_at(self, place, hash, platform):
        number = None if platform is None else self._platforms.get(platform, -1)
        while place < self._count and self._hash_at(place) == hash:
            on = struct.unpack_from("<H", self._map, self._at[2] + 2 * place)[0]
            if number is None or number == on:
                return struct.unpack_from("<I", self._map, self._at[1] + 4 * place)[0]
            place += 1
        return -1

    def _hash_at(self, place):
        return struct.unpack_from("<Q", self._map, self._at[0] + 8 * place)[0]

    def _first(self, hash):
        """The first entry whose hash is at least this one."""
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._hash_at(middle) < hash:
                low = middle + 1
            else:
                high = middle
        return low

    def _read(self, handle):
        text = _folded(handle)
        bare = text.lstrip("@")
        if _ADDRESS.match(bare):
            return self._read_address(bare)
        prefixed = _PREFIXED.match(text)
        if prefixed:
            return self._key_on(self._platform(_folded(prefixed[1])), prefixed[2].strip())
        if self._cased["youtube"].match(text):
            return text, "youtube"
        if "-" in text and _ORCID.match(text):
            return self._key_on("orcid", text)
        return self._key_on("mastodon", text) if re.match(r"@[^@]+@[^@]+\Z", text) else (_key(text), None)

    def _platform(self, name):
        lower = name.lower()
        squeezed = re.sub(r"[ ._-]", "", lower)
        if lower in self._platforms:
            return lower
        return self._aliases.get(squeezed) or (squeezed if squeezed in self._platforms else lower)

    def _key_on(self, platform, handle):
        shape = self._cased.get(platform)
        if shape and shape.match(handle):
            return handle, platform
        key = _key(handle)
        compact = re.sub(r"[ -]", "", key)
        if platform == "isni":
            return compact, platform
        if platform == "orcid" and _ORCID.match(key):
            return "-".join(compact[at : at + 4] for at in range(0, 16, 4)), platform
        return key, platform

    def _read_address(self, text):
        host, *path = re.split(r"[?#]", re.sub(r"^(?:https?:)?//", "", text, flags=re.I))[0].split("/")
        site = re.sub(r":[0-9]+\Z", "", host.lower())
        row = self._hosts.get(site) or self._hosts.get(re.sub(r"^(?:www[0-9]?|m|mobile)\.", "", site))
        segments = [segment for segment in path if segment]
        for prefix in row[1] if row else ():
            *words, last = prefix.split("/")[1:]
            if len(segments) <= len(words) or [part.lower() for part in segments[: len(words)]] != words:
                continue
            name = segments[len(words)]
            if not name.startswith(last) or name == last:
                continue
            handle = unquote(name[len(last) :])
            if handle.lower() not in row[2].split(" "):
                return self._key_on(row[0], name if last == "@" else handle)
        return "", None


def _hash(key):
    return int.from_bytes(hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()[:8], "little")
