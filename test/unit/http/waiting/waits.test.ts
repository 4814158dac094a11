/** Requests that wait for what is not in memory: what clients get, who waits for whom, and what is charged. */
import { randomBytes, randomFillSync } from 'node:crypto'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ActiveSnapshot } from '../../../../src/api/active-snapshot.ts'
import { Api } from '../../../../src/api/api.ts'
import { createSharedLimits, RateLimit } from '../../../../src/api/limits/rate-limit.ts'
import { RequestIds } from '../../../../src/api/pipeline/request-ids.ts'
import { listen } from '../../../../src/http/server.ts'
import { Waits } from '../../../../src/http/waiting/waits.ts'
import { keyHash, newKeyText } from '../../../../src/ledger/key.ts'
import { createSharedBalances, ThreadBalances } from '../../../../src/ledger/live/balances.ts'
import { Keyring } from '../../../../src/ledger/live/keyring.ts'
import { Reservations } from '../../../../src/ledger/live/reservations.ts'
import { limits } from '../../../../src/limits.ts'
import { OpenRequests } from '../../../../src/mcp/open-requests.ts'
import {
  CannotBeBrought,
  type Hold,
  NotAtHand,
} from '../../../../src/memory/elsewhere/not-at-hand.ts'
import { defaultPrices } from '../../../../src/operations.ts'
import { servedOf } from '../../../support/built.ts'
import { ownerAt } from '../../../support/ledger-fixture.ts'
import { authority } from '../../../support/records.ts'

const records = {
  authorities: [authority({ sdu: '7', name: 'Ann Other' }), authority({ sdu: '8', name: 'Bob' })],
  topics: [],
  connections: [],
}
/** No test waits for the clock. */
const aMinute = 60_000
const startMicroUsd = 1_000_000

/** Profiles that are elsewhere until the test brings them. */
class Elsewhere extends NotAtHand {
  readonly waiting: { readonly hold: Hold; readonly come: (error?: Error) => void }[] = []
  isHere = false

  constructor() {
    super({ code: 'overloaded', detail: 'profiles are elsewhere' }, [], () => Promise.resolve())
  }

  override bring(hold: Hold): Promise<void> {
    return new Promise((resolve, reject) => {
      const come = (error?: Error) => (error === undefined ? resolve() : reject(error))
      this.waiting.push({ hold, come })
    })
  }

  /** Brings them to all who wait, or fails to. */
  async come(error?: Error): Promise<void> {
    this.isHere = error === undefined
    for (const { come } of this.waiting.splice(0)) come(error)
    await nextTurn()
  }
}

function servedFrom(elsewhere: Elsewhere): ActiveSnapshot {
  const served = servedOf(records)
  const { rests } = served.catalog.profiles
  const pageOf = rests.pageOf.bind(rests)
  rests.pageOf = (ordinal) => {
    if (!elsewhere.isHere) throw elsewhere
    return pageOf(ordinal)
  }
  return served
}

/** A server with one account and one key, over profiles that are elsewhere. */
async function serving({ waitMsMax = aMinute, requestsMax = 1_000 } = {}) {
  const elsewhere = new Elsewhere()
  const key = newKeyText(randomBytes)
  const keyring = new Keyring(Date.now)
  keyring.replace({
    keys: [{ ...ownerAt(0), hash: keyHash(key), expiresAtMs: Number.POSITIVE_INFINITY }],
  })
  const balances = new ThreadBalances(createSharedBalances(1), 0)
  balances.credit(0, startMicroUsd)
  const errors: unknown[] = []
  const charged: number[] = []
  const onCharged = (_: string, queries: number) => void charged.push(queries)
  const served = servedFrom(elsewhere)
  const api = new Api({
    served: () => served,
    reservations: new Reservations(keyring, balances, defaultPrices, onCharged),
    rateLimit: new RateLimit(createSharedLimits(0), { rateLimit: 1, rateBurst: requestsMax }),
    clock: () => 0,
    ids: new RequestIds(randomFillSync),
    onError: (error) => void errors.push(error),
  })
  const waits = new Waits(api, waitMsMax)
  const server = await listen({ api, waits }, '127.0.0.1', 0)
  if (server === undefined) throw new Error('cannot listen')
  onTestFinished(() => server.cut())
  const address = `http://127.0.0.1:${server.port}`
  const headers = { authorization: `Bearer ${key}` }
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${address}${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const balanceMicroUsd = () => balances.balanceMicroUsd(0)
  return { ...{ elsewhere, api, waits, server, key, ask, errors, charged, balanceMicroUsd } }
}

const detail = '/api/v1/detail?sdus=7'
const posted = {
  method: 'POST',
  body: JSON.stringify({ sdus: ['7'] }),
  headers: { 'content-type': 'application/json' },
}
const withoutTimes = (text: string) => text.replace(/"duration":[\d.]+/, '')

async function untilWaiting(waits: Waits, count: number): Promise<void> {
  await vi.waitFor(() => expect(waits.count).toBe(count), { interval: 1, timeout: aMinute })
}

it('answers others meanwhile, then gives the bytes that a request without a wait gets', async () => {
  const { elsewhere, waits, ask, charged, balanceMicroUsd } = await serving()
  const later = [ask(detail), ask('/api/v1/detail', posted)]
  await untilWaiting(waits, 2)
  expect(balanceMicroUsd()).toBe(startMicroUsd)
  expect((await ask('/api/v1/index?query=ann')).status).toBe(200)
  expect(charged).toEqual([1])
  await elsewhere.come()
  const answers = await Promise.all(later)
  const expected = [await ask(detail), await ask('/api/v1/detail', posted)]
  for (const [index, { status, text }] of answers.entries()) {
    expect(status).toBe(200)
    expect(withoutTimes(text)).toBe(withoutTimes(expected[index]!.text))
  }
  expect(charged).toEqual([1, 1, 1, 1, 1])
  expect(waits.count).toBe(0)
})

it('counts once for the limit of its account, and says so', async () => {
  const { elsewhere, waits, ask } = await serving({ requestsMax: 2 })
  const later = ask(detail)
  await untilWaiting(waits, 1)
  await elsewhere.come()
  expect((await later).status).toBe(200)
  expect((await ask(detail)).status).toBe(200)
  expect((await ask(detail)).status).toBe(429)
})

it('ends with 503 and Retry-After where it takes too long or cannot be brought; nothing is charged', async () => {
  const hasty = await serving({ waitMsMax: 1 })
  const late = await hasty.ask(detail)
  const { elsewhere, waits, ask, charged, balanceMicroUsd } = await serving()
  const later = ask(detail)
  await untilWaiting(waits, 1)
  await elsewhere.come(new CannotBeBrought({ code: 'overloaded', detail: 'it is gone' }))
  for (const [answer, because] of [
    [late, 'profiles are elsewhere'],
    [await later, 'it is gone'],
  ] as const) {
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(JSON.parse(answer.text)).toMatchObject({ detail: because, results: [] })
  }
  expect([charged, hasty.charged]).toEqual([[], []])
  expect(balanceMicroUsd()).toBe(startMicroUsd)
  expect(hasty.elsewhere.waiting.map(({ hold }) => hold.isOver)).toEqual([true])
})

it('is a logged 500 where bringing fails for another reason', async () => {
  const { elsewhere, waits, ask, errors } = await serving()
  const later = ask(detail)
  await untilWaiting(waits, 1)
  await elsewhere.come(new Error('a bug'))
  expect((await later).status).toBe(500)
  expect(errors).toHaveLength(1)
})

it.each(['GET', 'POST'])(
  'of a client that went away charges nothing and lets go (%s)',
  async (method) => {
    const { elsewhere, waits, server, key, charged, balanceMicroUsd } = await serving()
    const body = method === 'GET' ? '' : posted.body
    const target = method === 'GET' ? detail : '/api/v1/detail'
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `${method} ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await untilWaiting(waits, 1)
    socket.destroy()
    await untilWaiting(waits, 0)
    expect(elsewhere.waiting.map(({ hold }) => hold.isOver)).toEqual([true])
    await elsewhere.come()
    expect(charged).toEqual([])
    expect(balanceMicroUsd()).toBe(startMicroUsd)
  },
)

it('leaves places to other accounts: above an eighth of them, one is refused with 503', async () => {
  const { elsewhere, waits, ask } = await serving()
  const share = limits.waitsMax / 8
  const later = Array.from({ length: share }, () => ask(detail))
  await untilWaiting(waits, share)
  for (const answer of [await ask(detail), await ask('/api/v1/detail', posted)]) {
    expect(answer.status).toBe(503)
    expect(answer.text).toContain('overloaded')
  }
  await elsewhere.come()
  const answers = await Promise.all(later)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

it('of a tool is reserved until its request ends, and is nothing where that has ended', async () => {
  const { elsewhere, api, waits, key, charged, balanceMicroUsd } = await serving()
  const requests = new OpenRequests(api, waits)
  const question = { path: '/api/v1/detail', query: 'sdus=7' } as const
  const begin = () => requests.begin({ authorization: `Bearer ${key}`, address: '::1' })
  const [kept, ended] = [begin(), begin()]
  const answers = [kept, ended].map((number) => requests.ask({ number, question }))
  expect(waits.count).toBe(2)
  requests.end(ended, false)
  expect(waits.count).toBe(1)
  await elsewhere.come()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 499])
  expect(balanceMicroUsd()).toBe(startMicroUsd - defaultPrices.detail)
  expect(charged).toEqual([])
  requests.end(kept, true)
  expect(charged).toEqual([1])
})

it('is waited for by a server that closes', async () => {
  const { elsewhere, waits, server, ask } = await serving()
  const later = ask(detail)
  await untilWaiting(waits, 1)
  const closed = server.close()
  await elsewhere.come()
  expect((await later).status).toBe(200)
  await closed
})
