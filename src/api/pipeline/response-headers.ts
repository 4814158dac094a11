/** Every response header but those of the transport. CORS, OpenAPI and the API guide are made from these tables. */
import { ways } from '../../engine/interpret/found.ts'

/** Keeps a paid answer out of shared caches. */
export const ownCache = ['Cache-Control', 'private, no-cache'] as const

/** The lines of an answer in their order, with their descriptions; only some answers have those from `RateLimit-Policy` on. */
const answerLines = {
  'X-Request-Id': 'Names this request in the log.',
  'X-Snapshot-Id': 'The snapshot that answered.',
  ETag: 'Stands for the snapshot and the request, of a POST for the snapshot; send it as If-None-Match.',
  'Cache-Control':
    'Whether the answer may be stored: by the client, which revalidates it before use, or not at all.',
  'Content-Type': 'Always application/json.',
  'X-Content-Type-Options': 'Always nosniff.',
  'Keep-Alive': 'Seconds for which a connection may be sent on again; it is closed soon after.',
  'RateLimit-Policy': 'Requests that the account may send, and in how many seconds.',
  'X-Search-Way': `The way in which the text of a search was understood: ${ways.join(', ')}.`,
  'X-Cost-Usd': 'The price of this answer.',
  'X-Balance-Usd':
    'The amount that the account can still spend; to a key that may not see the account, what its cap has left, if it has one.',
  'X-Key-Remaining-Usd':
    'The amount that the key can still spend under its cap; only if it has one.',
  RateLimit: 'Requests that are left, and seconds until all are there again.',
} as const

export type AnswerLineName = keyof typeof answerLines

export const answerLineNames = Object.keys(answerLines) as AnswerLineName[]

/** Lines that only an answer under a limit has. */
export const limitLineNames: readonly AnswerLineName[] = ['RateLimit-Policy', 'RateLimit']

const otherHeaders = {
  'WWW-Authenticate': 'The scheme that a key is sent with.',
  Allow: 'The methods that the path answers.',
  Vary: 'The request headers that decide whose page may read the answer, and whether it is compressed.',
  'Content-Encoding': 'gzip: the body is compressed.',
  'Retry-After': 'Seconds to wait before asking again.',
  'Idempotent-Replay': 'true: the same was paid before under its Idempotency-Key.',
} as const

export const headerTexts: Readonly<Record<string, string>> = {
  ...answerLines,
  ...otherHeaders,
}

/** Keeps a browser from taking an answer for anything but its content type. */
export const noSniff = ['X-Content-Type-Options', 'nosniff'] as const

/** Keeps an answer that is valid only now out of every cache. */
export const noStore = ['Cache-Control', 'no-store'] as const
