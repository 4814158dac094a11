/** The schema of the item that `GET /api/v1/account` answers. */
import * as z from 'zod'

const usd = z.number().min(0)
const count = z.int().min(0)
const time = z.iso.datetime()

const sold = z.looseObject({
  queries: count,
  cost_usd: usd,
  by_operation: z.array(z.looseObject({ operation: z.string(), queries: count, cost_usd: usd })),
})

const periods = z.looseObject({
  today: sold.describe('Since the last midnight, UTC.'),
  month: sold.describe('Since the first of the month, UTC.'),
  days: z
    .array(z.looseObject({ day: z.iso.date(), queries: count, cost_usd: usd }))
    .optional()
    .describe('With `days`: each UTC day, the oldest first, today last.'),
})

/** An account as a holder of one of its keys sees it. */
export const accountView = z.looseObject({
  account: z
    .string()
    .describe('Its name. A key with scopes, but not `account`, has no member about the account.')
    .optional(),
  state: z.enum(['active', 'suspended']).optional(),
  created_at: time.optional(),
  balance_usd: usd.describe('The amount that can still be spent; live.').optional(),
  credited_usd: usd.describe('Everything that was credited, less what was taken back.').optional(),
  charged_usd: usd.describe('Everything that was charged.').optional(),
  key: z
    .looseObject({
      id: z.string(),
      name: z.string().nullable(),
      created_at: time,
      expires_at: time.nullable(),
      cap: z
        .looseObject({ usd, period: z.enum(['total', 'day', 'month']) })
        .nullable()
        .describe('The amount that it may spend, in all or in a UTC day or month.'),
      scopes: z
        .array(z.string())
        .nullable()
        .describe('What it may call, and whether it may see the account.'),
      requests_per_second: count.nullable(),
      addresses: z.array(z.string()).nullable().describe('Networks that it may be used from.'),
      remaining_usd: usd.nullable().describe('The remainder of its cap.'),
    })
    .describe('The key of this request; null where nothing restricts it.'),
  limits: z
    .looseObject({
      requests_per_second: count.nullable(),
      lookups_per_second: count.nullable(),
    })
    .describe('Of the account; null where there is none.'),
  usage: z
    .looseObject({
      as_of: time.describe('When the ledger was read; charges of the last window are missing.'),
      account: periods.describe('By all keys of the account.').optional(),
      key: periods.describe('By this key.'),
    })
    .describe('The sales.'),
  prices: z.array(
    z.looseObject({
      operation: z.string(),
      price_usd: usd,
      each: z.enum(['request', 'value']).describe('The unit of the price.'),
    }),
  ),
})
