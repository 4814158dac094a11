/** The operations on accounts, keys and the whole ledger. */
import * as z from 'zod'
import { adminScopes } from '../../admin-scopes.ts'
import { isoTime } from '../../ledger/books/account-records.ts'
import type { Credited } from '../../ledger/books/account-rows.ts'
import type { TermsChange } from '../../ledger/books/checks.ts'
import { eventKinds } from '../../ledger/books/events.ts'
import type { IssuedKey } from '../../ledger/books/key-rows.ts'
import {
  accountJson,
  adminKeyJson,
  eventJson,
  keyJson,
  saleJson,
  statementJson,
  termsJson,
  timeOrNull,
} from '../../ledger/books/shown.ts'
import { entryJson } from '../../ledger/books/trail.ts'
import { capPeriods, openingMicroUsdDefault, parseUsd, usdNumber } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import { listOf, local, pagedListOf, pageOf, pageQuery, served } from '../operation.ts'

const time = z.iso.datetime().describe('ISO 8601 in UTC')
const timeOrNone = time.nullable()
const usd = z.number().describe('USD, exact to six decimals')

/** An amount in USD as it is asked for, read as micro-USD. */
const amount = z.number().transform((value, context) => {
  const microUsd = parseUsd(String(Math.abs(value)))
  if (microUsd !== undefined) return Math.sign(value) * microUsd
  context.addIssue({ code: 'custom', message: 'takes an amount in USD with at most six decimals' })
  return z.NEVER
})

/** A duration of at most a hundred years. */
const seconds = z.number().int().min(0).max(3_155_760_000)

const lifetime = seconds.min(1).nullable().default(null).describe('seconds; null is without end')

const label = z.string().nullable().default(null).describe('what it is for')

const accountShape = {
  account: z.string(),
  balance_usd: usd,
  credited_usd: usd,
  charged_usd: usd,
  state: z.enum(['active', 'suspended']),
  created: time,
}

const creditedShape = {
  ...accountShape,
  credited: z.boolean().describe('false when the reference was credited before'),
}

const accountStateShape = {
  state: z.enum(['active', 'suspended']),
  changed: z.boolean().describe('false when it was so before'),
}

const chargeShape = {
  day: z.iso.date(),
  route: z.string(),
  queries: z.number().int(),
  amount_usd: usd,
}

const cap = z.object({ amount_usd: usd, period: z.enum(capPeriods) })
const terms = z.object({
  cap: cap.optional(),
  scopes: z.array(z.string()).optional(),
  requests_per_second: z.number().int().optional(),
  addresses: z.array(z.string()).optional(),
})

const issuedKeyShape = {
  key: z.string().describe('the text of the key, which is shown only now'),
  key_id: z.string(),
  label: z.string().nullable(),
  expires: timeOrNone,
}

const revokedKeyShape = {
  revoked: z.boolean().describe('false when it had been revoked'),
}

const adminKeyShape = {
  admin_key_id: z.string(),
  label: z.string().nullable(),
  scopes: z.array(z.enum(adminScopes)),
  created: time,
  expires: timeOrNone,
  revoked: timeOrNone,
  digest: z.string(),
}

const facts = z.record(z.string(), z.unknown())

/** Members of a change of terms: an absent member stays as it is, null takes it away. */
const termsBody = {
  cap: z
    .strictObject({ amount_usd: amount, period: z.enum(capPeriods) })
    .transform(({ amount_usd: amountMicroUsd, period }) => ({ amountMicroUsd, period }))
    .nullable()
    .optional(),
  scopes: z.array(z.string()).nullable().optional().describe('operations, mcp, account'),
  requests_per_second: z.number().nullable().optional(),
  addresses: z.array(z.string()).nullable().optional().describe('addresses and networks'),
}

type TermsBody = z.output<z.ZodObject<typeof termsBody>>

const account = z.string()
const keyId = z.string()

export const bookOperations = {
  listAccounts: served({
    path: '/accounts',
    scope: 'read',
    summary: 'List the accounts',
    text: 'Oldest first, page by page; `name` finds those whose name contains it.',
    input: z.strictObject({ ...pageQuery, name: z.string().max(64).optional() }),
    result: pagedListOf(accountShape),
    run: async ({ books }, input) => {
      const wanted = input.name?.toLowerCase() ?? ''
      const all = await books.accounts()
      const found = all.filter(({ name }) => name.toLowerCase().includes(wanted))
      return pageOf(found, input, ({ name }) => name, accountJson)
    },
  }),
  createAccount: served({
    path: '/accounts',
    scope: 'money',
    summary: 'Make an account',
    text: 'It starts with the opening credit. A name is 1 to 64 of A-Z a-z 0-9 . _ -, and not of dots alone.',
    input: z.strictObject({
      account,
      opening_usd: amount.default(openingMicroUsdDefault).describe('what it starts with'),
    }),
    result: z.object(accountShape),
    ledger: 'made',
    run: async ({ books }, { account, opening_usd: openingMicroUsd }) =>
      accountJson(await books.createAccount(account, openingMicroUsd)),
  }),
  getAccount: served({
    path: '/accounts/{account}',
    scope: 'read',
    summary: 'Show an account',
    text: 'The balance is what the ledger has; charges of the last moment come with the next window.',
    input: z.strictObject({ account }),
    result: z.object(accountShape),
    run: async ({ books }, { account }) => accountJson(await books.accountNamed(account)),
  }),
  topUpAccount: served({
    path: '/accounts/{account}/top-ups',
    scope: 'money',
    summary: 'Credit an account',
    text: 'Once for each reference, which names the payment.',
    input: z.strictObject({ account, amount_usd: amount, reference: z.string() }),
    result: z.object(creditedShape),
    run: async ({ books }, { account, amount_usd: amountMicroUsd, reference }) =>
      creditedJson(await books.topUp(account, amountMicroUsd, reference)),
  }),
  adjustAccount: served({
    path: '/accounts/{account}/adjustments',
    scope: 'money',
    summary: 'Correct the credits of an account',
    text: 'Up or down, once for each reference; never below a balance of 0.',
    input: z.strictObject({
      account,
      amount_usd: amount,
      reference: z.string(),
      reason: z.string(),
    }),
    result: z.object(creditedShape),
    run: async ({ books }, { account, amount_usd: amountMicroUsd, ...words }) =>
      creditedJson(await books.adjust(account, { amountMicroUsd, ...words })),
  }),
  suspendAccount: served({
    path: '/accounts/{account}/suspend',
    scope: 'keys',
    summary: 'Suspend an account',
    text: 'Its keys are refused until it is resumed; its money stays.',
    input: z.strictObject({ account }),
    result: z.object(accountStateShape),
    run: async ({ books }, { account }) => ({
      state: 'suspended' as const,
      changed: await books.suspend(account),
    }),
  }),
  resumeAccount: served({
    path: '/accounts/{account}/resume',
    scope: 'keys',
    summary: 'End the suspension of an account',
    text: 'Its keys are good again.',
    input: z.strictObject({ account }),
    result: z.object(accountStateShape),
    run: async ({ books }, { account }) => ({
      state: 'active' as const,
      changed: await books.resume(account),
    }),
  }),
  getStatement: served({
    path: '/accounts/{account}/statement',
    scope: 'read',
    summary: 'Show the statement of an account',
    text: 'Credits by time, charges by day and route; credits less charges are the balance.',
    input: z.strictObject({ account }),
    result: z.object({
      ...accountShape,
      credits: z.array(
        z.object({
          time,
          amount_usd: usd,
          reference: z.string().nullable(),
          reason: z.string().nullable(),
        }),
      ),
      charges: z.array(z.object(chargeShape)),
    }),
    run: async ({ books }, { account }) => statementJson(await books.statementOf(account)),
  }),
  getUsage: served({
    path: '/accounts/{account}/usage',
    scope: 'read',
    summary: 'Show what an account used',
    text: 'Queries and cost by UTC day and route, and `by` key as well; from one day to another, both included.',
    input: z.strictObject({
      account,
      from: z.iso.date().default('0001-01-01'),
      to: z.iso.date().default('9999-12-31'),
      by: z.enum(['route', 'key']).default('route').describe('key tells each key apart'),
    }),
    result: z.object({
      account: z.string(),
      ...listOf({ ...chargeShape, key_id: z.string().optional() }).shape,
    }),
    run: async ({ books }, { account, from, to, by }) => {
      const range = { fromDay: from, toDay: to, isByKey: by === 'key' }
      const usage = await books.usageOf(account, range)
      return { account, results: usage.map(saleJson) }
    },
  }),
  listKeys: served({
    path: '/keys',
    scope: 'read',
    summary: 'List the keys',
    text: 'Oldest first, page by page, of all accounts or of one; never the text of a key.',
    input: z.strictObject({ ...pageQuery, account: z.string().optional() }),
    result: pagedListOf({
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
    }),
    run: async ({ books }, input) => {
      const { account } = input
      // An account that is not there is not one without keys.
      if (account !== undefined) await books.accountNamed(account)
      const keys = await books.listKeys()
      const chosen = keys.filter((key) => account === undefined || key.account === account)
      return pageOf(chosen, input, ({ id }) => id, keyJson)
    },
  }),
  issueKey: served({
    path: '/keys',
    scope: 'keys',
    summary: 'Issue a key for an account',
    text: 'The answer is the only place that shows its text.',
    input: z.strictObject({ account, label, expires_in: lifetime, ...termsBody }),
    result: z.object(issuedKeyShape),
    run: async ({ books }, { account, label, expires_in, ...terms }) => {
      const order = { account, label, lifeMs: msOf(expires_in), ...termsOf(terms) }
      return issuedJson(await books.issueKey(order))
    },
  }),
  setKey: served({
    path: '/keys/{key_id}/set',
    scope: 'keys',
    summary: 'Change a key',
    text: 'Its label and its end, and its cap, scopes, limit and addresses: rotation changes none of them.',
    input: z.strictObject({
      key_id: keyId,
      label: z.string().nullable().optional(),
      expires_in: seconds.min(1).nullable().optional().describe('seconds from now'),
      ...termsBody,
    }),
    result: z.object({
      key_id: z.string(),
      label: z.string().nullable(),
      expires: timeOrNone,
      terms: terms.optional(),
    }),
    run: async ({ books }, { key_id, label, expires_in, ...terms }) => {
      const change = { label, lifeMs: msOf(expires_in), ...termsOf(terms) }
      const set = await books.setKey(key_id, change)
      return {
        ...{ key_id: set.id, label: set.label, expires: timeOrNull(set.expiresAtMs) },
        ...(set.terms && { terms: termsJson(set.terms) }),
      }
    },
  }),
  rotateKey: served({
    path: '/keys/{key_id}/rotate',
    scope: 'keys',
    summary: 'Give a key a new text',
    text: 'It keeps its id and all else; the text before ends with the overlap, or before, when the key would have expired.',
    input: z.strictObject({
      key_id: keyId,
      overlap: seconds.default(86_400).describe('seconds until the old key ends'),
    }),
    result: z.object({
      ...issuedKeyShape,
      replaced: z.object({ expires: time.describe('when the text before ends') }),
    }),
    run: async ({ books }, { key_id, overlap }) => {
      const rotation = await books.rotateKey(key_id, overlap * 1_000)
      return { ...issuedJson(rotation), replaced: { expires: isoTime(rotation.oldEndsAtMs) } }
    },
  }),
  revokeKey: served({
    path: '/keys/{key_id}/revoke',
    scope: 'keys',
    summary: 'End a key at once and for ever',
    text: 'Running services refuse it within a second.',
    input: z.strictObject({ key_id: keyId }),
    result: z.object(revokedKeyShape),
    run: async ({ books }, { key_id }) => ({ revoked: await books.revokeKey(key_id) }),
  }),
  verifyLedger: served({
    path: '/ledger/verify',
    scope: 'read',
    summary: 'Prove the books',
    text: 'Every balance against the sum of its journal, the audit log. Reads the whole ledger.',
    input: z.strictObject({}),
    result: z.object({
      balanced: z.boolean(),
      accounts: z.number().int(),
      rows: z.number().int(),
      keys: z.number().int(),
      balance_usd: usd,
      contradictions: z.array(z.string()),
    }),
    run: async ({ books }) => {
      const { accounts, rows, keys, balanceMicroUsd, contradictions } = await books.audit()
      return {
        balanced: contradictions.length === 0,
        ...{ accounts, rows, keys, balance_usd: usdNumber(balanceMicroUsd) },
        contradictions: [...contradictions],
      }
    },
  }),
  listNodes: served({
    path: '/nodes',
    scope: 'read',
    summary: 'List the nodes that sell from the ledger',
    text: 'Of a ledger in a database: each node, since when it sells, and how much money it holds. A ledger in a file has none: one service sells from it.',
    input: z.strictObject({}),
    result: listOf({
      node: z.string(),
      since: time,
      leased_until: time,
      state: z.enum(['selling', 'late']).describe('late: not heard of in time'),
      accounts: z.number().int().describe('of which it holds some'),
      leased_usd: usd.describe('what it may still sell'),
    }),
    run: async ({ books }) => ({
      results: (await books.nodes()).map((node) => ({
        ...{ node: node.name, since: isoTime(node.sinceMs) },
        leased_until: isoTime(node.leasedUntilMs),
        ...{ state: node.isLate ? ('late' as const) : ('selling' as const) },
        ...{ accounts: node.accounts, leased_usd: usdNumber(node.leasedMicroUsd) },
      })),
    }),
  }),
  listAudit: served({
    path: '/audit',
    scope: 'read',
    summary: 'Read the audit log',
    text: 'Every change with its actor, newest first, page by page, of everything or of one subject.',
    input: z.strictObject({ ...pageQuery, subject: z.string().max(128).optional() }),
    result: pagedListOf({
      number: z.number().int(),
      time,
      actor: z.string(),
      from: z.string(),
      action: z.string(),
      subject: z.string(),
      details: facts,
      before: facts.nullable(),
      after: facts.nullable(),
    }),
    run: async ({ books }, { limit, cursor, subject }) => {
      if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
        throw new Refusal('wrong-usage', 'cursor: it is not one of this list')
      }
      const before = cursor === undefined ? undefined : Number(cursor)
      const entries = await books.trail({ limit: limit + 1, before, subject })
      const results = entries.slice(0, limit).map(entryJson)
      const hasMore = entries.length > limit
      return { results, next_cursor: hasMore ? String(results.at(-1)!.number) : null }
    },
  }),
  listEvents: served({
    path: '/events',
    scope: 'read',
    summary: 'Read what happened that one may act on',
    text: 'Low balances, caps that are reached, keys about to expire, suspensions, snapshots that are announced or held back; oldest first, those `after` a number. They are kept for 30 days.',
    input: z.strictObject({
      after: z.coerce
        .number()
        .int()
        .min(0)
        .default(0)
        .describe('`number` of the last event that was seen'),
      limit: pageQuery.limit,
    }),
    result: listOf({
      number: z.number().int(),
      time,
      kind: z.enum(eventKinds),
      subject: z
        .string()
        .describe('name of an account, id of a key or a snapshot, or fingerprint of a source'),
      details: facts,
    }),
    run: async ({ books }, range) => ({ results: (await books.events(range)).map(eventJson) }),
  }),
  listAdminKeys: served({
    path: '/admin-keys',
    scope: 'read',
    summary: 'List the admin keys',
    text: 'They are issued and revoked on the command line only.',
    input: z.strictObject({}),
    result: listOf(adminKeyShape),
    run: async ({ books }) => ({ results: (await books.listAdminKeys()).map(adminKeyJson) }),
  }),
  issueAdminKey: local({
    summary: 'Issue a key for the admin API',
    text: 'The answer is the only place that shows its text.',
    input: z.strictObject({
      scopes: z.array(z.enum(adminScopes)).min(1),
      label,
      expires_in: lifetime,
    }),
    result: z.object({ ...adminKeyShape, key: issuedKeyShape.key }),
    ledger: 'made',
    run: async ({ books }, { scopes: asked, label, expires_in }) => {
      const scopes = adminScopes.filter((scope) => asked.includes(scope))
      const order = { scopes, label, lifeMs: msOf(expires_in) }
      const { text, record } = await books.issueAdminKey(order)
      return { key: text, ...adminKeyJson(record) }
    },
  }),
  revokeAdminKey: local({
    summary: 'End a key of the admin API at once and for ever',
    text: 'It is refused from now on.',
    input: z.strictObject({ admin_key_id: z.string() }),
    result: z.object(revokedKeyShape),
    run: async ({ books }, { admin_key_id: id }) => ({ revoked: await books.revokeAdminKey(id) }),
  }),
}

function creditedJson({ account, credited }: Credited) {
  return { ...accountJson(account), credited }
}

function issuedJson({ text, record: { id, label, expiresAtMs } }: IssuedKey) {
  return { key: text, key_id: id, label, expires: timeOrNull(expiresAtMs) }
}

function msOf<T extends null | undefined>(seconds: number | T): number | T {
  return seconds && seconds * 1_000
}

function termsOf({ requests_per_second: requestsPerSecond, ...others }: TermsBody): TermsChange {
  return { ...others, requestsPerSecond }
}
