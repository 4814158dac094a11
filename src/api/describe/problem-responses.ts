/** The responses that are problems: the places that can answer each, and its headers and members. */
import { type ProblemCode, problems, problemType } from '../../problems.ts'
import { limitLineNames } from '../pipeline/response-headers.ts'
import type { Json } from '../schemas/json-schema.ts'
import { headers, object, reference } from './parts.ts'

/**
 * A place that can answer a problem: queries, those about changes, those sent in a body, `/mcp`, the view of an
 * account, endpoints that need no key, those of them with a limit by address, or any unknown path.
 */
type Place = 'query' | 'history' | 'body' | 'mcp' | 'account' | 'open' | 'limited' | 'elsewhere'

const places: Readonly<Record<ProblemCode, readonly Place[]>> = {
  'invalid-parameter': ['query', 'history', 'body', 'account'],
  'malformed-request': ['query', 'history', 'body', 'mcp', 'account'],
  unauthorized: ['query', 'history', 'body', 'mcp', 'account'],
  'insufficient-balance': ['query', 'history', 'body'],
  'cap-reached': ['query', 'history', 'body'],
  'key-restricted': ['query', 'history', 'body', 'mcp'],
  'forbidden-origin': ['mcp'],
  'not-found': ['elsewhere'],
  'no-such-snapshot': ['history'],
  'method-not-allowed': ['query', 'history', 'body', 'mcp', 'account', 'open', 'limited'],
  'request-timeout': ['body', 'mcp'],
  'changes-gone': ['history'],
  'payload-too-large': ['body', 'mcp', 'account'],
  'unsupported-media-type': ['body'],
  'idempotency-key-reused': ['query', 'history', 'body'],
  'rate-limited': ['query', 'history', 'body', 'mcp', 'account', 'limited'],
  'internal-error': ['query', 'history', 'body', 'mcp', 'account', 'open', 'limited', 'elsewhere'],
  overloaded: ['body', 'mcp', 'account'],
  'no-snapshot': ['query', 'history', 'body'],
  'balance-elsewhere': ['query', 'history', 'body'],
  'ledger-unavailable': ['query', 'history', 'body', 'account'],
  'texts-unavailable': ['query', 'history', 'body'],
}

/** Headers that the problems of a status carry beside the request id. */
const problemHeaders: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

export function problemResponses(place: Place): Json {
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) =>
    places[code].includes(place),
  )
  const statuses = [...new Set(codes.map((code) => problems[code].status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => problems[code].status === status)
      return [String(status), problemResponse(place, status, ofStatus)]
    }),
  )
}

export function namedProblems(place: Place): Json {
  const entries = Object.entries(problemResponses(place))
  return Object.fromEntries(entries.map(([status, response]) => [`${place}-${status}`, response]))
}

export function problemReferences(place: Place): Json {
  const statuses = Object.keys(problemResponses(place))
  return Object.fromEntries(
    statuses.map((status) => [status, reference('responses', `${place}-${status}`)]),
  )
}

function problemResponse(place: Place, status: number, codes: readonly ProblemCode[]): Json {
  const always = ['X-Request-Id', 'X-Content-Type-Options', 'Cache-Control'] as const
  const isRoute = place === 'query' || place === 'history'
  const isAnsweredByProtocol = place === 'mcp' && status === 400
  const more = isRoute ? limitLineNames : place === 'mcp' ? ['Vary'] : []
  return {
    description: `${codes.map((code) => problems[code].title).join('; ')}.`,
    headers: headers([...always, ...more, ...(problemHeaders[status] ?? [])]),
    content: {
      'application/problem+json': { schema: problemSchema(codes) },
      ...(isAnsweredByProtocol && {
        'application/json': { schema: reference('schemas', 'JsonRpc') },
      }),
    },
  }
}

function problemSchema(codes: readonly ProblemCode[]): Json {
  const amountUsd = { type: 'number', minimum: 0 }
  const prices = codes.includes('insufficient-balance')
    ? { cost_usd: amountUsd, balance_usd: amountUsd }
    : {}
  const cap = codes.includes('cap-reached')
    ? {
        wall: { type: 'string', enum: ['account', 'key'] },
        cap_usd: amountUsd,
        remaining_usd: amountUsd,
        resets_at: { type: ['string', 'null'], format: 'date-time' },
      }
    : {}
  const oldest = codes.includes('changes-gone') ? { oldest: { type: 'string' } } : {}
  const properties = {
    type: { type: 'string', enum: codes.map((code) => `${problemType}${code}`) },
    title: { type: 'string', enum: codes.map((code) => problems[code].title) },
    status: { type: 'integer', enum: [problems[codes[0]!].status] },
    detail: { type: 'string', description: 'The cause of this error, in words.' },
    ...prices,
    ...cap,
    ...oldest,
    duration: { type: 'number', minimum: 0, description: 'Seconds the request took.' },
    request_id: { type: 'string', format: 'uuid' },
    results: { type: 'array', maxItems: 0, items: {}, description: 'Always empty.' },
  }
  return object(properties, Object.keys(cap))
}
