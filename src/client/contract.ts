/**
 * The requests and answers of the service, as types. scripts/client-types.ts makes this file from the schemas of
 * the service: change those, then run it with --write.
 */

/** The items of answers, by the name of the schema. */
export interface Schemas {
  Summary: {
    /** Identifier of the authority. */
    sdu: string
    name: string
    /** Position, 1 being the top. */
    rank: number
    /** In English; empty when it is not known. */
    country_name: string
    /** Core topic of the authority. */
    topic: string
    /** The parts of the rank, if the request asked for them. */
    explanation?: Schemas['Explanation']
  }
  Profile: {
    sdu: string
    name: string
    bio: string
    /** In English; empty when it is not known. */
    country: string
    /** All topics, the core topic first. */
    topics: string[]
    /** Verified handles by platform. */
    socials: Record<
      string,
      {
        handle: string
        followers: number
      }
    >
    /** 0 to 100; compares people across topics. */
    authority_score: number
    /** Other facts of the record; absent if it has none. */
    attributes?: Record<string, string[]>
    website: string | null
    /** The parts of the rank, if the request asked for them. */
    explanation?: Schemas['Explanation']
  }
  Match: Schemas['Summary'] & {
    /** The handle that this item answers, as it was sent; when several were sent. */
    handle?: string
  }
  Source: {
    /** As it was sent; null for an entry that is not a string. */
    source: string | null
    /** The publisher; of several owners the top authority. */
    sdu?: string | null
    name?: string | null
    authority_score?: number | null
    /** In the topic; null for a person who is no member of the topic in the request. */
    rank?: number | null
    /** The topic that was asked for, else the core topic. */
    topic?: string | null
    /** Why no author is known: `not-an-account`, the source is an address or identifier of no account, such as a home page; `not-in-index`, the owner of the handle, profile or address is not in the index; `unknown-topic`, the author is known, and the index has no such topic; `not-a-string`, the entry is not a string; `blank`, the entry is blank; `too-long`, the entry is longer than a source may be. */
    reason:
      | 'not-an-account'
      | 'not-in-index'
      | 'unknown-topic'
      | 'not-a-string'
      | 'blank'
      | 'too-long'
      | null
    /** The place of the source in the request, from 0. */
    index: number
    /** With `aligned`: its place by authority, from 1. */
    position?: number
    /** The parts of the rank, if the request asked for them. */
    explanation?: Schemas['Explanation']
  }
  Snapshot: {
    id: string
    /** The one that was current before; null for the first. */
    parent: string | null
    /** When the records were made, where they say so. */
    created_at: string | null
    /** When it was announced, where that is known. */
    published_at: string | null
    authorities: number
    topics: number
    /** By which formulas and shapes it was made. */
    recipe: number
    /** SHA-256 of its header, which has the checksum of everything in it. */
    digest: string
  }
  SnapshotPage: Schemas['Snapshot'] & {
    /** Number of entries of each kind. */
    counts: Record<string, number>
    /** Of how many people anything changed with it. */
    people_changed: number | null
    /** Stability of the orders; null without a parent. */
    stability: {
      first_ten: {
        topics: number
        mean: number | null
        min: number | null
        share: number | null
      }
      kendall_tau: {
        topics: number
        mean: number | null
        min: number | null
      }
    } | null
    /** As text, BibTeX and CSL-JSON. */
    citation: {
      text: string
      bibtex: string
      csl_json: Record<string, unknown>
    }
  }
  Change: {
    type: Schemas['Type']
    sdu: string
    /** Of a rank: the label of the topic. */
    topic: string | null
    /** A value of the kind that `type` names: a profile item or fields of one, a number, a label, a handle. */
    before: string | number | Record<string, unknown> | null
    /** A value of the kind that `type` names: a profile item or fields of one, a number, a label, a handle. */
    after: string | number | Record<string, unknown> | null
  }
  Moment: {
    sdu: string
    /** The snapshot with which it came to be so. */
    snapshot_id: string
    /** When that was announced; null where it is not known. */
    at: string | null
    /** The topic of the rank; null while the person was not there. */
    topic: string | null
    /** Among the first 50; null behind them. */
    rank: number | null
    authority_score: number | null
  }
  Suggestion: {
    kind: 'topic' | 'person' | 'handle'
    /** To be shown: a label, a name, or a handle with its platform. */
    text: string
    /** Of a person. */
    sdu: string | null
    /** The same. */
    name: string | null
    /** The label of the topic; of a person the core topic. Of a handle ask match. */
    topic: string | null
    /** With its platform, to be asked for. */
    handle: string | null
    /** Of a topic: how many are ranked in it. */
    authorities: number | null
  }
  Topic: {
    /** The label. */
    topic: string
    /** As they are compared: in lower case. */
    aliases: string[]
    /** Number of ranked people in it. */
    authorities: number
  }
  AccountView: {
    /** Its name. A key with scopes, but not `account`, has no member about the account. */
    account?: string
    state?: 'active' | 'suspended'
    created_at?: string
    /** The amount that can still be spent; live. */
    balance_usd?: number
    /** Everything that was credited, less what was taken back. */
    credited_usd?: number
    /** Everything that was charged. */
    charged_usd?: number
    /** The key of this request; null where nothing restricts it. */
    key: {
      id: string
      name: string | null
      created_at: string
      expires_at: string | null
      /** The amount that it may spend, in all or in a UTC day or month. */
      cap: {
        usd: number
        period: 'total' | 'day' | 'month'
      } | null
      /** What it may call, and whether it may see the account. */
      scopes: string[] | null
      requests_per_second: number | null
      /** Networks that it may be used from. */
      addresses: string[] | null
      /** The remainder of its cap. */
      remaining_usd: number | null
    }
    /** Of the account; null where there is none. */
    limits: {
      requests_per_second: number | null
      lookups_per_second: number | null
    }
    /** The sales. */
    usage: {
      /** When the ledger was read; charges of the last window are missing. */
      as_of: string
      /** By all keys of the account. */
      account?: Schemas['Account']
      /** By this key. */
      key: Schemas['Account']
    }
    prices: {
      operation: string
      price_usd: number
      /** The unit of the price. */
      each: 'request' | 'value'
    }[]
  }
  SearchPage: Schemas['PeersPage'] & {
    query?: {
      /** The way that found the answer, as in X-Search-Way. */
      way:
        | 'identity'
        | 'topic'
        | 'name'
        | 'words'
        | 'related'
        | 'corrected'
        | 'likely-topic'
        | 'nobody'
      /** The words that were used. */
      words: string[]
      /** Words without a match, and the words that were used instead. */
      corrected: {
        from: string
        to: string
      }[]
      /** Words that were not used. */
      left_out: string[]
      /** The country that was understood; several by commas. */
      country: string | null
      /** The topics that were understood. */
      topics: string[]
      /** Texts to search for instead; only if there was no match. */
      suggestions?: {
        /** Labels of topics. */
        topics: string[]
        /** Names of people. */
        names: string[]
      }
    }
    /** Number of matches with each value, largest first. With `facets`. */
    facets?: {
      country?: Schemas['Country'][]
      topic?: Schemas['Country'][]
      platform?: Schemas['Country'][]
      attribute?: Schemas['Country'][]
    }
    /** Where to count all would take too long: `total` and `facets` are of matches among so many people, the first by authority. */
    counted_among?: number
  }
  PeersPage: {
    /** Number of matches. With `cursor`. */
    total?: number
    /** The `cursor` of the next page; null behind the last. With `cursor`. */
    next_cursor?: string | null
    /** Whether the page before came from another snapshot. With `cursor`. */
    snapshot_changed?: boolean
  }
  Explanation: {
    /** The topic of the rank; null for that by score. */
    topic: string | null
    rank: number
    /** Number of ranked people. */
    of: number
    /** Of the whole that is shared out; 0 where the record gives the score. */
    share: number
    /** To the next: in shares, or in points of the score. */
    margin: number
    /** The parts of the share; their shares sum to it. */
    components: {
      name: 'own' | 'endorsement' | 'record'
      /** The share without endorsement; how many endorse; the score. */
      value: number
      share: number
    }[]
    /** Dependence of the rank on its strongest endorsers. */
    resilience: {
      /** Number of the strongest endorsers without whom the rank falls by one place; 255 for that many or more; null if it does not fall so far, even without all of them. */
      by_1: number | null
      /** Number of the strongest endorsers without whom the rank falls by ten places; 255 for that many or more; null if it does not fall so far, even without all of them. */
      by_10: number | null
    }
    /** The strongest, and what each adds to the share. */
    endorsers: {
      /** Null for a handle without an owner. */
      sdu: string | null
      name: string
      kind: 'follows' | 'mentions' | 'co_membership' | 'coauthor' | 'collaborates'
      share: number
    }[]
    /** Source and verification of the record, as far as it says. */
    sources: {
      source: string | null
      licence: string | null
      updated_at: string | null
      /** Method by which the person was verified. */
      verified_by?: string
      /** When; ISO 8601. */
      verified_at?: string | null
      /** Method by which the handles were verified, as far as the record says. */
      handles?: {
        platform: string
        handle: string
        verified_by: string
        verified_at: string | null
      }[]
    }[]
    /** The same in words. */
    sentence: string
  }
  Today: {
    queries: number
    cost_usd: number
    by_operation: {
      operation: string
      queries: number
      cost_usd: number
    }[]
  }
  Account: {
    /** Since the last midnight, UTC. */
    today: Schemas['Today']
    /** Since the first of the month, UTC. */
    month: Schemas['Today']
    /** With `days`: each UTC day, the oldest first, today last. */
    days?: {
      day: string
      queries: number
      cost_usd: number
    }[]
  }
  Country: {
    key: string
    count: number
  }
  Fields:
    | 'sdu'
    | 'name'
    | 'rank'
    | 'country_name'
    | 'topic'
    | 'bio'
    | 'country'
    | 'topics'
    | 'socials'
    | 'authority_score'
    | 'website'
  Facets: 'country' | 'topic' | 'platform' | 'attribute'
  Type: 'added' | 'removed' | 'merged' | 'score' | 'rank' | 'core_topic' | 'profile' | 'handle'
}

/** The parameters of each method, beside its main value. */
export interface Params {
  search: Params['peers'] & {
    /** Adds `facets`: how many of all matches have each country, topic, platform, attribute; the 100 largest of each. */
    facets?: Schemas['Facets'] | readonly Schemas['Facets'][] | undefined
    /** `false`: a text that is only another word for a topic has no match. Default `true`. */
    related?: boolean | undefined
  }
  peers: {
    /** Maximum number of items (1 to 50; larger values count as 50). */
    limit?: number | undefined
    /** `true` adds `explanation` to each item (the parts of its rank) and, to a search, `query` (how the text was understood). `query` adds only the latter. */
    explain?: boolean | 'query' | undefined
    /** Only people of any of these countries, by ISO code, name or adjective: 1 to 50, separated by commas or the parameter repeated. */
    country?: string | readonly string[] | undefined
    /** Only people with a handle or an identifier on any of these platforms: 1 to 50, separated by commas or the parameter repeated. */
    platform?: string | readonly string[] | undefined
    /** Only members of any of these topics, by label or alias: 1 to 50, separated by commas or the parameter repeated. */
    topic?: string | readonly string[] | undefined
    /** Only people with these attributes, each as `key:value`; of one key any value is enough, of several keys one value each: 1 to 50, separated by commas or the parameter repeated. */
    attribute?: string | readonly string[] | undefined
    /** Only people whose authority score is at least this: 0 to 100. */
    score_min?: number | undefined
    /** Only people with at least this many followers on all platforms together: 0 to 4,294,967,295. */
    followers_min?: number | undefined
    /** The fields of each item, of summary and profile; items have no other fields. With `bio`, `topics`, `socials` or `website` each item costs what detail costs, beside the query. */
    fields?: Schemas['Fields'] | readonly Schemas['Fields'][] | undefined
    /** `*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search and peers answer pages only with a cursor. */
    cursor?: string | undefined
  }
  autocomplete: {
    /** Maximum number of items (1 to 50; larger values count as 50). */
    limit?: number | undefined
    /** Only suggestions of these kinds: topic, person, handle. */
    kinds?: 'topic' | 'person' | 'handle' | readonly ('topic' | 'person' | 'handle')[] | undefined
  }
  topics: {
    /** A topic, keywords, a name, a handle or a question; in quotation marks, exactly these words. For suggestions and topics: the text typed so far. */
    query?: string | undefined
    /** Maximum number of items (1 to 50; larger values count as 50). */
    limit?: number | undefined
    /** `*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search and peers answer pages only with a cursor. */
    cursor?: string | undefined
  }
  snapshots: {
    /** `*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search and peers answer pages only with a cursor. */
    cursor?: string | undefined
  }
  changes: Params['history'] & {
    /** SDUs: 1 to 50, separated by commas or the parameter repeated. */
    sdus?: string | readonly string[] | undefined
    /** Only changes of these types: added, removed, merged, score, rank, core_topic, profile, handle. */
    types?: Schemas['Type'] | readonly Schemas['Type'][] | undefined
  }
  history: {
    /** Of changes: only ranks in this topic and core topics that are it. Of a history: ranks in it, not in the core topic. */
    topic?: string | undefined
    /** `*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search and peers answer pages only with a cursor. */
    cursor?: string | undefined
  }
  match: {
    /** `true` adds `explanation` to each item: what its rank is made of. For at most 50 values. */
    explain?: boolean | undefined
    /** The fields of an item that are wanted, of summary and profile; items hold no others. With `bio`, `topics`, `socials` or `website` each item with a person costs what detail costs, beside the query. */
    fields?: readonly Schemas['Fields'][] | undefined
  }
  detail: Params['match']
  rank: Params['match'] & {
    /** A topic by its label or an alias: its members come first, by their rank in it. */
    topic?: string | undefined
    /** `true` answers one item for each value in the order of the request, `null` where there is no match. Of a rank, each item has its `position` in the order by authority. */
    aligned?: boolean | undefined
    /** `true` answers an entry that is no source, and a topic that is unknown, by a `reason` in the item instead of a 400. An entry that is no source costs nothing. */
    lenient?: boolean | undefined
  }
}
