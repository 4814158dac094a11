/**
 * The whole ledger against a simple model: any sequence of accounts, keys, top-ups, requests that are
 * served or aborted at any later time, commits, rotations, revocations, crashes and restarts leaves
 * the same balances and the same valid keys, books that balance, and a service that agrees with them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { balanceOf } from '../../../../src/ledger/books/account-records.ts'
import type { Books } from '../../../../src/ledger/books/books.ts'
import { openBooks } from '../../../../src/ledger/books/open-books.ts'
import { ThreadBalances } from '../../../../src/ledger/live/balances.ts'
import { Commits } from '../../../../src/ledger/live/commits.ts'
import { Keyring } from '../../../../src/ledger/live/keyring.ts'
import { Reservations, type ReservedCharge } from '../../../../src/ledger/live/reservations.ts'
import type { SqliteFile } from '../../../../src/ledger/sql/sqlite/driver.ts'
import { openingMicroUsdDefault } from '../../../../src/money.ts'
import { type RouteName, routeNames } from '../../../../src/operations.ts'
import { Refusal } from '../../../../src/problems.ts'
import { HandClock, openSession, prices } from '../../../support/ledger-fixture.ts'

interface ModelAccount {
  /** What the ledger holds, and what was served since the last commit. */
  ledgerMicroUsd: number
  servedMicroUsd: number
  readonly references: Map<string, number>
}

interface ModelKey {
  readonly account: number
  readonly lifeMs: number
  expiresAtMs: number
  revoked: boolean
}

interface ModelSecret {
  readonly key: ModelKey
  endsAtMs: number
}

/** Accounts and secrets by the order in which they were made. */
interface Model {
  nowMs: number
  readonly accounts: ModelAccount[]
  readonly secrets: ModelSecret[]
}

/** A reservation whose answer is being written. */
interface Held {
  readonly charge: ReservedCharge
  readonly account: number
}

interface Running {
  readonly books: Books
  readonly file: SqliteFile
  readonly commits: Commits
  readonly reservations: Reservations
  readonly held: Held[]
}

/** The real thing; `texts` and `ids` are those of the secrets of the model, in the same order. */
class Shop {
  readonly directory = mkdtempSync(join(tmpdir(), 'ledger-model-'))
  readonly clock = new HandClock()
  readonly texts: string[] = []
  readonly ids: string[] = []
  keyring = this.#newKeyring()
  #running: Running | undefined

  get running(): Running {
    return this.#running!
  }

  get books(): Books {
    return this.running.books
  }

  async open(): Promise<this> {
    this.keyring = this.#newKeyring()
    const { directory, clock, keyring } = this
    const place = { data: directory, ledger: null, clock: clock.read, create: true }
    const books = await openBooks(place)
    const { session, sql: file } = await openSession(directory, clock.read)
    const commits = await Commits.open(session, {
      ...{ threads: 1, prices },
      clock: clock.read,
      onKeys: keyring.take.bind(keyring),
      report: fail,
      onImbalance: fail,
    })
    const balances = new ThreadBalances(commits.shared, 0)
    const reservations = new Reservations(keyring, balances, prices)
    this.#running = { books, file, commits, reservations, held: [] }
    return this
  }

  #newKeyring(): Keyring {
    return new Keyring(this.clock.read, (hash) => this.running.commits.seek(hash))
  }

  async sendKeys(): Promise<void> {
    for (const text of this.texts) {
      const header = `Bearer ${text}`
      if (this.keyring.ownerOf(header) === undefined) void this.keyring.seek(header)
    }
    await this.running.commits.follow()
  }

  async reopen(): Promise<void> {
    await this.close()
    await this.open()
  }

  async close(): Promise<void> {
    const { books, file } = this.running
    await books.close()
    await file.close().catch(() => {})
  }

  async end(): Promise<void> {
    await this.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}

function fail(line: string): never {
  throw new Error(line)
}

const nameOf = (account: number): string => `account-${account}`
const isGood = (key: ModelKey, nowMs: number): boolean => !key.revoked && nowMs < key.expiresAtMs
const isValid = ({ key, endsAtMs }: ModelSecret, nowMs: number): boolean =>
  isGood(key, nowMs) && nowMs < endsAtMs

/** Whether the real thing is as the model says, after every step. */
async function expectAgreement(model: Model, shop: Shop): Promise<void> {
  const { books, commits, held } = shop.running
  await commits.follow()
  await shop.sendKeys()
  expect((await books.audit()).contradictions).toEqual([])
  let uncommittedMicroUsd = 0
  for (const [number, account] of model.accounts.entries()) {
    const reservedMicroUsd = sum(
      held.filter((each) => each.account === number).map(({ charge }) => charge.costMicroUsd),
    )
    const live = account.ledgerMicroUsd - account.servedMicroUsd - reservedMicroUsd
    const inLedger = await books.accountNamed(nameOf(number))
    expect(balanceOf(inLedger)).toBe(account.ledgerMicroUsd)
    expect(commits.balances.balanceMicroUsd(commits.slots.slotOf(number + 1)!)).toBe(live)
    uncommittedMicroUsd += account.servedMicroUsd
  }
  expectAddingUp(commits, uncommittedMicroUsd)
  for (const [number, secret] of model.secrets.entries()) {
    const owner = shop.keyring.ownerOf(`Bearer ${shop.texts[number]}`)
    const slot = commits.slots.slotOf(secret.key.account + 1)
    expect(owner?.accountSlot).toBe(isValid(secret, model.nowMs) ? slot : undefined)
  }
}

/** The paired assertion, account by account and in all. */
function expectAddingUp(commits: Commits, uncommittedMicroUsd: number): void {
  const { charges, imbalances } = commits.slots.review()
  expect(imbalances).toEqual(new Map())
  expect(sum(charges.map(({ amountMicroUsd }) => amountMicroUsd))).toBe(uncommittedMicroUsd)
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

/** What a step does in the model and in the real thing; of an account or a secret, with its number behind them. */
type Change<T> = (model: Model, shop: Shop, given: T, number: number) => void | Promise<void>

/** A step that changes nothing in particular, or one of the accounts or secrets, where there is any. */
function step<T>(
  change: Change<T>,
  given: fc.Arbitrary<T>,
  list?: 'accounts' | 'secrets',
): fc.Arbitrary<fc.AsyncCommand<Model, Shop>> {
  return fc.tuple(given, fc.nat({ max: 1_000 })).map(([drawn, pick]) => ({
    check: (model) => list === undefined || model[list].length > 0,
    run: async (model, shop) => {
      await change(model, shop, drawn, list === undefined ? 0 : pick % model[list].length)
      await expectAgreement(model, shop)
    },
    toString: () => `${change.name}(${JSON.stringify([pick, drawn])})`,
  }))
}

async function createAccount(model: Model, shop: Shop): Promise<void> {
  await shop.books.createAccount(nameOf(model.accounts.length))
  model.accounts.push({
    ledgerMicroUsd: openingMicroUsdDefault,
    servedMicroUsd: 0,
    references: new Map(),
  })
}

/** An amount in micro-USD, and the reference that it goes by. */
type Payment = readonly [amountMicroUsd: number, reference: string]

async function topUp(
  model: Model,
  shop: Shop,
  [amountMicroUsd, reference]: Payment,
  number: number,
): Promise<void> {
  const account = model.accounts[number]!
  const earlier = account.references.get(reference)
  const work = () => shop.books.topUp(nameOf(number), amountMicroUsd, reference)
  if (earlier !== undefined && earlier !== amountMicroUsd) {
    await expect(work()).rejects.toThrow(Refusal)
    return
  }
  expect((await work()).credited).toBe(earlier === undefined)
  if (earlier === undefined) account.ledgerMicroUsd += amountMicroUsd
  account.references.set(reference, amountMicroUsd)
}

/** Money is taken back, also what has been sold and is not yet charged. */
async function takeBack(
  model: Model,
  shop: Shop,
  [amountMicroUsd, of]: Payment,
  number: number,
): Promise<void> {
  const reference = `back ${of}`
  const account = model.accounts[number]!
  const earlier = account.references.get(reference)
  const adjustment = { amountMicroUsd: -amountMicroUsd, reference, reason: 'paid twice' }
  const work = () => shop.books.adjust(nameOf(number), adjustment)
  const isOther = earlier !== undefined && earlier !== amountMicroUsd
  if (isOther || (earlier === undefined && account.ledgerMicroUsd < amountMicroUsd)) {
    await expect(work()).rejects.toThrow(Refusal)
    return
  }
  expect((await work()).credited).toBe(earlier === undefined)
  if (earlier === undefined) account.ledgerMicroUsd -= amountMicroUsd
  account.references.set(reference, amountMicroUsd)
}

async function issueKey(
  model: Model,
  shop: Shop,
  life: number | null,
  account: number,
): Promise<void> {
  const { text, record } = await shop.books.issueKey({ account: nameOf(account), lifeMs: life })
  shop.texts.push(text)
  shop.ids.push(record.id)
  const lifeMs = life ?? Number.POSITIVE_INFINITY
  const key = { account, lifeMs, expiresAtMs: model.nowMs + lifeMs, revoked: false }
  model.secrets.push({ key, endsAtMs: Number.POSITIVE_INFINITY })
}

async function revoke(model: Model, shop: Shop, _: null, number: number): Promise<void> {
  const { key } = model.secrets[number]!
  expect(await shop.books.revokeKey(shop.ids[number]!)).toBe(!key.revoked)
  key.revoked = true
}

async function rotate(model: Model, shop: Shop, overlapMs: number, number: number): Promise<void> {
  const { key } = model.secrets[number]!
  const work = () => shop.books.rotateKey(shop.ids[number]!, overlapMs)
  if (!isGood(key, model.nowMs)) {
    await expect(work()).rejects.toThrow(Refusal)
    return
  }
  const { text, record } = await work()
  shop.texts.push(text)
  shop.ids.push(record.id)
  const endsAtMs = Math.min(key.expiresAtMs, model.nowMs + overlapMs)
  for (const secret of model.secrets) {
    if (secret.key === key) secret.endsAtMs = Math.min(secret.endsAtMs, endsAtMs)
  }
  key.expiresAtMs = model.nowMs + key.lifeMs
  model.secrets.push({ key, endsAtMs: Number.POSITIVE_INFINITY })
}

/** A request with a key, whose answer is written, or aborted, by a later step. */
function request(
  model: Model,
  shop: Shop,
  [route, queries]: readonly [RouteName, number],
  number: number,
): void {
  const { reservations, held, commits } = shop.running
  const owner = reservations.keyring.ownerOf(`Bearer ${shop.texts[number]}`)
  if (owner === undefined) return
  const { account } = model.secrets[number]!.key
  const live = commits.balances.balanceMicroUsd(owner.accountSlot)
  const costMicroUsd = queries * prices[route]
  const asking = { route, search: '', isPosted: true, askedMs: 0 }
  const reserved = reservations.reserve(owner, asking, queries)
  expect(reserved.charge !== undefined).toBe(live >= costMicroUsd)
  if (reserved.charge === undefined) return
  expect(reserved.leftMicroUsd).toBe(live - costMicroUsd)
  held.push({ charge: reserved.charge, account })
}

/** The oldest answer is written, or its connection is gone. */
function finish(model: Model, shop: Shop, isAborted: boolean): void {
  const { reservations, held } = shop.running
  const first = held.shift()
  if (first === undefined) return
  if (isAborted) {
    reservations.release(first.charge)
    return
  }
  reservations.record(first.charge)
  model.accounts[first.account]!.servedMicroUsd += first.charge.costMicroUsd
}

function passTime(model: Model, shop: Shop, durationMs: number): void {
  model.nowMs += durationMs
  shop.clock.nowMs = model.nowMs
}

async function commit(model: Model, shop: Shop): Promise<void> {
  expect(await shop.running.commits.commit()).toBe(true)
  settle(model)
}

async function crash(model: Model, shop: Shop): Promise<void> {
  for (const account of model.accounts) account.servedMicroUsd = 0
  await shop.reopen()
}

async function restart(model: Model, shop: Shop): Promise<void> {
  await shop.running.commits.close()
  settle(model)
  await shop.reopen()
}

function settle(model: Model): void {
  for (const account of model.accounts) {
    // What was taken back while it was sold is the customer's.
    account.ledgerMicroUsd = Math.max(0, account.ledgerMicroUsd - account.servedMicroUsd)
    account.servedMicroUsd = 0
  }
}

const nothing = fc.constant(null)
const durationMs = fc.constantFrom(0, 1_000, 3_600_000, 86_400_000)
const payment = fc.tuple(fc.constantFrom(1, 1_000_000, 25_000_000), fc.constantFrom('a', 'b', 'c'))
// Up to 15 USD a request, so that a balance of 50 is soon too small.
const asked = fc.tuple(fc.constantFrom(...routeNames), fc.integer({ min: 1, max: 5_000 }))

const steps = [
  step(createAccount, nothing),
  step(topUp, payment, 'accounts'),
  step(takeBack, payment, 'accounts'),
  step(issueKey, fc.option(durationMs), 'accounts'),
  step(revoke, nothing, 'secrets'),
  step(rotate, durationMs, 'secrets'),
  step(request, asked, 'secrets'),
  step(request, asked, 'secrets'),
  step(finish, fc.boolean()),
  step(finish, fc.constant(false)),
  step(passTime, durationMs),
  step(commit, nothing),
  step(crash, nothing),
  step(restart, nothing),
]

test('whatever happens in whatever order, balances and keys are those of the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 80, size: 'max' }), async (commands) => {
      const shop = await new Shop().open()
      try {
        const model: Model = { nowMs: shop.clock.nowMs, accounts: [], secrets: [] }
        await fc.asyncModelRun(() => ({ model, real: shop }), commands)
      } finally {
        await shop.end()
      }
    }),
    { numRuns: 60 },
  )
})
