"""The requests and answers of the service, as types.

scripts/python-types.ts makes this file from the OpenAPI document: change the document, then run it with --write.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class Components(TypedDict):
    name: Literal["own", "endorsement", "record"]
    # The share without endorsement; how many endorse; the score.
    value: float
    share: float


class Resilience(TypedDict):
    # Number of the strongest endorsers without whom the rank falls by one place; 255 for that many or more; null if
    # it does not fall so far, even without all of them.
    by_1: Optional[int]
    # Number of the strongest endorsers without whom the rank falls by ten places; 255 for that many or more; null
    # if it does not fall so far, even without all of them.
    by_10: Optional[int]


Kind = Literal[
    "follows",
    "mentions",
    "co_membership",
    "coauthor",
    "collaborates",
]


class Endorsers(TypedDict):
    # Null for a handle without an owner.
    sdu: Optional[str]
    name: str
    kind: Kind
    share: float


class Handles(TypedDict):
    platform: str
    handle: str
    verified_by: str
    verified_at: Optional[str]


class _Sources(TypedDict):
    source: Optional[str]
    licence: Optional[str]
    updated_at: Optional[str]


class Sources(_Sources, total=False):
    # Method by which the person was verified.
    verified_by: str
    # When; ISO 8601.
    verified_at: Optional[str]
    # Method by which the handles were verified, as far as the record says.
    handles: List[Handles]


class Explanation(TypedDict):
    # The topic of the rank; null for that by score.
    topic: Optional[str]
    rank: int
    # Number of ranked people.
    of: int
    # Of the whole that is shared out; 0 where the record gives the score.
    share: float
    # To the next: in shares, or in points of the score.
    margin: float
    # The parts of the share; their shares sum to it.
    components: List[Components]
    # Dependence of the rank on its strongest endorsers.
    resilience: Resilience
    # The strongest, and what each adds to the share.
    endorsers: List[Endorsers]
    # Source and verification of the record, as far as it says.
    sources: List[Sources]
    # The same in words.
    sentence: str


class _Summary(TypedDict):
    # Identifier of the authority.
    sdu: str
    name: str
    # Position, 1 being the top.
    rank: int
    # In English; empty when it is not known.
    country_name: str
    # Core topic of the authority.
    topic: str


class Summary(_Summary, total=False):
    # The parts of the rank, if the request asked for them.
    explanation: Explanation


class Socials(TypedDict):
    handle: str
    followers: int


class _Profile(TypedDict):
    sdu: str
    name: str
    bio: str
    # In English; empty when it is not known.
    country: str
    # All topics, the core topic first.
    topics: List[str]
    # Verified handles by platform.
    socials: Dict[str, Socials]
    # 0 to 100; compares people across topics.
    authority_score: float
    website: Optional[str]


class Profile(_Profile, total=False):
    # Other facts of the record; absent if it has none.
    attributes: Dict[str, List[str]]
    # The parts of the rank, if the request asked for them.
    explanation: Explanation


class _Match(TypedDict):
    # Identifier of the authority.
    sdu: str
    name: str
    # Position, 1 being the top.
    rank: int
    # In English; empty when it is not known.
    country_name: str
    # Core topic of the authority.
    topic: str


class Match(_Match, total=False):
    # The parts of the rank, if the request asked for them.
    explanation: Explanation
    # The handle that this item answers, as it was sent; when several were sent.
    handle: str


Reason = Literal[
    "not-an-account",
    "not-in-index",
    "unknown-topic",
    "not-a-string",
    "blank",
    "too-long",
]


class _Source(TypedDict):
    # As it was sent; null for an entry that is not a string.
    source: Optional[str]
    # Why no author is known: `not-an-account`, the source is an address or identifier of no account, such as a home
    # page; `not-in-index`, the owner of the handle, profile or address is not in the index; `unknown-topic`, the
    # author is known, and the index has no such topic; `not-a-string`, the entry is not a string; `blank`, the
    # entry is blank; `too-long`, the entry is longer than a source may be.
    reason: Optional[Reason]
    # The place of the source in the request, from 0.
    index: int


class Source(_Source, total=False):
    # The publisher; of several owners the top authority.
    sdu: Optional[str]
    name: Optional[str]
    authority_score: Optional[float]
    # In the topic; null for a person who is no member of the topic in the request.
    rank: Optional[int]
    # The topic that was asked for, else the core topic.
    topic: Optional[str]
    # With `aligned`: its place by authority, from 1.
    position: int
    # The parts of the rank, if the request asked for them.
    explanation: Explanation


class Snapshot(TypedDict):
    id: str
    # The one that was current before; null for the first.
    parent: Optional[str]
    # When the records were made, where they say so.
    created_at: Optional[str]
    # When it was announced, where that is known.
    published_at: Optional[str]
    authorities: int
    topics: int
    # By which formulas and shapes it was made.
    recipe: int
    # SHA-256 of its header, which has the checksum of everything in it.
    digest: str


class FirstTen(TypedDict):
    topics: int
    mean: Optional[float]
    min: Optional[float]
    share: Optional[float]


class KendallTau(TypedDict):
    topics: int
    mean: Optional[float]
    min: Optional[float]


class Stability(TypedDict):
    first_ten: FirstTen
    kendall_tau: KendallTau


class Citation(TypedDict):
    text: str
    bibtex: str
    csl_json: Dict[str, Any]


class SnapshotPage(TypedDict):
    id: str
    # The one that was current before; null for the first.
    parent: Optional[str]
    # When the records were made, where they say so.
    created_at: Optional[str]
    # When it was announced, where that is known.
    published_at: Optional[str]
    authorities: int
    topics: int
    # By which formulas and shapes it was made.
    recipe: int
    # SHA-256 of its header, which has the checksum of everything in it.
    digest: str
    # Number of entries of each kind.
    counts: Dict[str, int]
    # Of how many people anything changed with it.
    people_changed: Optional[int]
    # Stability of the orders; null without a parent.
    stability: Optional[Stability]
    # As text, BibTeX and CSL-JSON.
    citation: Citation


Type = Literal[
    "added",
    "removed",
    "merged",
    "score",
    "rank",
    "core_topic",
    "profile",
    "handle",
]


class Change(TypedDict):
    type: Type
    sdu: str
    # Of a rank: the label of the topic.
    topic: Optional[str]
    # A value of the kind that `type` names: a profile item or fields of one, a number, a label, a handle.
    before: Optional[Union[str, float, Dict[str, Any]]]
    # A value of the kind that `type` names: a profile item or fields of one, a number, a label, a handle.
    after: Optional[Union[str, float, Dict[str, Any]]]


class Moment(TypedDict):
    sdu: str
    # The snapshot with which it came to be so.
    snapshot_id: str
    # When that was announced; null where it is not known.
    at: Optional[str]
    # The topic of the rank; null while the person was not there.
    topic: Optional[str]
    # Among the first 50; null behind them.
    rank: Optional[int]
    authority_score: Optional[float]


class Suggestion(TypedDict):
    kind: Literal["topic", "person", "handle"]
    # To be shown: a label, a name, or a handle with its platform.
    text: str
    # Of a person.
    sdu: Optional[str]
    # The same.
    name: Optional[str]
    # The label of the topic; of a person the core topic. Of a handle ask match.
    topic: Optional[str]
    # With its platform, to be asked for.
    handle: Optional[str]
    # Of a topic: how many are ranked in it.
    authorities: Optional[int]


class Topic(TypedDict):
    # The label.
    topic: str
    # As they are compared: in lower case.
    aliases: List[str]
    # Number of ranked people in it.
    authorities: int


class Chosen(TypedDict, total=False):
    # Identifier of the authority.
    sdu: str
    name: str
    bio: str
    # In English; empty when it is not known.
    country: str
    # All topics, the core topic first.
    topics: List[str]
    # Verified handles by platform.
    socials: Dict[str, Socials]
    # 0 to 100; compares people across topics.
    authority_score: float
    # Other facts of the record; absent if it has none.
    attributes: Dict[str, List[str]]
    website: Optional[str]
    # The parts of the rank, if the request asked for them.
    explanation: Explanation
    # Position, 1 being the top.
    rank: int
    # In English; empty when it is not known.
    country_name: str
    # Core topic of the authority.
    topic: str
    # The handle that this item answers, as it was sent; when several were sent.
    handle: str


class Cap(TypedDict):
    usd: float
    period: Literal["total", "day", "month"]


class Key(TypedDict):
    id: str
    name: Optional[str]
    created_at: str
    expires_at: Optional[str]
    # The amount that it may spend, in all or in a UTC day or month.
    cap: Optional[Cap]
    # What it may call, and whether it may see the account.
    scopes: Optional[List[str]]
    requests_per_second: Optional[int]
    # Networks that it may be used from.
    addresses: Optional[List[str]]
    # The remainder of its cap.
    remaining_usd: Optional[float]


class Limits(TypedDict):
    requests_per_second: Optional[int]
    lookups_per_second: Optional[int]


class ByOperation(TypedDict):
    operation: str
    queries: int
    cost_usd: float


class Today(TypedDict):
    queries: int
    cost_usd: float
    by_operation: List[ByOperation]


class Days(TypedDict):
    day: str
    queries: int
    cost_usd: float


class _UsageKey(TypedDict):
    # Since the last midnight, UTC.
    today: Today
    # Since the first of the month, UTC.
    month: Today


class UsageKey(_UsageKey, total=False):
    # With `days`: each UTC day, the oldest first, today last.
    days: List[Days]


class _Usage(TypedDict):
    # When the ledger was read; charges of the last window are missing.
    as_of: str
    # By this key.
    key: UsageKey


class Usage(_Usage, total=False):
    # By all keys of the account.
    account: UsageKey


class Prices(TypedDict):
    operation: str
    price_usd: float
    # The unit of the price.
    each: Literal["request", "value"]


class _AccountView(TypedDict):
    # The key of this request; null where nothing restricts it.
    key: Key
    # Of the account; null where there is none.
    limits: Limits
    # The sales.
    usage: Usage
    prices: List[Prices]


class AccountView(_AccountView, total=False):
    # Its name. A key with scopes, but not `account`, has no member about the account.
    account: str
    state: Literal["active", "suspended"]
    created_at: str
    # The amount that can still be spent; live.
    balance_usd: float
    # Everything that was credited, less what was taken back.
    credited_usd: float
    # Everything that was charged.
    charged_usd: float


class CallParams(TypedDict, total=False):
    # Seconds for the whole call with its retries.
    deadline_s: float
    # Up to 64 visible characters; a random one unless given.
    idempotency_key: str
    # The call is refused before it is sent where its price is higher.
    max_cost_usd: float


Fields = Literal[
    "sdu",
    "name",
    "rank",
    "country_name",
    "topic",
    "bio",
    "country",
    "topics",
    "socials",
    "authority_score",
    "website",
]


Facets = Literal[
    "country",
    "topic",
    "platform",
    "attribute",
]


class SearchParams(CallParams, total=False):
    # Maximum number of items (1 to 50; larger values count as 50).
    limit: int
    # `true` adds `explanation` to each item (the parts of its rank) and, to a search, `query` (how the text was
    # understood). `query` adds only the latter.
    explain: Union[bool, Literal["query"]]
    # Only people of any of these countries, by ISO code, name or adjective: 1 to 50, separated by commas or the
    # parameter repeated.
    country: Union[str, List[str]]
    # Only people with a handle or an identifier on any of these platforms: 1 to 50, separated by commas or the
    # parameter repeated.
    platform: Union[str, List[str]]
    # Only members of any of these topics, by label or alias: 1 to 50, separated by commas or the parameter
    # repeated.
    topic: Union[str, List[str]]
    # Only people with these attributes, each as `key:value`; of one key any value is enough, of several keys one
    # value each: 1 to 50, separated by commas or the parameter repeated.
    attribute: Union[str, List[str]]
    # Only people whose authority score is at least this: 0 to 100.
    score_min: float
    # Only people with at least this many followers on all platforms together: 0 to 4,294,967,295.
    followers_min: int
    # The fields of each item, of summary and profile; items have no other fields. With `bio`, `topics`, `socials`
    # or `website` each item costs what detail costs, beside the query.
    fields: Union[Fields, List[Fields]]
    # `*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search
    # and peers answer pages only with a cursor.
    cursor: str
    # Adds `facets`: how many of all matches have each country, topic, platform, attribute; the 100 largest of each.
    facets: Union[Facets, List[Facets]]
    # `false`: a text that is only another word for a topic has no match. Default `true`.
    related: bool


class DetailParams(CallParams, total=False):
    # `true` adds `explanation` to each item (the parts of its rank) and, to a search, `query` (how the text was
    # understood). `query` adds only the latter.
    explain: Union[bool, Literal["query"]]
    # The fields of each item, of summary and profile; items have no other fields. With `bio`, `topics`, `socials`
    # or `website` each item costs what detail costs, beside the query.
    fields: Union[Fields, List[Fields]]
    # `true` answers one item for each value in the order of the request, `null` where there is no match. Of a rank,
    # each item has its `position` in the order by authority.
    aligned: bool


class PeersParams(CallParams, total=False):
    # Maximum number of items (1 to 50; larger values count as 50).
    limit: int
    # `true` adds `explanation` to each item (the parts of its rank) and, to a search, `query` (how the text was
    # understood). `query` adds only the latter.
    explain: Union[bool, Literal["query"]]
    # Only people of any of these countries, by ISO code, name or adjective: 1 to 50, separated by commas or the
    # parameter repeated.
    country: Union[str, List[str]]
    # Only people with a handle or an identifier on any of these platforms: 1 to 50, separated by commas or the
    # parameter repeated.
    platform: Union[str, List[str]]
    # Only members of any of these topics, by label or alias: 1 to 50, separated by commas or the parameter
    # repeated.
    topic: Union[str, List[str]]
    # Only people with these attributes, each as `key:value`; of one key any value is enough, of several keys one
    # value each: 1 to 50, separated by commas or the parameter repeated.
    attribute: Union[str, List[str]]
    # Only people whose authority score is at least this: 0 to 100.
    score_min: float
    # Only people with at least this many followers on all platforms together: 0 to 4,294,967,295.
    followers_min: int
    # The fields of each item, of summary and profile; items have no other fields. With `bio`, `topics`, `socials`
    # or `website` each item costs what detail costs, beside the query.
    fields: Union[Fields, List[Fields]]
    # `*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search
    # and peers answer pages only with a cursor.
    cursor: str


class MatchParams(CallParams, total=False):
    # `true` adds `explanation` to each item (the parts of its rank) and, to a search, `query` (how the text was
    # understood). `query` adds only the latter.
    explain: Union[bool, Literal["query"]]
    # The fields of each item, of summary and profile; items have no other fields. With `bio`, `topics`, `socials`
    # or `website` each item costs what detail costs, beside the query.
    fields: Union[Fields, List[Fields]]
    # `true` answers one item for each value in the order of the request, `null` where there is no match. Of a rank,
    # each item has its `position` in the order by authority.
    aligned: bool


class RankParams(CallParams, total=False):
    # A topic by its label or an alias: its members come first, by their rank in it.
    topic: str
    # The fields of an item that are wanted, of summary and profile; items hold no others. With `bio`, `topics`,
    # `socials` or `website` each item with a person costs what detail costs, beside the query.
    fields: List[Fields]
    # `true` adds `explanation` to each item: what its rank is made of. For at most 50 values.
    explain: bool
    # `true` answers one item for each value in the order of the request, `null` where there is no match. Of a rank,
    # each item has its `position` in the order by authority.
    aligned: bool
    # `true` answers an entry that is no source, and a topic that is unknown, by a `reason` in the item instead of a
    # 400. An entry that is no source costs nothing.
    lenient: bool


class AutocompleteParams(CallParams, total=False):
    # Maximum number of items (1 to 50; larger values count as 50).
    limit: int
    # Only suggestions of these kinds: topic, person, handle.
    kinds: Union[Literal["topic", "person", "handle"], List[Literal["topic", "person", "handle"]]]


class TopicsParams(CallParams, total=False):
    # A topic, keywords, a name, a handle or a question; in quotation marks, exactly these words. For suggestions
    # and topics: the text typed so far.
    query: str
    # Maximum number of items (1 to 50; larger values count as 50).
    limit: int
    # `*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search
    # and peers answer pages only with a cursor.
    cursor: str


class SnapshotsParams(CallParams, total=False):
    # `*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search
    # and peers answer pages only with a cursor.
    cursor: str


class SnapshotParams(CallParams, total=False):
    pass


class ChangesParams(CallParams, total=False):
    # SDUs: 1 to 50, separated by commas or the parameter repeated.
    sdus: Union[str, List[str]]
    # Of changes: only ranks in this topic and core topics that are it. Of a history: ranks in it, not in the core
    # topic.
    topic: str
    # Only changes of these types: added, removed, merged, score, rank, core_topic, profile, handle.
    types: Union[Type, List[Type]]
    # `*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search
    # and peers answer pages only with a cursor.
    cursor: str


class HistoryParams(CallParams, total=False):
    # Of changes: only ranks in this topic and core topics that are it. Of a history: ranks in it, not in the core
    # topic.
    topic: str
    # `*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search
    # and peers answer pages only with a cursor.
    cursor: str
