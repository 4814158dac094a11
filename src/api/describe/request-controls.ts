/** The headers that all operations take beside their own parameters. */
import { limits } from '../../limits.ts'

export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETags of earlier answers; when one still holds, the answer is 304 and free.',
  schema: { type: 'string' },
}

export const idempotencyKey = {
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
