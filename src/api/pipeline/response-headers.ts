/**
 * Every response header except those of the transport, in two tables: the lines of an answer (a 200 of a
 * query) with their writers, and the headers of other replies. The writer of answers, the headers of a
 * 304, CORS, OpenAPI and the API guide are made from them.
 */

import { type Way, ways } from '../../engine/interpret/found.ts'
import { writeAscii, writeUsd } from '../../memory/ascii.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { etagOf, type PathHash, rewriteEtag } from './etag.ts'
import { idLength, type RequestIds } from './request-ids.ts'

/** Facts that all answers of a route from one snapshot share. */
export interface PageFacts {
  readonly ids: RequestIds
  readonly path: PathHash
  readonly snapshotId: string
  /** Whether answers cost something. */
  readonly isPaid: boolean
  /** Whether the key is under a cap. */
  readonly isCapped: boolean
  /** Whether answers say what can be spent: the key may see the account, or is under a cap. */
  readonly saysBalance: boolean
  /** Whether answers name the way in which they were found. */
  readonly saysWay: boolean
  /** The limit of requests of an account; undefined without a limit. */
  readonly rateLimit: RateLimit | undefined
}

/** Facts of one answer; amounts in micro-USD. */
export interface AnswerFacts {
  /** Number of the request's id. */
  readonly id: number
  readonly query: string
  readonly costMicroUsd: number
  /** Undefined where the answer says none. */
  readonly balanceMicroUsd: number | undefined
  /** Amount left under the cap of the key; undefined without a cap. */
  readonly leftOfCapMicroUsd: number | undefined
  /** The answer of the limit; 0 without a limit. */
  readonly takenNs: number
  /** The way in which the answer was found; '' for an answer without a search. */
  readonly way: Way | ''
}

/**
 * The answers that have a line: all, paid ones, those that say what can be spent, those to a key with a cap, those
 * under a limit, or searches.
 */
type Presence = 'always' | 'paid' | 'balance' | 'capped' | 'limited' | 'found'

/** A line of an answer. Values are ASCII. */
export type AnswerLine = {
  /** Description for the documents. */
  readonly text: string
  readonly presence: Presence
} & (
  | {
      /** The value in every answer of a page; with `rewrite`, a text of the length of the value put in its place. */
      readonly value: (page: PageFacts) => string
      readonly rewrite?: (target: DataView, at: number, page: PageFacts, facts: AnswerFacts) => void
    }
  | {
      /** The beginning of every value of a page; nothing if it is missing. */
      readonly begins?: (page: PageFacts) => string
      /** Writes the rest, which differs in every answer, and nothing behind it; returns the offset of its end. */
      readonly write: (target: Buffer, at: number, page: PageFacts, facts: AnswerFacts) => number
      readonly bytesMax: number
    }
)

/** The digits, the point and the decimals of any amount. */
const amountBytesMax = 24
/** The longest name of a way. */
const wayBytesMax = Math.max(...ways.map((way) => way.length))
/** `;t=` with two numbers. */
const limitBytesMax = 52

/** uWebSockets.js closes a connection that was idle for 8 to 12 seconds. */
const keptSeconds = 8

/** Keeps a paid answer out of shared caches. */
export const ownCache = ['Cache-Control', 'private, no-cache'] as const

/** The lines in their order; `X-Request-Id` has to be the first, see `answer-head.ts`. */
export const answerLines = {
  'X-Request-Id': {
    text: 'Names this request in the log.',
    presence: 'always',
    value: () => '-'.repeat(idLength),
    rewrite: (target, at, { ids }, { id }) => ids.copy(id, target, at),
  },
  'X-Snapshot-Id': {
    text: 'The snapshot that answered.',
    presence: 'always',
    value: ({ snapshotId }) => snapshotId,
  },
  ETag: {
    text: 'Stands for the snapshot and the request, of a POST for the snapshot; send it as If-None-Match.',
    presence: 'always',
    value: ({ snapshotId, path }) => etagOf(snapshotId, path, ''),
    rewrite: (target, at, { path }, { query }) => rewriteEtag(target, at, path, query),
  },
  'Cache-Control': {
    text: 'Whether the answer may be stored: by the client, which revalidates it before use, or not at all.',
    presence: 'always',
    value: () => ownCache[1],
  },
  'Content-Type': {
    text: 'Always application/json.',
    presence: 'always',
    value: () => 'application/json',
  },
  'X-Content-Type-Options': {
    text: 'Always nosniff.',
    presence: 'always',
    value: () => 'nosniff',
  },
  'Keep-Alive': {
    text: 'Seconds for which a connection may be sent on again; it is closed soon after.',
    presence: 'always',
    value: () => `timeout=${keptSeconds}`,
  },
  'RateLimit-Policy': {
    text: 'Requests that the account may send, and in how many seconds.',
    presence: 'limited',
    value: ({ rateLimit }) => rateLimit!.policy,
  },
  'X-Search-Way': {
    text: `The way in which the text of a search was understood: ${ways.join(', ')}.`,
    presence: 'found',
    bytesMax: wayBytesMax,
    write: (target, at, _page, { way }) => writeAscii(target, at, way),
  },
  'X-Cost-Usd': {
    text: 'The price of this answer.',
    presence: 'paid',
    bytesMax: amountBytesMax,
    write: (target, at, _page, { costMicroUsd }) => writeUsd(target, at, costMicroUsd),
  },
  'X-Balance-Usd': {
    text: 'The amount that the account can still spend; to a key that may not see the account, what its cap has left, if it has one.',
    presence: 'balance',
    bytesMax: amountBytesMax,
    write: (target, at, _page, { balanceMicroUsd }) => writeUsd(target, at, balanceMicroUsd!),
  },
  'X-Key-Remaining-Usd': {
    text: 'The amount that the key can still spend under its cap; only if it has one.',
    presence: 'capped',
    bytesMax: amountBytesMax,
    write: (target, at, _page, { leftOfCapMicroUsd }) => writeUsd(target, at, leftOfCapMicroUsd!),
  },
  RateLimit: {
    text: 'Requests that are left, and seconds until all are there again.',
    presence: 'limited',
    begins: ({ rateLimit }) => rateLimit!.stateBegins,
    bytesMax: limitBytesMax,
    write: (target, at, { rateLimit }, { takenNs }) => rateLimit!.writeState(target, at, takenNs),
  },
} as const satisfies Readonly<Record<string, AnswerLine>>

/** The name of a line of an answer. */
type AnswerLineName = keyof typeof answerLines

/** The lines of an answer in their order. */
export const answerLineNames = Object.keys(answerLines) as AnswerLineName[]

/** The other headers, by name, with their descriptions. */
const otherHeaders = {
  'WWW-Authenticate': 'The scheme that a key is sent with.',
  Allow: 'The methods that the path answers.',
  Vary: 'The request headers that decide whose page may read the answer, and whether it is compressed.',
  'Content-Encoding': 'gzip: the body is compressed.',
  'Retry-After': 'Seconds to wait before asking again.',
  'Idempotent-Replay': 'true: the same was paid before under its Idempotency-Key.',
} as const

/** Descriptions of all response headers, by name. */
export const headerTexts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(answerLineNames.map((name) => [name, answerLines[name].text])),
  ...otherHeaders,
}

/** Keeps a browser from taking an answer for anything but its content type. */
export const noSniff = ['X-Content-Type-Options', 'nosniff'] as const

/** Keeps an answer that is valid only now out of every cache. */
export const noStore = ['Cache-Control', 'no-store'] as const
