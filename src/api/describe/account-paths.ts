/** The view of an account in OpenAPI: its path and its schemas. */
import { limits } from '../../limits.ts'
import { operations } from '../../operations.ts'
import { accountView } from '../operations/items.ts'
import { type Json, jsonSchemaOf } from '../schemas/json-schema.ts'
import { jsonResponse, object, reference } from './parts.ts'
import { problemReferences } from './problem-responses.ts'

export const accountSchemas: Json = {
  AccountView: jsonSchemaOf(accountView),
  AccountAnswer: object({
    duration: { type: 'number', minimum: 0, description: 'Seconds the request took.' },
    results: { type: 'array', items: reference('schemas', 'AccountView') },
  }),
}

const answerHeaders = ['X-Request-Id', 'X-Balance-Usd', 'Cache-Control']

const days = {
  name: 'days',
  in: 'query',
  description: 'Adds what was sold on each of so many UTC days, today included.',
  schema: { type: 'integer', minimum: 1, maximum: limits.ownUsageDaysMax },
}

export function accountPath(): Json {
  const { id, summary, text, paths } = operations.account
  const get = {
    operationId: id,
    tags: ['account'],
    summary,
    description: text,
    parameters: [days],
    responses: {
      200: jsonResponse('The answer.', 'AccountAnswer', answerHeaders),
      ...problemReferences('account'),
    },
  }
  return { [paths[0]]: { get } }
}
