/**
 * A fleet that is tortured: four nodes behind a proxy sell from the accounts of one PostgreSQL, while
 * they are killed and stopped, the database loses its power again and again, customers top up, and
 * the clock of one node is an hour ahead; some keys have caps that are raised again and again. What customers saw is compared
 * with the books. It takes half a minute; `FLEET_SECONDS=600` is the whole of it.
 */
import { randomUUID } from 'node:crypto'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { balanceOf } from '../../../src/ledger/books/account-records.ts'
import type { Books } from '../../../src/ledger/books/books.ts'
import { withAdministration } from '../../../src/ledger/books/open-books.ts'
import type { CapPeriod } from '../../../src/money.ts'
import { fakeTimeLibrary } from '../../support/processes/fake-time.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { type FleetNode, query, startNode } from '../../support/servers/node.ts'
import {
  ask,
  isPostgresqlInstalled,
  type PostgresqlServer,
  startPostgresql,
} from '../../support/servers/postgresql-server.ts'
import { SlowWay } from '../../support/servers/slow-way.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const seconds = Number(process.env.FLEET_SECONDS ?? 30)

/** Fifty kills, twenty stops and ten outages in ten minutes; as much of that as fits into so many seconds. */
const share = (times: number) => Math.max(1, Math.round((times * seconds) / 600))
/** SIGKILLs, SIGSTOPs for longer than a lease lives, and how often the database loses its power. */
const plan = { kills: share(50), stops: share(20), outages: share(10) }

/** What came of it, beside what was done. */
interface Result {
  /** By status; what broke or took too long is `broken`. */
  readonly answers: Readonly<Record<string, number>>
  /** What should not be. */
  readonly violations: readonly string[]
}

const nodeCount = 4
const priceMicroUsd = 1_000
/** So many ask at once, each with a pause between two. */
const customersAtOnce = 16
const pauseMs = 10
const answerMsMax = 2_000
/** A customer without an answer asks again under the same key so often, and now and then one that has it. */
const repeatsMax = 3
const repeatShare = 0.1
/** Longer than a session lives and waits. */
const stopMs = 12_000
const pauseAfterStopMs = 500
const outageMs = 1_500
/** How old the news of a top-up may be, and how few queries may be left, when somebody gets a 402. */
const newsMs = 1_500
const fewQueries = 5

/** Charges are of no session: what each session was charged for is written down beside them. */
const soldBySession = `create table sold_by (session uuid, amount bigint);
  create function note_sold() returns trigger language plpgsql as $$ begin
    insert into sold_by values (new.session, new.spent - old.spent);
    return null;
  end $$;
  create trigger note_sold after update on lease for each row when (new.spent > old.spent)
    execute function note_sold()`

/** Something that was done to a node. Milliseconds since the epoch. */
interface Disturbance {
  readonly node: number
  /** Killed, or stopped for longer than a lease lives. */
  readonly kind: 'kill' | 'stop'
  readonly atMs: number
  /** When it was back; until then come only answers that had been given before. */
  readonly untilMs: number
}

/** A 200, or an attempt that broke and may have been sold, when it was seen. */
interface Answer {
  readonly node: number
  readonly atMs: number
}

/** What a customer has seen. */
interface Account {
  readonly name: string
  readonly key: string
  readonly answers: Record<string, number>
  /** What was answered with 200 at its price, and credits with their amounts. */
  readonly answered: Answer[]
  /** What broke on the way or took too long: it may have been sold. */
  readonly broken: Answer[]
  readonly credits: Credit[]
  /** The key whose cap is the first wall, and how it was raised; undefined where the balance is. */
  readonly cap: Cap | undefined
}

interface Cap {
  readonly keyId: string
  readonly period: CapPeriod
  readonly raises: Credit[]
}

interface Credit {
  readonly atMs: number
  readonly microUsd: number
}

/** A cap begins with twenty queries, and is raised by two to twenty: a slow machine reaches it, too. */
const capMicroUsd = 20_000
const raiseShare = 0.2

class Torture {
  readonly #directory: string
  readonly #server: PostgresqlServer
  readonly #balancer: SlowWay
  readonly #nodes: (FleetNode | undefined)[] = Array.from({ length: nodeCount })
  readonly #busy = new Set<number>()
  readonly #violations: string[] = []
  readonly #disturbances: Disturbance[] = []
  readonly done = { kills: 0, stops: 0, outages: 0, topUps: 0, raises: 0, atCaps: 0, proofs: 0 }
  /** Of each node, also when it was started again: by that the ledger knows it. */
  #ports: readonly number[] = []
  readonly #faketime = fakeTimeLibrary()
  #accounts: Account[] = []
  #isOver = false

  constructor(directory: string, server: PostgresqlServer, balancer: SlowWay) {
    this.#directory = directory
    this.#server = server
    this.#balancer = balancer
  }

  async run(): Promise<Result> {
    this.#ports = await Promise.all(this.#nodes.map(() => freePort()))
    // One that can pay for everything, and some that are always near their end.
    for (const usd of [50, 1, 0.1, 0.05, 0.02]) this.#accounts.push(await this.#newAccount(usd))
    for (const period of ['month', 'total'] as const) {
      this.#accounts.push(await this.#newCapped(period))
    }
    await ask(this.#server.address, soldBySession)
    await Promise.all(this.#nodes.map((_, index) => this.#start(index)))
    const asking = Array.from({ length: customersAtOnce }, (_, index) =>
      this.#askOn(this.#accounts[index % this.#accounts.length]!),
    )
    const paying = [this.#payOn(), this.#proveOn()]
    const over = Date.now() + seconds * 1_000
    await Promise.all([
      this.#spread(plan.kills, over, () => this.#kill()),
      this.#spread(plan.stops, over - stopMs, () => this.#standStill()),
      this.#spread(plan.outages, over, () => this.#lose()),
      sleep(seconds * 1_000),
    ])
    this.#isOver = true
    await Promise.all([...asking, ...paying])
    return this.#settle()
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#nodes.map((node) => node?.stop('SIGKILL')))
  }

  #books<T>(use: (books: Books) => Promise<T>): Promise<T> {
    const place = { data: '', ledger: this.#server.address, clock: Date.now }
    return withAdministration(place, use)
  }

  #newAccount(usd: number): Promise<Account> {
    const name = `customer-${this.#accounts.length}`
    return this.#books(async (books) => {
      await books.createAccount(name, Math.round(usd * 1e6))
      const { text } = await books.issueKey({ account: name })
      const nothing = { answers: {}, answered: [], broken: [], credits: [] }
      return { name, key: text, cap: undefined, ...nothing }
    })
  }

  /** An account that can pay for everything, whose key has a cap of a month or in all. */
  async #newCapped(period: 'month' | 'total'): Promise<Account> {
    const account = await this.#newAccount(50)
    const order = { account: account.name }
    const cap = { amountMicroUsd: capMicroUsd, period } as const
    return this.#books(async (books) => {
      const { text: key, record } = await books.issueKey({ ...order, cap })
      return { ...account, key, cap: { keyId: record.id, period, raises: [] } }
    })
  }

  /** The first node's clock is an hour ahead, where there is something to fake it with. */
  async #start(index: number): Promise<void> {
    const ahead = { FAKETIME: '+1h', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
    const library = index === 0 ? this.#faketime : undefined
    const variables = library === undefined ? {} : { LD_PRELOAD: library, ...ahead }
    const data = join(this.#directory, `node-${index}`)
    for (let attempt = 1; ; attempt += 1) {
      try {
        const words = ['--port', String(this.#ports[index])]
        const node = await startNode(this.#server.address, data, words, variables)
        this.#nodes[index] = node
        this.#balancer.ports.add(node.port)
        return
      } catch (error) {
        // While the database is away no node starts: what keeps it alive tries again.
        if (attempt === 20) throw error
        await sleep(500)
      }
    }
  }

  /** Does something so often, evenly until a time; each begins whether or not the last is done. */
  async #spread(times: number, untilMs: number, act: () => Promise<void>): Promise<void> {
    const everyMs = (untilMs - Date.now()) / (times + 1)
    const acts: Promise<void>[] = []
    for (let time = 0; time < times; time += 1) {
      await sleep(everyMs)
      acts.push(act())
    }
    await Promise.all(acts)
  }

  /** A node that nothing is done to at the moment; one is always left alone. */
  async #chosen(): Promise<number> {
    for (;;) {
      const free = this.#nodes.flatMap((node, index) =>
        node === undefined || this.#busy.has(index) ? [] : [index],
      )
      if (free.length > 1) {
        const index = free[Math.floor(Math.random() * free.length)]!
        this.#busy.add(index)
        return index
      }
      await sleep(100)
    }
  }

  async #kill(): Promise<void> {
    const index = await this.#chosen()
    const node = this.#nodes[index]!
    this.#balancer.ports.delete(node.port)
    const atMs = Date.now()
    await node.stop('SIGKILL')
    await this.#start(index)
    this.#disturbances.push({ node: index, kind: 'kill', atMs, untilMs: Date.now() })
    this.#busy.delete(index)
    this.done.kills += 1
  }

  async #standStill(): Promise<void> {
    const index = await this.#chosen()
    const { child } = this.#nodes[index]!
    const atMs = Date.now()
    child.kill('SIGSTOP')
    await sleep(stopMs)
    child.kill('SIGCONT')
    this.#disturbances.push({ node: index, kind: 'stop', atMs, untilMs: Date.now() })
    // Nothing else is done to it until it knows that it is fenced.
    await sleep(pauseAfterStopMs)
    this.#busy.delete(index)
    this.done.stops += 1
  }

  async #lose(): Promise<void> {
    this.#server.stopAtOnce()
    await sleep(outageMs)
    this.#server.startAgain()
    this.done.outages += 1
  }

  async #askOn(account: Account): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!this.#isOver) {
      const statuses = await this.#askQuestion(agent, account)
      await sleep(statuses.at(-1) === '200' ? pauseMs : 5 * pauseMs)
    }
    agent.destroy()
  }

  /** Asks one question under a key, again where its answer is missing; returns every status. */
  async #askQuestion(agent: Agent, account: Account): Promise<string[]> {
    const statuses: string[] = []
    const name = randomUUID()
    for (let isAsked = true; isAsked; ) {
      const sentAtMs = Date.now()
      // A repeat has a connection of its own: the proxy gives it to another node, which charges it.
      const of = statuses.length === 0 ? agent : new Agent()
      const { status, node, isPaid } = await this.#askOnce(of, account, name)
      if (status === 'broken') account.broken.push({ node, atMs: Date.now() })
      statuses.push(status)
      account.answers[status] = (account.answers[status] ?? 0) + 1
      if (isPaid) account.answered.push({ node, atMs: Date.now() })
      if (status === '402') await this.#checkRefusal(account, sentAtMs)
      const isRepeated = status === 'broken' || (status === '200' && Math.random() < repeatShare)
      isAsked = isRepeated && statuses.length <= repeatsMax && !this.#isOver
    }
    return statuses
  }

  /** The status, and the node that was asked; -1 where none was. */
  #askOnce(
    agent: Agent,
    { key }: Account,
    name: string,
  ): Promise<{ status: string; node: number; isPaid: boolean }> {
    return new Promise((resolve) => {
      let port = 0
      const nodeOf = () => this.#ports.indexOf(this.#balancer.serverOf(port) ?? -1)
      const broken = () => resolve({ status: 'broken', node: nodeOf(), isPaid: false })
      const options = { agent, port: this.#balancer.port, path: query, timeout: answerMsMax }
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': name }
      const request = get({ ...options, host: '127.0.0.1', headers }, (response) => {
        const node = nodeOf()
        const isPaid = response.statusCode === 200 && response.headers['x-cost-usd'] !== '0.00'
        response.resume()
        response.on('end', () => resolve({ status: String(response.statusCode), node, isPaid }))
        response.on('error', broken)
      })
      // A socket that is closed does not know its port any more.
      request.on('socket', (socket) => {
        const note = () => {
          port = socket.localPort ?? 0
        }
        if (socket.connecting) socket.once('connect', note)
        else note()
      })
      request.on('timeout', () => request.destroy(new Error('no answer')))
      request.on('error', broken)
    })
  }

  /**
   * What the ledger has of the account now, less what came in too late to be known and what was just
   * sold and perhaps not reported, equals the funds at the refusal.
   */
  async #checkRefusal(account: Account, sentAtMs: number): Promise<void> {
    const sinceMs = sentAtMs - newsMs
    if (account.cap !== undefined) this.done.atCaps += 1
    let left: number
    try {
      left = await (account.cap === undefined
        ? this.#leftOf(account.name)
        : this.#leftOfCap(account.cap.keyId))
    } catch {
      // Without the database this cannot be checked; it is back soon, and there are many refusals.
      return
    }
    const late = (account.cap?.raises ?? account.credits).filter(({ atMs }) => atMs >= sinceMs)
    const credited = late.reduce((sum, { microUsd }) => sum + microUsd, 0)
    const sold = answersSince(account, sinceMs) * priceMicroUsd
    const known = left - credited - sold
    if (known <= fewQueries * priceMicroUsd) return
    this.#violations.push(`${account.name} got a 402 with ${known / 1e6} USD`)
  }

  async #leftOf(name: string): Promise<number> {
    const [row] = await ask<{ left: string }>(
      this.#server.address,
      'select credited - charged as left from account where name = $1',
      [name],
    )
    return Number(row!.left)
  }

  async #leftOfCap(keyId: string): Promise<number> {
    const [row] = await ask<{ left: string }>(
      this.#server.address,
      'select amount - spent as left from key_cap where key_id = $1',
      [keyId],
    )
    return Number(row!.left)
  }

  async #payOn(): Promise<void> {
    for (let number = 0; !this.#isOver; number += 1) {
      const account = this.#accounts[1 + (number % (this.#accounts.length - 1))]!
      const microUsd = 10_000 + Math.floor(Math.random() * 90_000)
      if (account.cap !== undefined) {
        await this.#raise(account.cap, Math.floor(microUsd * raiseShare))
        continue
      }
      // A payment that is in doubt is repeated, under its reference.
      for (let isDone = false; !isDone; ) {
        account.credits.push({ atMs: Date.now() + 60_000, microUsd })
        isDone = await this.#books((books) => books.topUp(account.name, microUsd, `pay-${number}`))
          .then(() => true)
          .catch(() => false)
        account.credits.pop()
        if (!isDone) await sleep(200)
      }
      account.credits.push({ atMs: Date.now(), microUsd })
      this.done.topUps += 1
      await sleep(400)
    }
  }

  /** Raises a cap; where that is in doubt, it is done again. */
  async #raise({ keyId, period, raises }: Cap, microUsd: number): Promise<void> {
    const raisedMicroUsd =
      raises.reduce((sum, raise) => sum + raise.microUsd, capMicroUsd) + microUsd
    const change = { amountMicroUsd: raisedMicroUsd, period: period } as const
    for (let isDone = false; !isDone; ) {
      raises.push({ atMs: Date.now() + 60_000, microUsd })
      isDone = await this.#books((books) => books.setKey(keyId, { cap: change }))
        .then(() => true)
        .catch(() => false)
      raises.pop()
      if (!isDone) await sleep(200)
    }
    raises.push({ atMs: Date.now(), microUsd })
    this.done.raises += 1
    await sleep(400)
  }

  async #proveOn(): Promise<void> {
    while (!this.#isOver) {
      try {
        const { contradictions } = await this.#books((books) => books.audit())
        this.#violations.push(...contradictions)
        this.done.proofs += 1
      } catch {
        // The database is away.
      }
      await sleep(500)
    }
  }

  /** Ends every node in good order, so that all sales are reported, and compares. */
  async #settle(): Promise<Result> {
    for (const node of this.#nodes) {
      const { exitCode, stderr } = await node!.stop()
      if (exitCode !== 0) this.#violations.push(`a node ended with ${exitCode}: ${stderr}`)
    }
    const { contradictions } = await this.#books((books) => books.audit())
    this.#violations.push(...contradictions)
    const answers: Record<string, number> = {}
    let charged = 0
    for (const account of this.#accounts) {
      for (const [status, count] of Object.entries(account.answers)) {
        answers[status] = (answers[status] ?? 0) + count
      }
      charged += await this.#compare(account)
    }
    return this.#resultOf(answers, charged)
  }

  /** Returns how many queries the account was charged for. */
  async #compare(account: Account): Promise<number> {
    const { name, answered, broken, credits } = account
    const statement = await this.#books((books) => books.statementOf(name))
    const charged = statement.charges.reduce((sum, { queries }) => sum + queries, 0)
    const soldMax = answered.length + broken.length
    if (charged > soldMax) {
      this.#violations.push(`${name} was charged for ${charged} queries, of ${soldMax} answers`)
    }
    const topUps = statement.credits.filter(({ reference }) => reference?.startsWith('pay-'))
    const sum = topUps.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0)
    const acknowledged = credits.reduce((total, { microUsd }) => total + microUsd, 0)
    if (sum !== acknowledged) {
      this.#violations.push(`${name} paid ${acknowledged} micro-USD and was credited ${sum}`)
    }
    if (balanceOf(statement.account) < 0) this.#violations.push(`${name} is below zero`)
    const leftOfCap = account.cap === undefined ? 0 : await this.#leftOfCap(account.cap.keyId)
    if (leftOfCap < 0) this.#violations.push(`${name} passed its cap by ${-leftOfCap} micro-USD`)
    return charged
  }

  async #resultOf(answers: Record<string, number>, charged: number): Promise<Result> {
    const { address } = this.#server
    const [row] = await ask<{ open: string }>(
      address,
      'select coalesce(sum(granted - spent), 0) as open from lease',
    )
    if (row!.open !== '0') this.#violations.push(`${row!.open} micro-USD are leased to nobody`)
    const nodes = await Promise.all(this.#ports.map((_, index) => this.#reckon(index)))
    const uncharged = this.#accounts.reduce((sum, { answered }) => sum + answered.length, -charged)
    // Not what nodes have lost by their sums: a charge whose answer broke on the way hides a lost one there.
    if (uncharged > nodes.reduce((sum, most) => sum + most, 0)) {
      this.#violations.push(`${uncharged} answers said their price and nobody was charged for them`)
    }
    return { answers, violations: [...new Set(this.#violations)] }
  }

  /**
   * What one node answered is charged, written down as given away, or lost; of both no more than is stated.
   * @returns what was given away and at most lost.
   */
  async #reckon(index: number): Promise<number> {
    const [row] = await ask<{ charged: string; given: string }>(
      this.#server.address,
      `with own as (select id from session where node like '%:' || $1)
       select
         (select coalesce(sum(amount), 0) / ${priceMicroUsd} from sold_by
           where session in (select id from own)) as charged,
         (select coalesce(sum(queries), 0) from given_away
           where session in (select id from own)) as given`,
      [this.#ports[index]],
    )
    const own = (answers: readonly Answer[]) => answers.filter(({ node }) => node === index)
    const answered = own(this.#accounts.flatMap((account) => account.answered)).length
    const sold = own(this.#accounts.flatMap((account) => [...account.answered, ...account.broken]))
    const [charged, givenAway] = [Number(row!.charged), Number(row!.given)]
    const lost = Math.max(0, answered - charged - givenAway)
    sold.sort((a, b) => a.atMs - b.atMs)
    const { givenAwayMax, lostMax } = boundsOf(index, sold, this.#disturbances)
    if (lost > lostMax) {
      this.#violations.push(`node ${index} lost ${lost} answers, of ${lostMax} at most`)
    }
    if (givenAway > givenAwayMax) {
      const most = `of ${givenAwayMax} at most`
      this.#violations.push(`node ${index} gave ${givenAway} answers away, ${most}`)
    }
    return givenAway + lostMax
  }
}

function answersSince({ answered }: Account, sinceMs: number): number {
  return answered.filter(({ atMs }) => atMs >= sinceMs).length
}

/** Queries. */
interface Bounds {
  readonly givenAwayMax: number
  readonly lostMax: number
}

/** What a node may have sold and not told: the life of a lease. */
const untoldMs = 5_000
/** What a node may have sold and not written into its outbox, on a busy machine, and how often it looks. */
const unwrittenMs = 2_000 + 50
/** In what time a node that stood still has seen that it did. */
const noticedMs = 500

/** The bounds of one node. */
function boundsOf(
  node: number,
  answers: readonly Answer[],
  disturbances: readonly Disturbance[],
): Bounds {
  const own = answers.filter((answer) => answer.node === node)
  const done = disturbances.filter((each) => each.node === node)
  const untold = done.map(({ kind, atMs, untilMs }) => ({
    // While the database is away it stops selling, and has that still to tell.
    fromMs: lastBefore(own, atMs) - untoldMs,
    untilMs: kind === 'stop' ? untilMs + noticedMs : untilMs,
  }))
  const unwritten = done
    .filter(({ kind }) => kind === 'kill')
    .map(({ atMs, untilMs }) => ({ fromMs: atMs - unwrittenMs, untilMs }))
  return { givenAwayMax: countWithin(own, untold), lostMax: countWithin(own, unwritten) }
}

function lastBefore(answers: readonly Answer[], atMs: number): number {
  const before = answers.filter((answer) => answer.atMs <= atMs)
  return Math.min(atMs, before.at(-1)?.atMs ?? atMs)
}

/** How many are within any of some times, each counted once. */
function countWithin(
  answers: readonly Answer[],
  times: readonly { readonly fromMs: number; readonly untilMs: number }[],
): number {
  const isWithin = ({ atMs }: Answer) =>
    times.some(({ fromMs, untilMs }) => atMs >= fromMs && atMs <= untilMs)
  return answers.filter(isWithin).length
}

describe.skipIf(!isPostgresqlInstalled())('a fleet that is tortured', () => {
  test(
    'charges nobody too much, loses no payment, passes no cap, and refuses nobody who can pay',
    async () => {
      const directory = temporaryDirectory()
      const server = await startPostgresql()
      onTestFinished(server.stop)
      const balancer = await SlowWay.start()
      onTestFinished(() => balancer.close())
      const torture = new Torture(directory, server, balancer)
      onTestFinished(() => torture.end())
      const { violations, answers } = await torture.run()
      const { done } = torture
      console.info(JSON.stringify({ ...done, answers }))
      expect(violations).toEqual([])
      if (seconds === 30) expect(done).toMatchObject({ kills: 3, stops: 1, outages: 1 })
      expect(done.proofs).toBeGreaterThan(3)
      expect(done.topUps).toBeGreaterThan(3)
      expect(done.raises).toBeGreaterThan(3)
      expect(done.atCaps).toBeGreaterThan(0)
      expect(answers['200']).toBeGreaterThan(100)
      expect(answers['402']).toBeGreaterThan(0)
    },
    600_000 + seconds * 1_000,
  )
})
