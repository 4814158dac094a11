/**
 * The OpenAPI 3.1 document without prices and contacts, made from the tables that the service runs by: operations,
 * parameters, header lines and problems. This file holds only what no table holds.
 */
import * as z from 'zod'
import { limits } from '../../limits.ts'
import type { OpenOperation, OpenReply, Route } from '../../operation.ts'
import {
  type GetRouteName,
  isAnswered,
  type OpenOperationName,
  openNames,
  operations,
  type PostRouteName,
  postRouteNames,
  type RouteName,
  routeNames,
} from '../../operations.ts'
import { accountView, chosenSchema, envelopeShape, itemSchemas } from '../operations/items.ts'
import { answerLineNames, headerTexts, limitLineNames } from '../pipeline/response-headers.ts'
import { described, type Field, membersOf, parametersOf, takes } from '../schemas/inputs.ts'
import { type Json, jsonSchemaOf } from '../schemas/json-schema.ts'
import { headers, jsonResponse, object, reference } from './parts.ts'
import { namedProblems, problemReferences, problemResponses } from './problem-responses.ts'

/** The document; `openapi.ts` completes it. Schemas from zod take long to make. */
export function unpricedDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Authority Index',
      version: '1.0.0',
      summary: 'A read-only index of verified human authorities, ranked by topic.',
      description: overview,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that this document came from.' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'queries', description: 'Paid for from the balance of the account.' },
      { name: 'tools', description: 'The same queries as tools of the Model Context Protocol.' },
      { name: 'account', description: 'The account of the customer; free.' },
      { name: 'operation', description: 'Health and state of the service; no key is needed.' },
    ],
    paths: {
      ...Object.fromEntries(routeNames.map(routePath)),
      [operations.mcp.paths[0]]: { post: mcpOperation },
      [operations.account.paths[0]]: { get: accountOperation },
      ...Object.fromEntries(openNames.map((name) => [operations[name].paths[0], openPath(name)])),
    },
    'x-responses-elsewhere': problemResponses('elsewhere'),
    components: {
      securitySchemes: { apiKey: securityScheme },
      headers: Object.fromEntries(Object.entries(headerTexts).filter(isHeader).map(headerEntry)),
      responses: Object.assign(
        {},
        ...(['query', 'history', 'body', 'mcp', 'account', 'open', 'limited'] as const).map(
          namedProblems,
        ),
      ),
      schemas: namedSchemas(),
    },
  }
}

const overview = [
  'Every path under /api/ and that of MCP stand here once, without a slash at the end; with it they are answered alike, and every parameter in both spellings.',
  'Several values go into the parameter repeated, or into one parameter, separated by commas; a percent-encoded comma is part of a handle or a name.',
  'Errors are problem documents (RFC 9457) that carry the members of the envelope too.',
  'Only answers with status 200 are charged. Any other path is answered with 404, but for the pages of the explorer.',
].join(' ')

const securityScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'The API key of an account: `Authorization: Bearer <API_KEY>`.',
}

/** OpenAPI has another place for the content type. */
function isHeader([name]: [string, string]): boolean {
  return name !== 'Content-Type'
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETags of earlier answers; when one still holds, the answer is 304 and free.',
  schema: { type: 'string' },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any visible characters that no other request has. Within ten minutes the same request under the same key is answered again and not charged again, up to ' +
    `${limits.idempotencyRepeatsMax} times. A service that was started again, and another node, charge it once more.`,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: limits.idempotencyKeyCharactersMax,
    pattern: '^[!-~]+$',
  },
}

/** Headers that only some answers of a status have. */
const sometimes: ReadonlySet<string> = new Set([
  ...limitLineNames,
  'X-Key-Remaining-Usd',
  'Idempotent-Replay',
  'Content-Encoding',
  'Vary',
])

function headerEntry([name, description]: [string, string]): [string, Json] {
  const required = !sometimes.has(name)
  return [name, { description, required, schema: { type: 'string' } }]
}

/** The path of a route: generators would make two operations of two forms of it. */
function routePath(route: RouteName): [string, Json] {
  const operation = {
    ...(isGetRoute(route) && { get: routeOperation(route) }),
    ...(isPostRoute(route) && { post: bodyOperation(route) }),
  }
  return [operations[route].paths[0], operation]
}

function isGetRoute(route: RouteName): route is GetRouteName {
  return isAnswered(route, 'GET')
}

function isPostRoute(route: RouteName): route is PostRouteName {
  return isAnswered(route, 'POST')
}

/** The headers of an answer, but for the one that OpenAPI has elsewhere. */
function paidHeaders(route: RouteName): string[] {
  const names = answerLineNames.filter(
    (name) => name !== 'Content-Type' && (name !== 'X-Search-Way' || operations[route].saysWay),
  )
  return [...names, 'Idempotent-Replay', 'Content-Encoding', 'Vary']
}

const freeHeaders = ['X-Request-Id', 'X-Snapshot-Id', 'ETag', 'Cache-Control', ...limitLineNames]

const notModified = {
  description: 'The ETag still holds; not charged.',
  headers: headers(freeHeaders),
}

/** Members that the operations of a route by all methods have in common; the price has its place. */
function queryOperation(route: RouteName): Json {
  const { summary, text } = operations[route]
  return { tags: ['queries'], summary, description: text, 'x-price-usd': 0 }
}

/** The schema of a body, its members with their descriptions. */
function bodySchema(route: PostRouteName): Json {
  const members = membersOf(route).map(({ name, schema, text }) => [name, described(schema, text)])
  return jsonSchemaOf(z.strictObject(Object.fromEntries(members)))
}

function bodyOperation(route: PostRouteName): Json {
  const { id } = operations[route]
  const example = Object.fromEntries(membersOf(route).map((each) => [each.name, each.example]))
  const content = { 'application/json': { schema: bodySchema(route), example } }
  return {
    ...queryOperation(route),
    operationId: `${id}${isGetRoute(route) ? 'ByBody' : ''}`,
    parameters: [ifNoneMatch, idempotencyKey],
    requestBody: { required: true, content },
    responses: {
      200: jsonResponse('The answer.', answerName(route, true), paidHeaders(route)),
      304: notModified,
      ...problemReferences('body'),
    },
  }
}

function routeOperation(route: GetRouteName): Json {
  const { id, about, paths }: Route = operations[route]
  return {
    ...queryOperation(route),
    operationId: id,
    parameters: [
      ...parametersOf(route).flatMap((field) => spelledParameters(field, paths[0])),
      ifNoneMatch,
      idempotencyKey,
    ],
    responses: {
      200: jsonResponse('The answer.', answerName(route), paidHeaders(route)),
      304: notModified,
      ...problemReferences(about === 'changes' ? 'history' : 'query'),
    },
  }
}

/** A parameter in each of its spellings; one that has two cannot be required in both. */
function spelledParameters(field: Field, path: string): Json[] {
  const { name, text, example, spellings, isRequired: required } = field
  const isInPath = path.includes(`{${name}}`)
  const schema = jsonSchemaOf(field.schema)
  // Repeated, because some generators would percent-encode the commas between values.
  const list = schema.type === 'array' ? { style: 'form', explode: true } : {}
  const isOne = spellings.length === 1
  const need = required ? ` Required${isOne ? '' : ' in either spelling'}.` : ''
  return spellings.map((spelling) => ({
    name: spelling,
    in: isInPath ? 'path' : 'query',
    required: required && isOne,
    description: `${text}${need}`,
    ...list,
    schema,
    example,
  }))
}

/** The name of the schema of a route's answer, to a body another where there may be nulls in it. */
function answerName(route: RouteName, isPosted = false): string {
  return `${capitalized(route)}${isPosted && isGetRoute(route) ? 'Body' : ''}Answer`
}

function capitalized(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`
}

function answerSchema(route: RouteName, isPosted = false): Json {
  const item = reference('schemas', capitalized(operations[route].item))
  const nobody = isPosted ? [{ type: 'null' }] : []
  const items = takes(route, 'fields')
    ? { anyOf: [item, reference('schemas', 'Chosen'), ...nobody] }
    : item
  const shape = Object.entries(envelopeShape(route))
  const json = shape.map(([name, schema]) => [name, jsonSchemaOf(schema)])
  const optional = shape.filter(([, schema]) => schema.safeParse(undefined).success)
  return object(
    { ...Object.fromEntries(json), results: { type: 'array', items } },
    optional.map(([name]) => name),
  )
}

const time = { type: ['string', 'null'], format: 'date-time' }

/** The body of `/readyz`; a later version may say more. */
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
    held_back: {
      type: ['object', 'null'],
      description: 'Why the last sync published nothing, and since when.',
    },
    last_sync: { ...time, description: 'When a sync succeeded last.' },
    threads: { type: 'integer' },
    thread_deaths: { type: 'integer' },
    ledger_available: { type: 'boolean', description: 'Whether charges can be recorded.' },
    ledger_failure: {
      type: ['string', 'null'],
      description: 'Why charges cannot be recorded.',
    },
    ledger_balanced: { type: 'boolean', description: 'Whether every account adds up.' },
  },
  additionalProperties: true,
}

/** All named schemas but those of problems. */
function namedSchemas(): Json {
  const items = Object.entries(itemSchemas).map(([name, schema]) => [
    capitalized(name),
    jsonSchemaOf(schema),
  ])
  return {
    ...Object.fromEntries(items),
    Chosen: jsonSchemaOf(chosenSchema),
    ...Object.fromEntries(routeNames.map((route) => [answerName(route), answerSchema(route)])),
    ...Object.fromEntries(
      postRouteNames
        .filter(isGetRoute)
        .map((route) => [answerName(route, true), answerSchema(route, true)]),
    ),
    AccountView: jsonSchemaOf(accountView),
    AccountAnswer: object({
      duration: { type: 'number', minimum: 0, description: 'Seconds the request took.' },
      results: { type: 'array', items: reference('schemas', 'AccountView') },
    }),
    Health: object({ status: { type: 'string', enum: ['ok'] } }),
    Readiness: readiness,
    JsonRpc: {
      type: 'object',
      required: ['jsonrpc'],
      properties: { jsonrpc: { type: 'string', enum: ['2.0'] } },
      additionalProperties: true,
    },
  }
}

const rpc = { schema: reference('schemas', 'JsonRpc') }

/** An error of the protocol itself, as JSON-RPC has it. */
function protocolError(description: string): Json {
  const names = ['X-Request-Id', 'X-Content-Type-Options', 'Vary'] as const
  return { description, headers: headers([...names]), content: { 'application/json': rpc } }
}

const mcpOperation = {
  operationId: operations.mcp.id,
  tags: ['tools'],
  summary: operations.mcp.summary,
  description: operations.mcp.text,
  parameters: [idempotencyKey],
  requestBody: { required: true, content: { 'application/json': rpc } },
  responses: {
    200: {
      description: 'The answer to a request, at once or as an event stream.',
      headers: {
        ...headers(['X-Request-Id', 'X-Content-Type-Options', 'Vary']),
        'Cache-Control': {
          description: headerTexts['Cache-Control'],
          schema: { type: 'string' },
        },
        'X-Accel-Buffering': {
          description: 'Tells a proxy to pass events on at once.',
          schema: { type: 'string' },
        },
      },
      content: {
        'application/json': rpc,
        'text/event-stream': { schema: { type: 'string' } },
      },
    },
    202: {
      description: 'A notification was taken.',
      headers: headers(['X-Request-Id', 'X-Content-Type-Options', 'Vary']),
    },
    ...problemReferences('mcp'),
    406: protocolError('The client takes neither JSON nor an event stream.'),
    415: protocolError('The body is not JSON.'),
  },
}

const accountOperation = {
  operationId: operations.account.id,
  tags: ['account'],
  summary: operations.account.summary,
  description: operations.account.text,
  parameters: [
    {
      name: 'days',
      in: 'query',
      description: 'Adds what was sold on each of so many UTC days, today included.',
      schema: { type: 'integer', minimum: 1, maximum: limits.ownUsageDaysMax },
    },
  ],
  responses: {
    200: jsonResponse('The answer.', 'AccountAnswer', [
      'X-Request-Id',
      'X-Balance-Usd',
      'Cache-Control',
    ]),
    ...problemReferences('account'),
  },
}

function openPath(name: OpenOperationName): Json {
  const { id, summary, text, replies, isLimited = false }: OpenOperation = operations[name]
  const entries = Object.entries<OpenReply>(replies)
  const isReady = entries.some(([, reply]) => reply.isReady)
  const unchanged = {
    description: 'The ETag still holds.',
    headers: headers(['X-Request-Id', ...readyHeaders]),
  }
  return {
    get: {
      operationId: id,
      tags: ['operation'],
      summary,
      description: text,
      security: [],
      ...(isReady && { parameters: [ifNoneMatch] }),
      responses: {
        ...Object.fromEntries(entries.map(([status, reply]) => [status, openResponse(reply)])),
        ...(isReady && { 304: unchanged }),
        ...problemReferences(isLimited ? 'limited' : 'open'),
      },
    },
  }
}

const readyHeaders = ['ETag', 'Vary', 'Cache-Control']

function openResponse({ text, type, schema: name, isReady }: OpenReply): Json {
  const isJson = type === 'application/json'
  const any = isJson ? { type: 'object', additionalProperties: true } : { type: 'string' }
  const schema = name === undefined ? any : reference('schemas', name)
  const names = isReady ? readyHeaders : ['Cache-Control']
  return {
    description: text,
    headers: {
      ...headers(['X-Request-Id', ...names, 'X-Content-Type-Options']),
      ...(isReady && { 'Content-Encoding': contentEncoding }),
    },
    content: { [type]: { schema } },
  }
}

const contentEncoding = {
  description: 'The encoding of the body; missing where it is plain.',
  schema: { type: 'string' },
}
