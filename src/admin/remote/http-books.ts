/**
 * The books of a running service over its admin API, as commands use them: the same rules as on the ledger itself,
 * which the service applies. A change is sent under one `Idempotency-Key`, so that it can be sent again when a
 * connection broke.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyState } from '../../ledger/account-records.ts'
import type {
  Administration,
  AdminKey,
  Credited,
  IssuedKey,
  KeyChange,
  KeyOrder,
  KeyUsage,
  ListedKey,
  Rotation,
  SetKey,
  ShownAccount,
  TrailPage,
  UsageRange,
} from '../../ledger/administration.ts'
import type { Adjustment } from '../../ledger/checks/checked-orders.ts'
import type { TermsChange } from '../../ledger/checks/checked-terms.ts'
import type { EventRange, LedgerEvent } from '../../ledger/events.ts'
import type { KeyTerms } from '../../ledger/port.ts'
import type { TrailEntry } from '../../ledger/trail/entries.ts'
import { usdNumber } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import type { Given } from '../local-calls.ts'
import type { AdminOperation } from '../operation.ts'
import { type AdminOperationName, adminOperations, adminRoot } from '../operations.ts'
import { type Answered, type Send, sender } from './sending.ts'

/** Maximum number of times that a request without an answer is sent, and the pause before the next, ms. */
const triesMax = 3
const pauseMs = 500

/** An answer of the admin API. */
type Json = Answered['json']

/** The books of a service. */
export class HttpBooks implements Administration {
  readonly place: string
  readonly #send: Send

  /** @param url `http://…`, `https://…` or `unix:PATH`. @param adminKey of the scopes that the calls need. */
  constructor(url: string, adminKey: string) {
    this.place = url
    this.#send = sender(url, adminKey)
  }

  async createAccount(account: string, openingMicroUsd?: number): Promise<ShownAccount> {
    const opening_usd = openingMicroUsd === undefined ? undefined : usdNumber(openingMicroUsd)
    return accountOf(await this.call('createAccount', { body: { account, opening_usd } }))
  }

  async accounts(): Promise<readonly ShownAccount[]> {
    return (await this.all('listAccounts')).map(accountOf)
  }

  async accountNamed(account: string): Promise<ShownAccount> {
    return accountOf(await this.call('getAccount', { params: { account } }))
  }

  async topUp(account: string, amountMicroUsd: number, reference: string): Promise<Credited> {
    const body = { amount_usd: usdNumber(amountMicroUsd), reference }
    return creditedOf(await this.call('topUpAccount', { params: { account }, body }))
  }

  async adjust(account: string, adjustment: Adjustment): Promise<Credited> {
    const { amountMicroUsd, ...words } = adjustment
    const body = { amount_usd: usdNumber(amountMicroUsd), ...words }
    return creditedOf(await this.call('adjustAccount', { params: { account }, body }))
  }

  async suspend(account: string): Promise<boolean> {
    return (await this.call('suspendAccount', { params: { account } })).changed
  }

  async resume(account: string): Promise<boolean> {
    return (await this.call('resumeAccount', { params: { account } })).changed
  }

  async statementOf(account: string) {
    const found = await this.call('getStatement', { params: { account } })
    const shown = accountOf(found)
    return {
      account: shown,
      credits: found.credits.map(({ time, amount_usd, reference, reason }: Json) => {
        return { atMs: Date.parse(time), amountMicroUsd: microUsd(amount_usd), reference, reason }
      }),
      charges: found.charges.map(({ day, route, queries, amount_usd }: Json) => {
        return { day, route, queries, amountMicroUsd: microUsd(amount_usd) }
      }),
      balanceMicroUsd: microUsd(found.balance_usd),
    }
  }

  async usageOf(account: string, { fromDay, toDay }: UsageRange) {
    const query = { from: fromDay, to: toDay, by: 'key' }
    const { results } = await this.call('getUsage', { params: { account }, query })
    return results.map(({ day, key_id, route, queries, amount_usd }: Json): KeyUsage => {
      const amountMicroUsd = microUsd(amount_usd)
      return { keyId: key_id, day, route, queries, amountMicroUsd }
    })
  }

  async issueKey({ account, label, expiresAtMs, ...terms }: KeyOrder): Promise<IssuedKey> {
    const body = { account, label, expires_in: secondsUntil(expiresAtMs), ...bodyOf(terms) }
    return issuedOf(await this.call('issueKey', { body }))
  }

  async setKey(id: string, { label, expiresAtMs, ...terms }: KeyChange): Promise<SetKey> {
    const end = expiresAtMs === undefined ? {} : { expires_in: secondsUntil(expiresAtMs) }
    const body = { label, ...end, ...bodyOf(terms) }
    const found = await this.call('setKey', { params: { key_id: id }, body })
    const changed = { id, label: found.label, expiresAtMs: timeOf(found.expires) }
    return { ...changed, ...(found.terms && { terms: termsOf(found.terms) }) }
  }

  async listKeys(): Promise<readonly ListedKey[]> {
    return (await this.all('listKeys')).map((key) => ({
      ...{ id: key.key_id, account: key.account, label: key.label },
      state: key.state as KeyState,
      createdAtMs: Date.parse(key.created),
      expiresAtMs: timeOf(key.expires),
      revokedAtMs: timeOf(key.revoked),
      secrets: key.secrets.map(({ created, ends }: Json) => {
        return { createdAtMs: Date.parse(created), endsAtMs: timeOf(ends) }
      }),
      ...(key.terms && { terms: termsOf(key.terms) }),
      ...(key.spent_usd !== undefined && { spentMicroUsd: microUsd(key.spent_usd) }),
      ...(key.spent_of_cap_usd !== undefined && {
        spentOfCapMicroUsd: microUsd(key.spent_of_cap_usd),
      }),
    }))
  }

  async revokeKey(id: string): Promise<boolean> {
    return (await this.call('revokeKey', { params: { key_id: id } })).revoked
  }

  async rotateKey(id: string, overlapMs: number): Promise<Rotation> {
    const body = { overlap: overlapMs / 1_000 }
    const found = await this.call('rotateKey', { params: { key_id: id }, body })
    return { ...issuedOf(found), oldEndsAtMs: Date.parse(found.replaced.expires) }
  }

  /** A key that could not be shown is revoked. @throws Refusal for a rotation, which stands. */
  async withdrawKey(issued: IssuedKey | Rotation): Promise<void> {
    if ('oldEndsAtMs' in issued) {
      const ends = new Date(issued.oldEndsAtMs).toISOString()
      throw new Refusal('ledger-refused', `its old secret ends at ${ends}`)
    }
    await this.revokeKey(issued.record.id)
  }

  async listAdminKeys(): Promise<readonly AdminKey[]> {
    const { results } = await this.call('listAdminKeys')
    return results.map((key: Json) => ({
      ...{ id: key.admin_key_id, label: key.label, scopes: key.scopes, digest: key.digest },
      createdAtMs: Date.parse(key.created),
      expiresAtMs: timeOf(key.expires),
      revokedAtMs: timeOf(key.revoked),
    }))
  }

  async audit() {
    const { accounts, rows, keys, balance_usd, contradictions } = await this.call('verifyLedger')
    const balanceMicroUsd = BigInt(microUsd(balance_usd))
    const sums = { accounts, rows, keys, balanceMicroUsd }
    return { ...sums, contradictions, holdings: undefined }
  }

  async trail({ limit, before, subject }: TrailPage): Promise<readonly TrailEntry[]> {
    const query = { limit, cursor: before, subject }
    const { results } = await this.call('listAudit', { query })
    return results.map(({ time, ...entry }: Json) => ({ ...entry, atMs: Date.parse(time) }))
  }

  async events(range: EventRange): Promise<readonly LedgerEvent[]> {
    const { results } = await this.call('listEvents', { query: { ...range } })
    return results.map(({ time, ...event }: Json) => ({ ...event, atMs: Date.parse(time) }))
  }

  async close(): Promise<void> {}

  /** Every item of a list, page by page. */
  async all(name: AdminOperationName): Promise<Json[]> {
    const found: Json[] = []
    let cursor: string | undefined
    do {
      const page = await this.call(name, { query: { limit: 100, cursor } })
      found.push(...page.results)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return found
  }

  /** Calls an operation; returns its answer. @throws Refusal as the service refuses. */
  async call(name: AdminOperationName, { params = {}, query = {}, body = {} }: Given = {}) {
    const { method, path }: AdminOperation = adminOperations[name]
    const filled = path.replace(/\{(\w+)\}/g, (_, each) => pathPart(params[each]!))
    const pairs = new URLSearchParams()
    for (const [each, value] of Object.entries(query)) {
      if (value !== undefined) pairs.set(each, String(value))
    }
    const target = `${adminRoot}${filled}${pairs.size === 0 ? '' : `?${pairs}`}`
    const order = { method, target, idempotencyKey: randomUUID(), body: JSON.stringify(body) }
    for (let tries = 1; ; tries += 1) {
      // At most triesMax times.
      const answered = await this.#send(order)
      if (answered.status === 200) return answered.json
      if (answered.status !== undefined && answered.status !== 503) throw refusalOf(answered)
      if (tries === triesMax) throw refusalOf(answered)
      await sleep(pauseMs * tries)
    }
  }
}

/**
 * A name or an id as a part of a path. Whatever reads an address takes `.`, `..` and slashes for steps, percent-encoded
 * or not, and would send the call to another operation.
 */
function pathPart(text: string): string {
  if (/^[\w.-]+$/.test(text) && !/^\.+$/.test(text)) return text
  throw new Refusal(
    'wrong-usage',
    'a name or an id in an address is of A-Z a-z 0-9 . _ -, and not of dots alone: use --data for another',
  )
}

function refusalOf({ status, json, failure }: Answered): Refusal {
  const message =
    status === undefined ? failure : String(json.detail ?? json.title ?? `status ${status}`)
  if (status === 400) return new Refusal('wrong-usage', message)
  const isAway = status === undefined || status >= 500
  return new Refusal('ledger-refused', message, isAway ? 'unavailable' : 'rule')
}

/** The shortest text of such a number is the exact amount. */
function microUsd(usd: number): number {
  return Math.round(usd * 1_000_000)
}

function secondsUntil(atMs: number | null): number | null {
  return atMs === null ? null : Math.ceil((atMs - Date.now()) / 1_000)
}

/** Members that are undefined are not sent. */
function bodyOf({ cap, scopes, requestsPerSecond, addresses }: TermsChange): Json {
  const sent = cap && { amount_usd: usdNumber(cap.amountMicroUsd), period: cap.period }
  return { cap: sent, scopes, requests_per_second: requestsPerSecond, addresses }
}

function termsOf({ cap, requests_per_second: rate, ...rest }: Json): KeyTerms {
  const amount = cap && { amountMicroUsd: microUsd(cap.amount_usd), period: cap.period }
  return {
    ...rest,
    ...(cap && { cap: { ...amount, sinceMs: 0 } }),
    ...(rate && { requestsPerSecond: rate }),
  }
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}

function accountOf(json: Json): ShownAccount {
  const createdAtMs = Date.parse(json.created)
  return {
    name: json.account,
    createdAtMs,
    creditedMicroUsd: microUsd(json.credited_usd),
    chargedMicroUsd: microUsd(json.charged_usd),
    suspendedAtMs: json.state === 'suspended' ? createdAtMs : null,
  }
}

function creditedOf(json: Json): Credited {
  return { account: accountOf(json), credited: json.credited }
}

function issuedOf({ key, key_id: id, label, expires }: Json): IssuedKey {
  return { text: key, record: { id, label, expiresAtMs: timeOf(expires) } }
}
