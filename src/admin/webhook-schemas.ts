/** The schemas of requests about endpoints of webhooks, and of their answers. */
import * as z from 'zod'
import { parseThreshold } from '../money.ts'

const time = z.iso.datetime().nullable()

/** An endpoint. */
export const endpointSchema = z.object({
  endpoint: z.string(),
  account: z.string().nullable().describe('null for an endpoint of the operator'),
  url: z.string(),
  events: z.array(z.string()),
  below: z.array(z.string()).describe('USD, or percent of the last top-up'),
  sdus: z.array(z.string()),
  state: z.enum(['paused', 'failing', 'active']),
  pending: z.number().int(),
  given_up: z.array(z.string()).describe('ids of the last events that were given up'),
  last_failure: z.string().nullable(),
  created: time,
  delivered: time,
  failing_since: time,
  paused: time,
})

/** An endpoint with a new secret. */
export const endpointSecretSchema = z.object({
  endpoint: z.string(),
  secret: z.string().describe('the secret, which is shown only now'),
})

/** An endpoint that was removed. */
export const removedEndpointSchema = z.object({ removed: z.literal(true) })

/** Number of events that a replay sends again. */
export const replayedSchema = z.object({ events: z.number().int().describe('to be sent again') })

const threshold = z.string().transform((text, context) => {
  const read = parseThreshold(text)
  if (read !== undefined) return read
  context.addIssue({ code: 'custom', message: 'takes an amount in USD above 0, or 1% to 100%' })
  return z.NEVER
})

/** Bodies of changes of endpoints. */
export const webhookBodies = {
  add: z.strictObject({
    url: z.string(),
    account: z.string().nullable().default(null).describe('null for an endpoint of the operator'),
    events: z
      .array(z.string())
      .default([])
      .describe('types; all that it may get where it is empty'),
    below: z.array(threshold).default([]).describe('thresholds of balance.below, as 5 or 20%'),
    sdus: z.array(z.string()).default([]).describe('of authority.changed'),
  }),
  rotation: z.strictObject({
    overlap: z
      .number()
      .int()
      .min(0)
      .max(3_155_760_000)
      .default(86_400)
      .describe('seconds for which the secret before signs, too'),
  }),
} as const

/** Outcome of a test at its receiver. */
export const testedSchema = z.object({
  delivered: z.boolean(),
  failure: z.string().nullable().describe('why it did not take the event; null when it did'),
})
