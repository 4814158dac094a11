/** What OpenAPI says of the view of an account: its paths and its schemas. */
import { operations } from '../../operations.ts'
import { accountView } from '../account/schema.ts'
import { type Json, jsonSchemaOf } from '../schemas/json-schema.ts'
import { jsonResponse, object, reference } from './parts.ts'
import { problemReferences } from './problem-responses.ts'

/** The schemas, by name. */
export const accountSchemas: Json = {
  AccountView: jsonSchemaOf(accountView),
  AccountAnswer: object({
    duration: { type: 'number', minimum: 0, description: 'Seconds the request took.' },
    results: { type: 'array', items: reference('schemas', 'AccountView') },
  }),
}

/** The operation in both path forms. */
export function accountPaths(): Json {
  const { id, summary, text, paths } = operations.account
  const form = (suffix: string) => ({
    get: {
      operationId: `${id}${suffix}`,
      tags: ['account'],
      summary,
      description: text,
      responses: {
        200: jsonResponse('The answer.', 'AccountAnswer', ['X-Request-Id', 'Cache-Control']),
        ...problemReferences('account'),
      },
    },
  })
  return { [paths[0]]: form(''), [paths[1]]: form('Slash') }
}
