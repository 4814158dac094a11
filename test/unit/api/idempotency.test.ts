/** One question, one charge: requests under an Idempotency-Key, and what is taken of the balance. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiReply, ApiRequest } from '../../../src/api/exchange.ts'
import { answeredIn } from '../../../src/api/json-bytes.ts'
import { limits } from '../../../src/limits.ts'
import { defaultPrices } from '../../../src/operations.ts'
import { read } from '../../support/api-client.ts'
import { apiShop } from '../../support/api-shop.ts'
import { servedOf } from '../../support/built.ts'
import { recordedIn } from '../../support/ledger-fixture.ts'
import { authority, social } from '../../support/records.ts'

const served = servedOf({
  authorities: [authority({ sdu: '1', name: 'Ann', socials: [social('github', 'ann', 1)] })],
})
const price = defaultPrices.match

const newShop = () =>
  apiShop({ served: () => served, balances: [10_000_000, 10_000_000], threads: 2 })

let shop = newShop()
beforeEach(() => {
  shop = newShop()
})

/** Reserves the price of an answer; the caller says whether the answer was written. */
function begin(
  key: string | undefined,
  { target = '/api/v1/match?handles=ann', account = 0, thread = 0, ...more }: Asked = {},
): ApiReply {
  const [path = '', query = ''] = target.split('?')
  return shop.apis[thread]!.answer({
    ...{ method: 'GET', path, query, authorization: shop.authorizations[account]! },
    ...(key !== undefined && { idempotencyKey: () => key }),
    ...more,
  })
}

interface Asked extends Partial<ApiRequest> {
  readonly target?: string
  readonly account?: number
  readonly thread?: number
}

function ask(key: string | undefined, asked: Asked = {}) {
  const reply = begin(key, asked)
  const seen = read(reply)
  shop.apis[asked.thread ?? 0]!.written(reply)
  return seen
}

/** Asks, and has the answer written up to a text in it and with that text. */
function askInPart(key: string, asked: Asked, until: string): void {
  const reply = begin(key, asked)
  const body = Buffer.from(reply.body)
  const end = body.indexOf(until) + until.length
  const values = reply.answeredValues?.()
  shop.apis[0]!.written(reply, () => answeredIn(body.subarray(0, end), values))
}

function charged(account = 0) {
  const spent = 10_000_000 - shop.balances.balanceMicroUsd(account)
  return { queries: recordedIn(shop.balances, account).match ?? 0, spent }
}

function posted(handles: readonly string[], aligned = false): Asked {
  const body = Buffer.from(JSON.stringify({ handles, aligned }))
  return { target: '/api/v1/match', method: 'POST', body, contentType: 'application/json' }
}

describe('a repeat under the same key', () => {
  it('is answered and not charged, by any thread, and says so', () => {
    const first = ask('k')
    const again = ask('k', { thread: 1 })
    expect(first.headers['x-cost-usd']).toBe('0.001')
    expect(first.headers).not.toHaveProperty('idempotent-replay')
    expect(again).toMatchObject({ status: 200, json: { results: first.json.results } })
    expect(again.headers).toMatchObject({ 'x-cost-usd': '0.00', 'idempotent-replay': 'true' })
    expect(charged()).toEqual({ queries: 1, spent: price })
  })

  it('is the same question with a slash behind the path, and by a body byte by byte', () => {
    ask('k')
    expect(ask('k', { target: '/api/v1/match/?handles=ann' }).status).toBe(200)
    ask('body', posted(['ann', 'bob']))
    ask('body', posted(['ann', 'bob']))
    expect(charged().queries).toBe(3)
  })

  it('is answered where the balance is empty', () => {
    ask('k')
    shop.balances.withdraw(0, 10_000_000)
    expect([ask('k').status, ask('other').status, ask('other').status]).toEqual([200, 402, 402])
  })

  it('of two that are answered at once is charged once, whichever is written', () => {
    const [one, other] = [begin('k'), begin('k', { thread: 1 })]
    shop.apis[1]!.written(other)
    shop.apis[0]!.written(one)
    expect(charged()).toEqual({ queries: 1, spent: price })
    const [third, fourth] = [begin('l'), begin('l', { thread: 1 })]
    shop.apis[0]!.unwritten(third)
    shop.apis[1]!.written(fourth)
    expect(charged()).toEqual({ queries: 2, spent: 2 * price })
  })

  it('is refused when there were as many as may be, on all threads together, and charged nothing', () => {
    ask('k')
    shop.clock.nowMs = 60_000
    for (let repeat = 0; repeat < limits.idempotencyRepeatsMax; repeat += 1) {
      expect(ask('k', { thread: repeat % 2 }).status).toBe(200)
    }
    const refused = ask('k', { thread: 1 })
    expect(refused).toMatchObject({
      status: 429,
      json: { type: 'urn:authority-index:problem:rate-limited' },
    })
    expect(refused.headers['retry-after']).toBe('540')
    expect(refused.json.detail).toContain('was repeated 20 times')
    expect(ask('other').status).toBe(200)
    expect(charged()).toEqual({ queries: 2, spent: 2 * price })
    shop.clock.nowMs = 600_000
    expect(ask('k').headers['x-cost-usd']).toBe('0.001')
  })

  it('of many at once is refused beyond the limit, before anything is found', () => {
    const replies = Array.from({ length: 40 }, () => begin('k'))
    const answered = replies.filter(({ status }) => status === 200)
    expect(answered).toHaveLength(1 + limits.idempotencyRepeatsMax)
    for (const reply of answered) shop.apis[0]!.written(reply)
    expect(charged()).toEqual({ queries: 1, spent: price })
  })

  it('is charged where the first was not written', () => {
    shop.apis[0]!.unwritten(begin('k'))
    expect(charged()).toEqual({ queries: 0, spent: 0 })
    expect(ask('k').headers).not.toHaveProperty('idempotent-replay')
    expect(charged()).toEqual({ queries: 1, spent: price })
  })

  it('is charged for what of the first was not written', () => {
    const handles = Array.from({ length: 10 }, (_, index) => `h${index}`)
    askInPart('k', posted(handles, true), '[null,null,null,null')
    expect(charged()).toEqual({ queries: 4, spent: 4 * price })
    askInPart('k', posted(handles, true), '[null,null,n')
    expect(charged()).toEqual({ queries: 4, spent: 4 * price })
    const again = ask('k', posted(handles, true))
    expect(again.headers).toMatchObject({ 'x-cost-usd': '0.006', 'idempotent-replay': 'true' })
    expect(charged()).toEqual({ queries: 10, spent: 10 * price })
  })
})

describe('a key', () => {
  it('belongs to one question of its account: with another it is a 422, and nothing is charged', () => {
    ask('k')
    const targets = ['/api/v1/match?handles=bob', '/api/v1/peers?handles=ann']
    for (const target of targets) {
      const { status, json } = ask('k', { target })
      expect([status, json.type]).toEqual([
        422,
        'urn:authority-index:problem:idempotency-key-reused',
      ])
    }
    expect(ask('k', posted(['ann'])).status).toBe(422)
    expect(charged()).toEqual({ queries: 1, spent: price })
    expect(ask('k', { account: 1, target: targets[0]! }).status).toBe(200)
    expect(charged(1).queries).toBe(1)
  })

  it.each(['k k', 'k'.repeat(65), 'é', 'a\tb'])('that is none is a 400: %j', (key) => {
    const { status, json } = ask(key)
    expect([status, json.detail]).toEqual([
      400,
      'Idempotency-Key is not 1 to 64 visible characters',
    ])
    expect(charged().spent).toBe(0)
  })

  it('of 64 visible characters is one, and none is none', () => {
    ask('~'.repeat(64))
    ask('~'.repeat(64))
    ask('')
    ask(undefined)
    expect(charged().queries).toBe(3)
  })

  it('is not taken by a request that is refused or not modified', () => {
    const refusedTargets = ['/api/v1/match?handles=', '/api/v1/match?handles=ann&x=1']
    for (const target of refusedTargets) expect(ask('k', { target }).status).toBe(400)
    const { headers } = ask(undefined)
    expect(ask('k', { ifNoneMatch: headers.etag! }).status).toBe(304)
    expect(ask('k', { target: '/api/v1/match?handles=bob' }).status).toBe(200)
  })
})

describe('the tag of an answer to a body', () => {
  it('stands for the snapshot, whatever was asked: sent back it is a 304, free, and of another it is not', () => {
    const { headers } = ask(undefined, posted(['ann']))
    const before = charged()
    const again = ask(undefined, { ...posted(['bob', 'carl']), ifNoneMatch: headers.etag! })
    expect([again.status, again.headers.etag, again.text]).toEqual([304, headers.etag, ''])
    expect(charged()).toEqual(before)
    const other = `W/"${'0'.repeat(16)}${headers.etag!.slice(19)}`
    expect(ask(undefined, { ...posted(['ann']), ifNoneMatch: other }).status).toBe(200)
  })

  it('does not make a wrong body right', () => {
    const { headers } = ask(undefined, posted(['ann']))
    expect(ask(undefined, { ...posted([]), ifNoneMatch: headers.etag! }).status).toBe(400)
  })
})
