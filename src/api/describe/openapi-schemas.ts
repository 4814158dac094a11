/**
 * What answers look like, as the schemas of the OpenAPI document (JSON Schema 2020-12). A problem
 * has one schema for each status, made from the table of problems. Objects are open: a client must
 * ignore a member it does not know.
 */
import type { RouteName } from '../../operations.ts'
import { type ProblemCode, problems, problemType } from '../../problems.ts'
import { limits } from '../../limits.ts'
import type { Route } from '../routes.ts'

/** A JSON Schema, or any other part of the document. */
export type Json = Readonly<Record<string, unknown>>

/** A reference to a component. */
export function reference(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

/** An object whose members are all present, but for those named. */
function object(properties: Json, optional: readonly string[] = []): Json {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', required, properties }
}

const text = { type: 'string' }
const sdu = { type: 'string', pattern: `^[0-9]{1,${limits.sduDigitsMax}}$` }
const duration = { type: 'number', minimum: 0, description: 'Seconds the request took.' }
const requestId = { type: 'string', format: 'uuid' }
const amountUsd = { type: 'number', minimum: 0 }

const summaryMembers = {
  sdu,
  name: text,
  rank: { type: 'integer', minimum: 1, description: 'Position, 1 being the top.' },
  country_name: { type: 'string', description: 'In English; empty when it is not known.' },
  topic: { type: 'string', description: 'Core topic of the authority.' },
}

const handle = {
  type: 'string',
  description: 'The handle that this item answers, as it was sent; when several were sent.',
}

const socials = {
  type: 'object',
  description: 'Handles by platform.',
  additionalProperties: object({ handle: text, followers: { type: 'integer', minimum: 0 } }),
}

const profile = object({
  sdu,
  name: text,
  bio: text,
  country: { type: 'string', description: 'In English; empty when it is not known.' },
  topics: { type: 'array', items: text, description: 'All topics, the core topic first.' },
  socials,
  authority_score: { type: 'number', minimum: 0, maximum: 100 },
  website: { type: ['string', 'null'] },
})

const time = { type: ['string', 'null'], format: 'date-time' }

/** What `/readyz` tells; a later version may tell more. */
const readiness = {
  type: 'object',
  required: ['ready'],
  properties: {
    ready: { type: 'boolean' },
    snapshot_id: { type: ['string', 'null'] },
    served_since: time,
    pinned: { type: 'boolean' },
    swaps: { type: 'integer' },
    refusals: { type: 'integer', description: 'Snapshots that could not be served.' },
    last_refusal: { type: ['object', 'null'] },
    threads: { type: 'integer' },
    thread_deaths: { type: 'integer' },
    ledger_available: { type: 'boolean', description: 'Whether charges can be recorded.' },
  },
  additionalProperties: true,
}

const items: Readonly<Record<RouteName, string>> = {
  search: 'Summary',
  detail: 'Profile',
  peers: 'Summary',
  match: 'Match',
}

/** The name of the schema of a route's answer. */
export function answerName({ name }: Route): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}Answer`
}

/** The schema of a route's answer. */
function answer({ name, requestIdInBody }: Route): Json {
  const results = { type: 'array', items: reference('schemas', items[name]) }
  return object(
    requestIdInBody ? { duration, request_id: requestId, results } : { duration, results },
  )
}

/** The schema of the problems of one status; all of them carry the members of the envelope. */
export function problemSchema(codes: readonly ProblemCode[]): Json {
  const status = problems[codes[0]!].status
  const prices = codes.includes('insufficient-balance')
    ? { cost_usd: amountUsd, balance_usd: amountUsd }
    : {}
  return object({
    type: { type: 'string', enum: codes.map((code) => `${problemType}${code}`) },
    title: { type: 'string', enum: codes.map((code) => problems[code].title) },
    status: { type: 'integer', const: status },
    detail: { type: 'string', description: 'What was wrong this time, for a person.' },
    ...prices,
    duration,
    request_id: requestId,
    results: { type: 'array', maxItems: 0, items: {}, description: 'Always empty.' },
  })
}

/** All named schemas but those of problems. */
export function schemas(routes: readonly Route[]): Json {
  return {
    Summary: object(summaryMembers),
    Match: object({ ...summaryMembers, handle }, ['handle']),
    Profile: profile,
    ...Object.fromEntries(routes.map((route) => [answerName(route), answer(route)])),
    Health: object({ status: { const: 'ok' } }),
    Readiness: readiness,
    JsonRpc: {
      type: 'object',
      required: ['jsonrpc'],
      properties: { jsonrpc: { const: '2.0' } },
      additionalProperties: true,
    },
  }
}
