/** Bodies: many at once are answered as one at a time would be, and nothing in one is passed over. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActiveSnapshot } from '../../../src/api/active-snapshot.ts'
import type { Api } from '../../../src/api/api.ts'
import { limits } from '../../../src/limits.ts'
import { fieldNames } from '../../../src/request-parameters.ts'
import { topicKey } from '../../../src/text/analyzer.ts'
import { nowhere, parseHandle } from '../../../src/text/handle.ts'
import { ask, newApi, type Reply } from '../../support/api-client.ts'
import { apiShop } from '../../support/api-shop.ts'
import { servedOf } from '../../support/built.ts'
import { Oracle, type Person } from '../../support/oracle.ts'
import {
  authority,
  handlePool,
  identifierQueries,
  labelPool,
  platformPool,
  sduPool,
  smallSources,
  social,
  topic,
} from '../../support/records.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('bodies.tsv', import.meta.url))

const contentType = 'application/json'

function post(api: Api, path: string, value: unknown, authorization = ''): Reply {
  const body = Buffer.from(JSON.stringify(value))
  return ask(api, path, { method: 'POST', body, contentType, authorization })
}

function postText(api: Api, text: string | Buffer, type = contentType, query = ''): Reply {
  const body = Buffer.from(text)
  return ask(api, `/api/v1/match${query}`, { method: 'POST', body, contentType: type })
}

const handle = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...handlePool, 'nobody', 'NoBody', 'ünknown "q"'),
      fc.constantFrom('', '@', ...platformPool.map((name) => `${name}:`), 'https://x.com/'),
    )
    .map(([name, before]) => `${before}${name}`),
  fc.constantFrom(...identifierQueries, 'https://x.com/home'),
)
const handles = fc.array(handle, { minLength: 1, maxLength: 12 })
const fields = fc.option(
  fc.subarray(['sdu', 'name', 'rank', 'authority_score', 'topics'] as const, { minLength: 1 }),
  { nil: undefined },
)
const sources = smallSources.filter(({ authorities }) =>
  authorities.some(({ verified }) => verified),
)
const runs = { numRuns: 40 }

function identityOf(text: string): string {
  const { platform, key } = parseHandle(text)
  return `${platform}:${key}`
}

describe('handles of a body', () => {
  const notUtf8 = Buffer.from('{"handles":["\xff"]}', 'latin1')
  const aligned = fc.option(fc.boolean(), { nil: undefined })
  const request = fc.tuple(handles, fields, fc.boolean(), aligned)

  it('are answered as those of a GET, aligned the top owner of each or null, and the same wherever they stand', () => {
    fc.assert(
      fc.property(sources, request, (records, [sent, wanted, explain, isAligned]) => {
        const served = servedOf(records)
        const api = newApi(served)
        // Several texts of one account are answered apart.
        const different = [...new Map(sent.map((each) => [identityOf(each), each])).values()]
        if (different.length > 1) {
          const list = different.map((each) => `handles=${encodeURIComponent(each)}`).join('&')
          const choice = wanted === undefined ? '' : `&fields=${wanted}`
          const got = ask(api, `/api/v1/match?${list}${choice}&explain=${explain}`)
          const posted = post(api, '/api/v1/match', { handles: different, fields: wanted, explain })
          expect(posted.json.results).toEqual(got.json.results)
        }
        const model = new Oracle(records)
        const { results } = post(api, '/api/v1/match/', { handles: sent, aligned: true }).json
        const owners = sent.map((each) => model.owners(each)[0]?.record.sdu)
        expect(results.map((item) => item?.sdu)).toEqual(owners)
        const shown = sent.filter((_, index) => owners[index] !== undefined)
        expect(results.flatMap((item) => (item === null ? [] : [item.handle]))).toEqual(shown)
        const others = { aligned: isAligned, fields: wanted }
        const first = post(newApi(served), '/api/v1/match', { handles: sent, ...others })
        const last = post(newApi(served), '/api/v1/match', { ...others, handles: sent })
        expect(first.text).toBe(last.text)
      }),
      runs,
    )
  })

  const served = servedOf({
    authorities: ['ada', 'bob'].map((name, at) =>
      authority({ sdu: String(at), socials: [social('twitter', name)] }),
    ),
  })

  it.each([
    ['{"handles":["ada"],"handles":["bob"]}', ['1']],
    ['{"handles":["ada"],"aligned":true,"handles":["bob","bob"]}', ['1', '1']],
    ['{"handles" : [ "ada" , "b\\u006fb" ] , "aligned" : false }', ['0', '1']],
    ['\ufeff{"handles":["ada"]}', ['0']],
  ])('mean what JSON says: %s', (text, sdus) => {
    expect(postText(newApi(served), text).json.results.map(({ sdu }) => sdu)).toEqual(sdus)
  })

  it.each([...rowsOf('bodies that are no object').flat(), notUtf8])(
    'are refused where the body is no JSON object: %s',
    (text) => {
      const { status, json } = postText(newApi(served), text)
      expect([status, json.type]).toEqual([400, 'urn:authority-index:problem:malformed-request'])
    },
  )
})

describe('POST /api/v1/detail', () => {
  const sdus = fc.array(fc.constantFrom(...sduPool, '404'), { minLength: 1, maxLength: 12 })

  it('answers what a GET of as many SDUs does; aligned, each in its place', () => {
    fc.assert(
      fc.property(sources, sdus, (records, sent) => {
        const model = new Oracle(records)
        const api = newApi(servedOf(records))
        const got = ask(api, `/api/v1/detail?sdus=${sent}`).json.results
        expect(post(api, '/api/v1/detail', { sdus: sent }).json.results).toEqual(got)
        const aligned = post(api, '/api/v1/detail', { sdus: sent, aligned: true }).json.results
        const people = sent.map((sdu) => model.person(sdu))
        expect(aligned).toEqual(people.map((each) => (each ? model.profile(each) : null)))
      }),
      runs,
    )
  })
})

describe('POST /api/v1/rank', () => {
  /** The order of the documents: by the rank in the topic, by authority, as it was sent. */
  function ranked(model: Oracle, sent: readonly string[], ranks: ReadonlyMap<unknown, number>) {
    const placeOf = (person: Person | undefined) => {
      if (person === undefined) return [2, 0] as const
      const rank = ranks.get(person.record.sdu)
      return rank === undefined
        ? ([1, model.people.indexOf(person)] as const)
        : ([0, rank] as const)
    }
    return sent
      .map((source, at) => ({ source, at, person: model.owners(source)[0] }))
      .sort((a, b) => {
        const [group, place] = placeOf(a.person)
        const [otherGroup, otherPlace] = placeOf(b.person)
        return group - otherGroup || place - otherPlace || a.at - b.at
      })
  }

  /** The rank of each member of the topic with a label or an alias, which a search may take for a name. */
  function ranksIn({ catalog }: ActiveSnapshot, label: string): [sdu: string, rank: number][] {
    const topic = catalog.findTopic(topicKey(label))
    const { start, end } = catalog.membersOf(topic)
    const members = catalog.sections['topic.members'].subarray(start, end)
    return [...members].map((ordinal, index) => [catalog.sduOf(ordinal), index + 1])
  }

  it('answers every source once, by rank in the topic, by authority, then nobody’s; aligned, explained and with fields the same people', () => {
    const label = fc.option(fc.constantFrom(...labelPool), { nil: undefined })
    fc.assert(
      fc.property(sources, handles, label, fields, (records, sent, about, chosen) => {
        const served = servedOf(records)
        const api = newApi(served)
        const rank = (more: object = {}) =>
          post(api, '/api/v1/rank', { sources: sent, topic: about, ...more })
        const { status, json } = rank()
        fc.pre(status === 200)
        const ranks = new Map<unknown, number>(about === undefined ? [] : ranksIn(served, about))
        expectRanked(new Oracle(records), sent, ranks, json.results, about !== undefined)
        const places = json.results.map(({ index }) => index as number)
        expect([...places].sort((a, b) => a - b)).toEqual(sent.map((_, index) => index))
        expect(json.results.map(({ source }) => source)).toEqual(places.map((at) => sent[at]))
        const aligned = rank({ aligned: true }).json.results
        expect(aligned.map(({ source }) => source)).toEqual(sent)
        for (const [index, { position, ...rest }] of aligned.entries()) {
          expect(rest).toEqual(json.results[(position as number) - 1])
          expect(rest.index).toBe(index)
        }
        const explained = rank({ explain: true }).json.results
        expect(explained.map(({ explanation: _, ...rest }) => rest)).toEqual(json.results)
        for (const { sdu, explanation } of explained) {
          expect(explanation === undefined).toBe(sdu === null)
        }
        if (chosen === undefined) return
        const inOrder = fieldNames.filter((name) => (chosen as readonly string[]).includes(name))
        for (const [index, item] of rank({ fields: chosen }).json.results.entries()) {
          expect(Object.keys(item)).toEqual(['source', ...inOrder, 'reason', 'index'])
          for (const name of chosen) {
            if (name !== 'topics') expect(item[name]).toEqual(json.results[index]![name])
          }
        }
      }),
      runs,
    )
  })

  function expectRanked(
    model: Oracle,
    sent: readonly string[],
    ranks: ReadonlyMap<unknown, number>,
    results: Reply['json']['results'],
    isInTopic: boolean,
  ): void {
    const expected = ranked(model, sent, ranks)
    expect(results.map(({ source }) => source)).toEqual(expected.map(({ source }) => source))
    expected.forEach(({ source, person }, index) => {
      const item = results[index]!
      if (person === undefined) {
        const isNowhere = parseHandle(source).platform === nowhere
        expect(item).toMatchObject({ sdu: null, name: null, authority_score: null, rank: null })
        expect(item.reason).toBe(isNowhere ? 'not-an-account' : 'not-in-index')
        return
      }
      const { sdu, name, authority_score } = model.profile(person)
      expect(item).toMatchObject({ sdu, name, authority_score, reason: null })
      if (isInTopic) expect(item.rank).toBe(ranks.get(sdu) ?? null)
      else expect(item.topic).toBe(model.summary(person, 1).topic)
    })
  }

  const ann = authority({
    sdu: '1',
    name: 'Ann',
    topics: [topic('Rust')],
    socials: [social('github', 'ann')],
  })

  it('answers what is no source by its reason where it is lenient, and the others as always', () => {
    const api = newApi(servedOf({ authorities: [ann] }))
    const long = 'x'.repeat(limits.sourceCharactersMax + 1)
    const entries = [7, ' ', 'nobody', null, long, 'github:ann', 'https://x.com/home']
    const { json } = post(api, '/api/v1/rank', { sources: entries, lenient: true, aligned: true })
    expect(json.results.map(({ source, reason, position }) => [source, reason, position])).toEqual([
      [null, 'not-a-string', 2],
      [' ', 'blank', 3],
      ['nobody', 'not-in-index', 4],
      [null, 'not-a-string', 5],
      [long, 'too-long', 6],
      ['github:ann', null, 1],
      ['https://x.com/home', 'not-an-account', 7],
    ])
    const good = ['nobody', 'github:ann']
    const strict = post(api, '/api/v1/rank', { sources: good }).json.results
    expect(post(api, '/api/v1/rank', { sources: good, lenient: true }).json.results).toEqual(strict)
  })

  it('answers an unknown topic by a reason where it is lenient: nobody is ranked in it', () => {
    const api = newApi(servedOf({ authorities: [ann] }))
    const value = { sources: ['nobody', 'ann'], topic: 'rusty', lenient: true }
    expect(post(api, '/api/v1/rank', value).json.results).toMatchObject([
      { source: 'ann', sdu: '1', rank: null, topic: null, reason: 'unknown-topic' },
      { source: 'nobody', sdu: null, rank: null, topic: null, reason: 'not-in-index' },
    ])
  })
})

describe('a body', () => {
  const api = newApi(servedOf({ authorities: [authority({ sdu: '1', topics: [topic('Rust')] })] }))
  const one = JSON.stringify({ handles: ['ada'] })

  it.each([
    ...rowsOf('bodies that are refused').map(([value = '', detail]) => [JSON.parse(value), detail]),
    [{ handles: Array(limits.batchValuesMax + 1).fill('a') }, 'holds more than 1000 values'],
    [{ handles: ['a'.repeat(257)] }, 'handles[0]: a handle is longer than 256 characters'],
    [{ sources: ['x'.repeat(2_001)] }, 'sources[0]: a handle is longer than 2000 characters'],
  ])('of %j is refused', (value, detail) => {
    const { status, json } = post(api, `/api/v1/${'sources' in value ? 'rank' : 'match'}`, value)
    expect([status, json.detail]).toEqual([400, expect.stringContaining(detail)])
  })

  it.each(['', 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonx'])(
    'with Content-Type "%s" is refused with 415',
    (type) => {
      expect(postText(api, one, type).status).toBe(415)
    },
  )

  it.each(['application/json; charset=utf-8', 'Application/JSON'])('may say %s', (type) => {
    expect(postText(api, one, type).status).toBe(200)
  })

  it('leaves nothing to be said behind the question mark', () => {
    expect(postText(api, one, contentType, '?fields=sdu').status).toBe(400)
  })
})

describe('the price of a body', () => {
  const ada = servedOf({
    authorities: [authority({ sdu: '1', socials: [social('twitter', 'ada')] })],
  })
  const shop = (amount: number) => apiShop({ served: () => ada, balances: [amount] })
  const [authorization = ''] = shop(0).authorizations

  it('is that of each value, one that is sent twice once, however it is spelled', () => {
    const { api, balances } = shop(10_000)
    const sent = { handles: ['ada', '@Ada', 'bob', 'bob'], aligned: true }
    expect(post(api, '/api/v1/match', sent, authorization).headers['x-cost-usd']).toBe('0.002')
    expect(balances.balanceMicroUsd(0)).toBe(8_000)
    const rank = { sources: ['ada', 'bob', 'carl'] }
    expect(post(api, '/api/v1/rank', rank, authorization).headers['x-cost-usd']).toBe('0.003')
  })

  it('of a rank is that of each source, also of those of one author', () => {
    const sources = [
      'ada',
      '@Ada',
      'https://x.com/ada/status/1',
      'https://x.com/ada/status/2',
      'ada',
    ]
    const rich = shop(5_000)
    const answer = post(rich.api, '/api/v1/rank', { sources }, authorization)
    expect(answer.headers).toMatchObject({ 'x-cost-usd': '0.005', 'x-balance-usd': '0.00' })
    expect(answer.json.results).toHaveLength(5)
    const poor = shop(4_999)
    const { status, json } = post(poor.api, '/api/v1/rank', { sources }, authorization)
    expect([status, json.cost_usd, json.balance_usd]).toEqual([402, 0.005, 0.004999])
    expect(poor.balances.balanceMicroUsd(0)).toBe(4_999)
  })

  it('of a match is that of each text of a handle with its platform, which is answered, and of each bare name', () => {
    const texts = ['x:ada', 'https://x.com/ada/status/1', 'https://x.com/ada/status/2', 'x:ada']
    for (const handles of [texts, [...texts, 'ada', '@Ada', 'ADA']]) {
      for (const body of [{ handles }, { aligned: true, handles }]) {
        const { api } = shop(10_000)
        const names = handles.length > texts.length ? 1 : 0
        const { headers } = post(api, '/api/v1/match', body, authorization)
        expect(headers['x-cost-usd']).toBe(`0.00${3 + names}`)
      }
    }
  })

  it('is not taken for more values than are explained', () => {
    const many = Array.from({ length: limits.explainedMax + 1 }, (_, index) => String(index))
    for (const [route, list] of [
      ['detail', 'sdus'],
      ['match', 'handles'],
      ['rank', 'sources'],
    ] as const) {
      const { api, balances } = shop(100_000)
      const ask = (values: readonly string[]) =>
        post(api, `/api/v1/${route}`, { [list]: values, explain: true }, authorization)
      const { status, json } = ask(many)
      expect([status, json.detail]).toEqual([400, `${list} holds more than 50 values to explain`])
      expect(balances.balanceMicroUsd(0)).toBe(100_000)
      expect(ask(many.slice(1)).status).toBe(200)
    }
  })
})

describe('a body that is dear to parse', () => {
  it('is a 400 before it is parsed: too deep, or with too many members', () => {
    const api = newApi(servedOf({}))
    const depth = 100_000
    const members = Array.from({ length: 20_000 }, (_, n) => `"m${n}":1`).join()
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
    for (const text of [deep, `{${members}}`, `{"handles":["a"],"x":${deep}}`, `[${members}`]) {
      const { status, json } = postText(api, text)
      expect([status, json.detail]).toEqual([400, expect.stringContaining('commas')])
    }
  })
})
