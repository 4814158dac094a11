/** The schemas of requests to the admin API and of its answers, of which OpenAPI is made. */
import * as z from 'zod'
import { adminScopes } from '../admin-scopes.ts'
import { limits } from '../limits.ts'
import { capPeriods, parseUsd } from '../money.ts'

export const time = z.iso.datetime().describe('ISO 8601 in UTC')
export const timeOrNone = time.nullable()
export const usd = z.number().describe('USD, exact to six decimals')

/** An amount in USD as it is asked for, read as micro-USD. */
export const amount = z.number().transform((value, context) => {
  const microUsd = parseUsd(String(Math.abs(value)))
  if (microUsd !== undefined) return Math.sign(value) * microUsd
  context.addIssue({ code: 'custom', message: 'takes an amount in USD with at most six decimals' })
  return z.NEVER
})

/** A duration of at most a hundred years. */
export const seconds = z.number().int().min(0).max(3_155_760_000)

export const lifetime = seconds
  .min(1)
  .nullable()
  .default(null)
  .describe('seconds; null is without end')

export const label = z.string().nullable().default(null).describe('what it is for')

export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(limits.adminPageMax).default(50),
  cursor: z.string().max(256).optional().describe('`next_cursor` of the page before'),
}

export function listedPage<T extends z.ZodType>(item: T) {
  const next = z.string().nullable().describe('null on the last page')
  return z.object({ results: z.array(item), next_cursor: next })
}

export const accountSchema = z.object({
  account: z.string(),
  balance_usd: usd,
  credited_usd: usd,
  charged_usd: usd,
  state: z.enum(['active', 'suspended']),
  created: time,
})

export const creditedSchema = accountSchema.extend({
  credited: z.boolean().describe('false when the reference was credited before'),
})

export const accountStateSchema = z.object({
  state: z.enum(['active', 'suspended']),
  changed: z.boolean().describe('false when it was so before'),
})

export const chargeSchema = z.object({
  day: z.iso.date(),
  route: z.string(),
  queries: z.number().int(),
  amount_usd: usd,
})

const cap = z.object({ amount_usd: usd, period: z.enum(capPeriods) })
export const terms = z.object({
  cap: cap.optional(),
  scopes: z.array(z.string()).optional(),
  requests_per_second: z.number().int().optional(),
  addresses: z.array(z.string()).optional(),
})

export const issuedKeySchema = z.object({
  key: z.string().describe('the text of the key, which is shown only now'),
  key_id: z.string(),
  label: z.string().nullable(),
  expires: timeOrNone,
})

export const revokedKeySchema = z.object({
  revoked: z.boolean().describe('false when it had been revoked'),
})

export const adminKeySchema = z.object({
  admin_key_id: z.string(),
  label: z.string().nullable(),
  scopes: z.array(z.enum(adminScopes)),
  created: time,
  expires: timeOrNone,
  revoked: timeOrNone,
  digest: z.string(),
})

export const facts = z.record(z.string(), z.unknown())

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

export type TermsBody = z.output<z.ZodObject<typeof termsBody>>

export const sdu = z
  .string()
  .regex(new RegExp(`^\\d{1,${limits.sduDigitsMax}}$`), 'is 1 to 32 digits')
