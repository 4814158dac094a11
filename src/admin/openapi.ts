/** The OpenAPI 3.1 document of the admin API, made from its table and its schemas. */
import { adminScopes } from '../admin-scopes.ts'
import { limits } from '../limits.ts'
import { adminProblems, problems, problemType } from '../problems.ts'
import { programVersion } from '../version.ts'
import { parametersIn, restOf, type ServedOperation, schemaJson } from './operation.ts'
import { adminRoot, servedOperations } from './operations.ts'

type Json = Readonly<Record<string, unknown>>

const table = { ...problems, ...adminProblems }

const ofReads: readonly (keyof typeof table)[] = [
  ...(['invalid-parameter', 'malformed-request', 'unauthorized', 'forbidden-origin'] as const),
  ...(['scope-missing', 'not-found', 'no-such-thing', 'method-not-allowed'] as const),
  ...(['internal-error', 'overloaded', 'ledger-unavailable'] as const),
]
const ofChanges: typeof ofReads = [
  ...ofReads,
  ...(['refused', 'made-before', 'payload-too-large'] as const),
  ...(['unsupported-media-type', 'idempotency-key-reused'] as const),
]

export const adminProblemRows = Object.fromEntries(ofChanges.map((code) => [code, table[code]]))

const madeJson = {
  type: 'object',
  description:
    'Only of made-before: the ids of what was made, by the names that they have in answers.',
  additionalProperties: { type: 'string' },
}

/** Responses by their names, as `read-400`. */
const responses = {
  GET: responsesOf('read', ofReads),
  POST: responsesOf('change', ofChanges),
}

export function adminOpenApi(): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, row] of servedOperations) {
    const place = `${adminRoot}${row.path}`
    paths[place] = { ...paths[place], [row.method.toLowerCase()]: operationJson(name, row) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Authority Index, administration',
      version: programVersion,
      description:
        'Accounts, keys, money and what is served, on a listener of its own. Every change is written to the audit log.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The listener that this document came from.' }],
    security: [{ adminKey: [] }],
    tags: adminScopes.map((name) => ({ name, description: `Needs the scope ${name}.` })),
    paths,
    components: {
      securitySchemes: {
        adminKey: { type: 'http', scheme: 'bearer', description: 'An admin key, `aik_admin_…`.' },
      },
      responses: { ...responses.GET, ...responses.POST },
    },
  }
}

function operationJson(name: string, operation: ServedOperation): Json {
  const { method, scope, summary, text, result } = operation
  const references = Object.keys(responses[method]).map((each) => [
    each.replace(/^\w+-/, ''),
    { $ref: `#/components/responses/${each}` },
  ])
  return {
    operationId: name,
    tags: [scope],
    summary,
    description: `${text} Needs the scope ${scope}.`,
    ...parametersOf(operation),
    responses: {
      200: {
        description: 'The answer.',
        content: { 'application/json': { schema: schemaJson(result) } },
      },
      ...Object.fromEntries(references),
    },
  }
}

function parametersOf(operation: ServedOperation): Json {
  const inPath = parametersIn(operation).map((name) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }))
  const schema = schemaJson(restOf(operation))
  if (operation.method === 'POST') {
    const requestBody = { required: true, content: { 'application/json': { schema } } }
    return { parameters: [...inPath, idempotencyKey], requestBody }
  }
  const { properties = {}, required = [] } = schema
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema },
  }))
  return { parameters: [...inPath, ...inQuery] }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Visible characters that no other change has. The same request under the same key again changes nothing: it is a 409, whose `made` has the ids of what was made.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: limits.idempotencyKeyCharactersMax,
    pattern: '^[!-~]+$',
  },
}

function responsesOf(kind: string, codes: typeof ofReads): Json {
  const statuses = [...new Set(codes.map((code) => table[code].status))]
  const named = statuses.map((status) => {
    const ofStatus = codes.filter((code) => table[code].status === status)
    const description = `${ofStatus.map((code) => table[code].title).join('; ')}.`
    const schema = {
      type: 'object',
      required: ['type', 'title', 'status', 'detail', 'request_id'],
      properties: {
        type: { type: 'string', enum: ofStatus.map((code) => `${problemType}${code}`) },
        title: { type: 'string' },
        status: { type: 'integer', const: status },
        detail: { type: 'string', description: 'The cause of this error, in words.' },
        request_id: { type: 'string', format: 'uuid' },
        ...(ofStatus.includes('made-before') && { made: madeJson }),
      },
    }
    return [
      `${kind}-${status}`,
      { description, content: { 'application/problem+json': { schema } } },
    ]
  })
  return Object.fromEntries(named)
}
