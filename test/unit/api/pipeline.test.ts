/** One pipeline: the fast parsers change no value; the order of the steps. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ApiRequest, headersOf } from '../../../src/api/exchange.ts'
import {
  addressLimitsOf,
  createSharedLimits,
  RateLimit,
} from '../../../src/api/limits/rate-limit.ts'
import { handlers } from '../../../src/api/operations/registry.ts'
import { AnswerFrame } from '../../../src/api/pipeline/answer-frame.ts'
import { RequestIds } from '../../../src/api/pipeline/request-ids.ts'
import { answerLineNames } from '../../../src/api/pipeline/response-headers.ts'
import { inputs } from '../../../src/api/schemas/inputs.ts'
import { keyHash, newKeyText } from '../../../src/ledger/books/key.ts'
import { accountsMax } from '../../../src/ledger/books/port.ts'
import { writeUsd } from '../../../src/memory/ascii.ts'
import { formatUsd } from '../../../src/money.ts'
import { defaultPrices, isAnswered, routeNames } from '../../../src/operations.ts'
import { apiShop } from '../../support/api-shop.ts'
import { servedOf } from '../../support/built.ts'
import { ownerAt } from '../../support/ledger-fixture.ts'

const prices = { ...defaultPrices, search: 1_000, detail: 2_500, peers: 70_001, match: 1_000_000 }

const nobody = servedOf({ authorities: [] })

/** An API over nobody for one account with so much money, whose key may have a cap of as much. */
function shopOf(balanceMicroUsd: number, limited = false, capped = false) {
  const limit = { rateLimit: 1, rateBurst: 2, failedKeyLimit: 0 }
  const limits = createSharedLimits(1)
  const shop = apiShop({
    served: () => nobody,
    balances: [balanceMicroUsd],
    prices,
    ownerOf: () => ({ ...ownerAt(0), ...(capped && { purses: [0, accountsMax] }) }),
    more: limited
      ? {
          rateLimit: new RateLimit(limits, limit),
          lookupLimit: new RateLimit(limits, { ...limit, rateBurst: 3 }, 'lookup'),
        }
      : {},
  })
  if (capped) shop.balances.credit(accountsMax, balanceMicroUsd)
  return shop
}

const [authorization = ''] = shopOf(0).authorizations

/** Handles as clients send them. Made once: to make such an arbitrary costs more than to draw from it. */
const usualHandle = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^@?[\w.-]{1,12}$/) },
  fc.stringMatching(/^@?UC[\w-]{21}[AQgw]$/),
  fc.stringMatching(/^@?\d{4}-\d{4}-\d{4}-\d{3}[\dxX]$/),
  fc.stringMatching(/^@?[a-z]{1,8}\.(medium|substack|tumblr|github|bsky)\.(com|io|social)$/),
  fc.constantFrom('x.com', 't.me', 'ann', '@Ann', 'Q42', '0000000121032683'),
  fc.stringMatching(/^(twitter|X|bsky|fb|unheard):@?[\w.]{1,9}$/),
  fc.stringMatching(/^(https?:\/\/)?(x\.com|github\.com|mastodon\.social)\/@?[\w./-]{1,20}$/),
)

/** Values between commas, a limit and fields, in frequent and in rare spellings. */
const listed = fc
  .constantFrom(
    { route: 'detail' as const, spelling: 'sdu', usual: fc.stringMatching(/^[0-9]{1,4}$/) },
    { route: 'peers' as const, spelling: 'handle', usual: usualHandle },
    { route: 'match' as const, spelling: 'handle', usual: usualHandle },
  )
  .chain(({ route, spelling, usual }) => {
    const rare = fc.constantFrom(
      ...['Ann', '@ann', 'x:ann', 'ann.io', '0'.repeat(33), 'a'.repeat(65), 'a'.repeat(257), ''],
      ...[
        '"ann"',
        '%40ann',
        'x.com/ann?tab=1',
        'x.com/ann#top',
        'https://twitter.com/ann',
        'a+b',
        'é',
      ],
    )
    const each = fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: rare })
    return fc
      .tuple(
        fc.constantFrom(spelling, `${spelling}s`),
        fc.array(each, { minLength: 1, maxLength: 2 }),
        fc.constantFrom(',', ',', ',', '%2C', '%2c', ',%2C,'),
        fc.constantFrom('', '', '&limit=7', '&limit=0', '&limit=9999', '&limit=12345', '&limit='),
        fc.constantFrom('', '', '&fields=name,sdu', '&fields=sdu,sdu', '&fields=nam', '&fields='),
      )
      .map(([name, values, separator, limit, fields]) => ({
        route,
        text: `${name}=${values.join(separator)}${limit}${fields}`,
      }))
  })

/** Texts as clients send them, a limit and fields, in frequent and in rare spellings. */
const searched = fc
  .tuple(
    fc.constantFrom('query=', 'query=', 'querys=', 'text='),
    fc.oneof(
      fc.string({ maxLength: 12 }).map(encodeURIComponent),
      fc.string({ unit: 'grapheme', maxLength: 6 }).map(encodeURIComponent),
      fc.stringMatching(/^[ +]{0,2}[a-zé+]{1,12}[+]{0,2}$/),
      fc.constantFrom('%', '%zz', '%ff', 'a%2', '%26limit=3', 'a'.repeat(257), '%20+%20', ''),
    ),
    fc.constantFrom('', '', '&limit=7', '&limit=0', '&limit=12345', '&query=b'),
    fc.constantFrom('', '', '&fields=name,sdu', '&fields=nam', '&country=France', '&cursor=*'),
  )
  .map(([name, text, limit, fields]) => ({
    route: 'search' as const,
    text: `${name}${text}${limit}${fields}`,
  }))

describe('a fast parser', () => {
  it('gives the value that the general parser gives, or none', () => {
    const counts = { detail: 0, peers: 0, match: 0, search: 0 }
    fc.assert(
      fc.property(fc.oneof({ weight: 3, arbitrary: listed }, searched), ({ route, text }) => {
        const { fastParse, parse } = handlers[route]
        const value = fastParse!(text)
        if (value === undefined) return
        counts[route] += 1
        expect({ value }).toEqual(parse(text, nobody))
      }),
      { numRuns: 2_000 },
    )
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10)
  })
})

describe('the table of inputs', () => {
  it('has an input for each method that asks an operation, and for no other', () => {
    for (const route of routeNames) {
      expect([route, 'get' in inputs[route], 'post' in inputs[route]]).toEqual([
        route,
        isAnswered(route, 'GET'),
        isAnswered(route, 'POST'),
      ])
    }
  })
})

describe('the limit of an account', () => {
  it('is taken before the query string or the body of a request is read', () => {
    const { api } = shopOf(10_000, true)
    const unread = (member: 'query' | 'body', request: ApiRequest) =>
      Object.defineProperty({ ...request }, member, {
        get: () => expect.fail(`${member} was read`),
      })
    const get = { method: 'GET', path: '/api/v1/detail', query: 'sdu=1', authorization }
    const post = { ...get, method: 'POST', query: '', body: Buffer.from('{"sdus":["1"]}') }
    expect([api.answer(get), api.answer(get)].map(({ status }) => status)).toEqual([200, 200])
    expect(api.answer(unread('query', get)).status).toBe(429)
    expect(api.answer(unread('body', post)).status).toBe(429)
    expect(api.admitHead(unread('body', post)).refusal?.status).toBe(429)
  })

  it('is taken once for the head of a POST and its body together', () => {
    const { api } = shopOf(10_000, true)
    const head = { method: 'POST', path: '/api/v1/detail', query: '', authorization }
    const contentType = 'application/json'
    for (const left of [1, 0]) {
      const entered = api.admitHead(head)
      if (entered.refusal !== undefined) expect.fail('the head was refused')
      const body = Buffer.from('{"sdus":["1"]}')
      const reply = api.answer({ ...head, contentType, body, takenNs: entered.takenNs })
      expect(headersOf(reply)).toContainEqual(['RateLimit', expect.stringContaining(`r=${left}`)])
    }
    expect(api.admitHead(head).refusal?.status).toBe(429)
  })

  it('does not count what no operation, key or snapshot answers', () => {
    const { api } = shopOf(10_000, true)
    const get = { method: 'GET', path: '/api/v1/detail', query: 'sdu=1', authorization }
    for (let time = 0; time < 5; time += 1) {
      expect(api.answer({ ...get, path: '/api/v1/nothing' }).status).toBe(404)
      expect(api.answer({ ...get, method: 'DELETE' }).status).toBe(405)
      expect(api.admitHead({ ...get, method: 'PATCH' }).refusal?.status).toBe(405)
      expect(api.answer({ ...get, authorization: '' }).status).toBe(401)
    }
    expect(api.answer(get).status).toBe(200)
  })
})

describe('an answer', () => {
  it('carries every line of the table, in its order, where there are prices, limits and caps', () => {
    const request = { method: 'GET', path: '/api/v1/index', query: 'query=rust', authorization }
    const linesOf = (capped: boolean) => {
      const { api } = shopOf(10_000, true, capped)
      return headersOf(api.answer(request)).map(([header]) => header)
    }
    expect(linesOf(true)).toEqual(answerLineNames)
    const uncapped = answerLineNames.filter((name) => name !== 'X-Key-Remaining-Usd')
    expect(linesOf(false)).toEqual(uncapped)
  })

  it('carries its own lines, whichever the answer before it had', () => {
    const { reservations } = shopOf(0).context
    const rateLimit = new RateLimit(createSharedLimits(1), { rateLimit: 1, rateBurst: 2 })
    const frame = () =>
      new AnswerFrame('search', {
        ids: new RequestIds((block) => block.fill(7)),
        reservations,
        rateLimit,
      })
    const linesOf = (
      answers: AnswerFrame,
      balanceMicroUsd?: number,
      leftOfCapMicroUsd?: number,
    ) => {
      answers.begin()
      Object.assign(answers.facts, { balanceMicroUsd, leftOfCapMicroUsd })
      return Buffer.from(answers.head('932a14ea845a688ba9f6f717eb1a41e5')).toString()
    }
    const one = frame()
    for (const amounts of [[1, 2], [], [3], [3, 4], [1, 2], []]) {
      expect(linesOf(one, ...amounts)).toBe(linesOf(frame(), ...amounts))
    }
  })
})

describe('a request that the limit refuses', () => {
  it('has nothing reserved for it', () => {
    const { api, balances } = shopOf(10_000, true)
    const request = { method: 'GET', path: '/api/v1/detail', query: 'sdu=1', authorization }
    expect([1, 2, 3].map(() => api.answer(request).status)).toEqual([200, 200, 429])
    expect(balances.balanceMicroUsd(0)).toBe(10_000 - 2 * prices.detail)
  })

  it('is told so before anything else that is wrong with it but its key', () => {
    const { api } = shopOf(10_000, true)
    const request = { method: 'GET', path: '/api/v1/detail', query: 'sdu=x', authorization }
    expect([1, 2, 3].map(() => api.answer(request).status)).toEqual([400, 400, 429])
    expect(api.answer({ ...request, authorization: '' }).status).toBe(401)
  })
})

describe('keys that this thread does not have', () => {
  it('count against their address only once they are known not to be good', () => {
    const limits = { failedKeyLimit: 1, connectionRateLimit: 0 }
    const { failedKeys } = addressLimitsOf(createSharedLimits(1), limits, () => 0)
    const { api, context } = apiShop({ served: () => nobody, balances: [], more: { failedKeys } })
    const keys = [1, 2, 3].map((each) => newKeyText(() => each))
    const statuses = () =>
      keys.map((key) => {
        const authorization = `Bearer ${key}`
        const get = { method: 'GET', path: '/api/v1/index', query: 'query=a', authorization }
        return api.answer({ ...get, address: () => '192.0.2.1' }).status
      })
    expect(statuses()).toEqual([503, 503, 503])
    const bad = keys.map((key) => keyHash(key))
    context.reservations?.keyring.take({ changed: [], keys: [], bad })
    expect(statuses()).toEqual([401, 429, 429])
  })
})

describe('a lookup', () => {
  it('is free and counted apart from queries, by a limit of its own', () => {
    const { api, balances } = shopOf(10_000, true)
    const statusOf = (path: string, query: string) =>
      api.answer({ method: 'GET', path, query, authorization }).status
    const lookups = [
      statusOf('/api/v1/autocomplete', 'query=a'),
      statusOf('/api/v1/topics', ''),
      statusOf('/api/v1/autocomplete', ''),
      statusOf('/api/v1/snapshots', ''),
    ]
    expect(lookups).toEqual([200, 200, 400, 429])
    expect(balances.balanceMicroUsd(0)).toBe(10_000)
    expect([1, 2, 3].map(() => statusOf('/api/v1/match', ''))).toEqual([400, 400, 429])
  })

  it('says where the account stands by the name of that limit', () => {
    const { api } = shopOf(10_000, true)
    const path = '/api/v1/autocomplete'
    const reply = api.answer({ method: 'GET', path, query: 'query=a', authorization })
    const headers = Object.fromEntries(headersOf(reply))
    expect(headers['RateLimit-Policy']).toBe('"lookup";q=3;w=3')
    expect(headers.RateLimit).toBe('"lookup";r=2;t=1')
  })
})

describe('an amount in a header', () => {
  it('is written as it is formatted everywhere else', () => {
    const bytes = Buffer.alloc(40)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e15 }), (amountMicroUsd) => {
        const end = writeUsd(bytes, 3, amountMicroUsd)
        expect(bytes.toString('latin1', 3, end)).toBe(formatUsd(amountMicroUsd))
      }),
    )
  })
})
