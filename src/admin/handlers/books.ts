/** The handlers of the operations on accounts, keys and the whole ledger. */

import type { Credited, DailyCharge, KeyUsage } from '../../ledger/administration.ts'
import type { TermsChange } from '../../ledger/checks/checked-terms.ts'
import {
  accountJson,
  adminKeyJson,
  entryJson,
  eventJson,
  isoTime,
  keyJson,
  statementJson,
  termsJson,
  timeOrNull,
} from '../../ledger/shown.ts'
import { usdNumber } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import { handler, pageAmong } from '../handler.ts'
import type { TermsBody } from '../schemas.ts'
import { usageFile } from './usage-file.ts'

const shownCredit = ({ account, credited }: Credited) => ({ ...accountJson(account), credited })

function usageJson(usage: DailyCharge & Partial<KeyUsage>) {
  const { day, keyId, route, queries, amountMicroUsd } = usage
  return {
    day,
    ...(keyId !== undefined && { key_id: keyId }),
    ...{ route, queries, amount_usd: usdNumber(amountMicroUsd) },
  }
}

/** A change of terms as the books take it. */
function termsOf({ cap, scopes, requests_per_second: rate, addresses }: TermsBody): TermsChange {
  return {
    ...(cap !== undefined && {
      cap: cap && { amountMicroUsd: cap.amount_usd, period: cap.period },
    }),
    ...(scopes !== undefined && { scopes }),
    ...(rate !== undefined && { requestsPerSecond: rate }),
    ...(addresses !== undefined && { addresses }),
  }
}

/** The handlers by the names of the operations. */
export const bookHandlers = {
  listAccounts: handler(
    'listAccounts',
    async ({ books, query }) => {
      const wanted = query.name?.toLowerCase() ?? ''
      const found = (await books.accounts()).filter(({ name }) =>
        name.toLowerCase().includes(wanted),
      )
      return pageAmong(found, query, ({ name }) => name)
    },
    ({ items, next }) => ({ results: items.map(accountJson), next_cursor: next }),
  ),
  createAccount: handler(
    'createAccount',
    ({ books, body }) => books.createAccount(body.account, body.opening_usd),
    accountJson,
  ),
  getAccount: handler(
    'getAccount',
    ({ books, params }) => books.accountNamed(params.account),
    accountJson,
  ),
  topUpAccount: handler(
    'topUpAccount',
    ({ books, params, body }) => books.topUp(params.account, body.amount_usd, body.reference),
    shownCredit,
  ),
  adjustAccount: handler(
    'adjustAccount',
    ({ books, params, body: { amount_usd: amountMicroUsd, ...words } }) =>
      books.adjust(params.account, { amountMicroUsd, ...words }),
    shownCredit,
  ),
  suspendAccount: handler(
    'suspendAccount',
    ({ books, params }) => books.suspend(params.account),
    (changed) => ({ state: 'suspended' as const, changed }),
  ),
  resumeAccount: handler(
    'resumeAccount',
    ({ books, params }) => books.resume(params.account),
    (changed) => ({ state: 'active' as const, changed }),
  ),
  getStatement: handler(
    'getStatement',
    ({ books, params }) => books.statementOf(params.account),
    statementJson,
  ),
  getUsage: handler(
    'getUsage',
    async ({ books, params: { account }, query: { from, to, by } }) => {
      if (by !== 'route') {
        return { account, usage: await books.usageOf(account, { fromDay: from, toDay: to }) }
      }
      const { charges } = await books.statementOf(account)
      return { account, usage: charges.filter(({ day }) => from <= day && day <= to) }
    },
    ({ account, usage }) => ({ account, results: usage.map(usageJson) }),
    ({ account, usage }, { query: { by, format } }) =>
      format === 'json'
        ? undefined
        : usageFile(`usage-${account}-by-${by}`, by, usage.map(usageJson)),
  ),
  listKeys: handler(
    'listKeys',
    async ({ books, query }) => {
      const { account } = query
      // An account that is not there is not one without keys.
      if (account !== undefined) await books.accountNamed(account)
      const keys = await books.listKeys()
      const chosen = keys.filter((key) => account === undefined || key.account === account)
      return pageAmong(chosen, query, ({ id }) => id)
    },
    ({ items, next }) => ({ results: items.map(keyJson), next_cursor: next }),
  ),
  issueKey: handler(
    'issueKey',
    ({ books, clock, body: { account, label, expires_in: seconds, ...terms } }) => {
      const expiresAtMs = seconds === null ? null : clock() + seconds * 1_000
      return books.issueKey({ account, label, expiresAtMs, ...termsOf(terms) })
    },
    ({ text, record }) => ({
      ...{ key: text, key_id: record.id, label: record.label },
      expires: timeOrNull(record.expiresAtMs),
    }),
  ),
  setKey: handler(
    'setKey',
    ({ books, clock, params, body: { label, expires_in: seconds, ...terms } }) => {
      const expiresAtMs = seconds && clock() + seconds * 1_000
      return books.setKey(params.key_id, {
        ...(label !== undefined && { label }),
        ...(expiresAtMs !== undefined && { expiresAtMs }),
        ...termsOf(terms),
      })
    },
    ({ id, label, expiresAtMs, terms }) => ({
      ...{ key_id: id, label, expires: timeOrNull(expiresAtMs) },
      ...(terms && { terms: termsJson(terms) }),
    }),
  ),
  rotateKey: handler(
    'rotateKey',
    ({ books, params, body }) => books.rotateKey(params.key_id, body.overlap * 1_000),
    ({ text, record, oldEndsAtMs }) => ({
      ...{ key: text, key_id: record.id, label: record.label },
      expires: timeOrNull(record.expiresAtMs),
      replaced: { expires: isoTime(oldEndsAtMs) },
    }),
  ),
  revokeKey: handler(
    'revokeKey',
    ({ books, params }) => books.revokeKey(params.key_id),
    (revoked) => ({ revoked }),
  ),
  getPrices: handler(
    'getPrices',
    async ({ prices }) => prices,
    (prices) => ({
      prices_usd: Object.fromEntries(
        Object.entries(prices).map(([route, price]) => [route, usdNumber(price)]),
      ),
    }),
  ),
  listNodes: handler(
    'listNodes',
    ({ books }) => books.nodes(),
    (nodes) => ({
      results: nodes.map(({ name, sinceMs, leasedUntilMs, isLate, accounts, leasedMicroUsd }) => ({
        ...{ node: name, since: isoTime(sinceMs), leased_until: isoTime(leasedUntilMs) },
        ...{ state: isLate ? ('late' as const) : ('selling' as const), accounts },
        leased_usd: usdNumber(leasedMicroUsd),
      })),
    }),
  ),
  verifyLedger: handler(
    'verifyLedger',
    ({ books }) => books.audit(),
    ({ accounts, rows, keys, balanceMicroUsd, contradictions }) => ({
      balanced: contradictions.length === 0,
      ...{ accounts, rows, keys, balance_usd: usdNumber(balanceMicroUsd) },
      contradictions: [...contradictions],
    }),
  ),
  listAudit: handler(
    'listAudit',
    async ({ books, query: { limit, cursor, subject } }) => {
      if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
        throw new Refusal('wrong-usage', 'cursor: it is not one of this list')
      }
      const before = cursor === undefined ? undefined : Number(cursor)
      const entries = await books.trail({ limit: limit + 1, before, subject })
      return { items: entries.slice(0, limit), hasMore: entries.length > limit }
    },
    ({ items, hasMore }) => ({
      results: items.map(entryJson),
      next_cursor: hasMore ? String(items.at(-1)!.number) : null,
    }),
  ),
  listEvents: handler(
    'listEvents',
    ({ books, query }) => books.events(query),
    (events) => ({
      results: events.map((event) => ({ ...eventJson(event), details: { ...event.details } })),
    }),
  ),
  listAdminKeys: handler(
    'listAdminKeys',
    ({ books }) => books.listAdminKeys(),
    (keys) => ({ results: keys.map((key) => ({ ...adminKeyJson(key), scopes: [...key.scopes] })) }),
  ),
}
