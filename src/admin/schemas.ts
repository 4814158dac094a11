/**
 * The schemas of requests to the admin API and of its answers: requests are read by them, and OpenAPI is made from
 * them. An unknown member is refused.
 */
import * as z from 'zod'
import { adminScopes } from '../admin-scopes.ts'
import { eventKinds } from '../ledger/events.ts'
import { limits } from '../limits.ts'
import { capPeriods, parseUsd } from '../money.ts'

const time = z.iso.datetime().describe('ISO 8601 in UTC')
const timeOrNone = time.nullable()
const usd = z.number().describe('USD, exact to six decimals')

/** An amount in USD as it is asked for, read as micro-USD. */
export const amount = z.number().transform((value, context) => {
  const microUsd = parseUsd(String(Math.abs(value)))
  if (microUsd !== undefined) return Math.sign(value) * microUsd
  context.addIssue({ code: 'custom', message: 'takes an amount in USD with at most six decimals' })
  return z.NEVER
})

/** A duration of at most a hundred years. */
export const seconds = z.number().int().min(0).max(3_155_760_000)

/** The life of a key. */
export const lifetime = seconds
  .min(1)
  .nullable()
  .default(null)
  .describe('seconds; null is without end')

/** The label of a key. */
export const label = z.string().nullable().default(null).describe('what it is for')

/** Parameters of a page of a list. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(limits.adminPageMax).default(50),
  cursor: z.string().max(256).optional().describe('`next_cursor` of the page before'),
}

/** A page of a list. */
export function listedPage<T extends z.ZodType>(item: T) {
  const next = z.string().nullable().describe('null on the last page')
  return z.object({ results: z.array(item), next_cursor: next })
}

/** An account. */
export const accountSchema = z.object({
  account: z.string(),
  balance_usd: usd,
  credited_usd: usd,
  charged_usd: usd,
  state: z.enum(['active', 'suspended']),
  created: time,
})

/** An account after a credit. */
export const creditedSchema = accountSchema.extend({
  credited: z.boolean().describe('false when the reference was credited before'),
})

/** The state of an account after a change of it. */
export const accountStateSchema = z.object({
  state: z.enum(['active', 'suspended']),
  changed: z.boolean().describe('false when it was so before'),
})

const chargeSchema = z.object({
  day: z.iso.date(),
  route: z.string(),
  queries: z.number().int(),
  amount_usd: usd,
})

/** An account with its credits and charges. */
export const statementSchema = accountSchema.extend({
  credits: z.array(
    z.object({
      time,
      amount_usd: usd,
      reference: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  charges: z.array(chargeSchema),
})

/** The usage of an account. */
export const usageSchema = z.object({
  account: z.string(),
  results: z.array(
    chargeSchema.extend({
      key_id: z.string().optional(),
    }),
  ),
})

/** The nodes of a ledger in a database. */
export const nodesSchema = z.object({
  results: z.array(
    z.object({
      node: z.string(),
      since: time,
      leased_until: time,
      state: z.enum(['selling', 'late']).describe('late: not heard of in time'),
      accounts: z.number().int().describe('of which it holds some'),
      leased_usd: usd.describe('what it may still sell'),
    }),
  ),
})

const cap = z.object({ amount_usd: usd, period: z.enum(capPeriods) })
const terms = z.object({
  cap: cap.optional(),
  scopes: z.array(z.string()).optional(),
  requests_per_second: z.number().int().optional(),
  addresses: z.array(z.string()).optional(),
})

/** A key. */
export const keySchema = z.object({
  key_id: z.string(),
  account: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  label: z.string().nullable(),
  created: time,
  expires: timeOrNone,
  revoked: timeOrNone,
  secrets: z
    .array(z.object({ created: time, ends: timeOrNone }))
    .describe('the oldest first; all but the last have an end'),
  terms: terms.optional().describe('what restricts it'),
  spent_usd: usd.optional(),
  spent_of_cap_usd: usd.optional().describe('the same in the period of the cap'),
})

/** A key after a change of it. */
export const setKeySchema = z.object({
  key_id: z.string(),
  label: z.string().nullable(),
  expires: timeOrNone,
  terms: terms.optional(),
})

/** A key that was just made. */
export const issuedKeySchema = z.object({
  key: z.string().describe('the text of the key, which is shown only now'),
  key_id: z.string(),
  label: z.string().nullable(),
  expires: timeOrNone,
})

/** A key that was rotated. */
export const rotatedKeySchema = issuedKeySchema.extend({
  replaced: z.object({ expires: time.describe('when the text before ends') }),
})

/** A key that was revoked. */
export const revokedKeySchema = z.object({
  revoked: z.boolean().describe('false when it had been revoked'),
})

/** An admin key. */
export const adminKeySchema = z.object({
  admin_key_id: z.string(),
  label: z.string().nullable(),
  scopes: z.array(z.enum(adminScopes)),
  created: time,
  expires: timeOrNone,
  revoked: timeOrNone,
  digest: z.string(),
})

/** The price of each query. */
export const pricesSchema = z.object({ prices_usd: z.record(z.string(), usd) })

/** The result of a proof of the books. */
export const proofSchema = z.object({
  balanced: z.boolean(),
  accounts: z.number().int(),
  rows: z.number().int(),
  keys: z.number().int(),
  balance_usd: usd,
  held: z
    .object({ live_usd: usd, reserved_usd: usd, uncommitted_usd: usd })
    .nullable()
    .describe('what a service held with its last charges; null where none says so'),
  contradictions: z.array(z.string()),
})

const facts = z.record(z.string(), z.unknown())

/** An entry of the audit log. */
export const entrySchema = z.object({
  number: z.number().int(),
  time,
  actor: z.string(),
  from: z.string(),
  action: z.string(),
  subject: z.string(),
  details: facts,
  before: facts.nullable(),
  after: facts.nullable(),
})

/** Parameters of the list of events. */
export const eventsQuery = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('`number` of the last event that was seen'),
  limit: pageQuery.limit,
})

/** An event. */
export const eventSchema = z.object({
  number: z.number().int(),
  time,
  kind: z.enum(eventKinds),
  subject: z
    .string()
    .describe('name of an account, id of a key or a snapshot, or fingerprint of a source'),
  details: facts,
})

/** Members of a change of terms: an absent member stays as it is, null takes it away. */
export const termsBody = {
  cap: z
    .strictObject({ amount_usd: amount, period: z.enum(capPeriods) })
    .nullable()
    .optional(),
  scopes: z.array(z.string()).nullable().optional().describe('operations, mcp, account'),
  requests_per_second: z.number().nullable().optional(),
  addresses: z.array(z.string()).nullable().optional().describe('addresses and networks'),
}

/** A change of terms as it is read. */
export type TermsBody = z.output<z.ZodObject<typeof termsBody>>
