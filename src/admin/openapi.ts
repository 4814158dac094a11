/** The OpenAPI 3.1 document of the admin API, made from its table and its schemas. */
import { adminScopes } from '../admin-scopes.ts'
import { limits } from '../limits.ts'
import { adminProblems, problems, problemType } from '../problems.ts'
import { programVersion } from '../version.ts'
import { parametersIn, restOf, type ServedOperation, schemaJson } from './operation.ts'
import { adminRoot, servedOperations } from './operations.ts'

type Json = Readonly<Record<string, unknown>>

const everywhere = [
  ...(['invalid-parameter', 'malformed-request', 'unauthorized', 'forbidden-origin'] as const),
  ...(['scope-missing', 'not-found', 'no-such-thing', 'method-not-allowed'] as const),
  ...(['internal-error', 'overloaded', 'ledger-unavailable'] as const),
] as const
const ofChanges = [
  ...(['request-timeout', 'refused', 'made-before', 'payload-too-large'] as const),
  ...(['unsupported-media-type', 'idempotency-key-reused'] as const),
] as const

const table = { ...problems, ...adminProblems }

export const adminProblemRows = Object.fromEntries(
  [...everywhere, ...ofChanges].map((code) => [code, table[code]]),
)

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
      responses: Object.fromEntries([
        ...responsesOf('read', everywhere),
        ...responsesOf('change', [...everywhere, ...ofChanges]),
      ]),
    },
  }
}

function operationJson(name: string, operation: ServedOperation): Json {
  const { method, scope, summary, text, result, file } = operation
  const isChange = method === 'POST'
  const kind = isChange ? 'change' : 'read'
  const codes = isChange ? [...everywhere, ...ofChanges] : everywhere
  const statuses = new Set(codes.map((code) => String(table[code].status)))
  return {
    operationId: name,
    tags: [scope],
    summary,
    description: `${text} Needs the scope ${scope}.`,
    parameters: parametersOf(operation),
    ...(isChange && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaJson(restOf(operation)) } },
      },
    }),
    responses: {
      200: {
        description: 'The answer.',
        content: {
          'application/json': { schema: schemaJson(result) },
          ...(file && { 'text/csv': {} }),
        },
      },
      ...Object.fromEntries(
        [...statuses].map((status) => [
          status,
          { $ref: `#/components/responses/${kind}-${status}` },
        ]),
      ),
    },
  }
}

function parametersOf(operation: ServedOperation): Json[] {
  const inPath = parametersIn(operation).map((name) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }))
  if (operation.method === 'POST') return [...inPath, idempotencyKey]
  const { properties = {}, required = [] } = schemaJson(restOf(operation)) as {
    properties?: Record<string, Json>
    required?: readonly string[]
  }
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema },
  }))
  return [...inPath, ...inQuery]
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

const madeJson = {
  type: 'object',
  description:
    'Only of made-before: the ids of what was made, by the names that they have in answers.',
  additionalProperties: { type: 'string' },
}

function responsesOf(kind: string, codes: readonly (keyof typeof table)[]): [string, Json][] {
  const statuses = [...new Set(codes.map((code) => table[code].status))]
  return statuses.map((status) => {
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
}
