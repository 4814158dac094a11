/** The OpenAPI 3.1 document of the admin API, made from its table and its schemas. */
import * as z from 'zod'
import { adminScopes } from '../admin-scopes.ts'
import { limits } from '../limits.ts'
import { problemType } from '../problems.ts'
import { programVersion } from '../version.ts'
import { parametersIn, restOf, type ServedOperation, schemaJson } from './operation.ts'
import { adminRoot, servedOperations } from './operations.ts'

type Json = Readonly<Record<string, unknown>>

const problem = {
  description: 'A problem document (RFC 9457).',
  content: {
    'application/problem+json': {
      schema: schemaJson(
        z.object({
          type: z.string().describe(`${problemType}CODE`),
          title: z.string(),
          status: z.int(),
          detail: z.string().describe('The cause of this error, in words.'),
          request_id: z.uuid(),
          made: z
            .record(z.string(), z.string())
            .optional()
            .describe(
              'Only of made-before: the ids of what was made, by the names that they have in answers.',
            ),
        }),
      ),
    },
  },
}

const problems = {
  '4XX': { $ref: '#/components/responses/problem' },
  '5XX': { $ref: '#/components/responses/problem' },
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
      responses: { problem },
    },
  }
}

function operationJson(name: string, operation: ServedOperation): Json {
  const { scope, summary, text, result } = operation
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
      ...problems,
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
