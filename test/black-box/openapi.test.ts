/** The OpenAPI document: it lints clean, says what the tables say, and every answer is as it says. */
import { spawnSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { copyFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ActiveSnapshot } from '../../src/api/active-snapshot.ts'
import { Api, type ApiContext } from '../../src/api/api.ts'
import { openApiDocument } from '../../src/api/describe/openapi.ts'
import { type ApiReply, headersOf } from '../../src/api/exchange.ts'
import type { RateLimit } from '../../src/api/limits/rate-limit.ts'
import { RequestIds } from '../../src/api/pipeline/request-ids.ts'
import { type Field, membersOf, parametersOf } from '../../src/api/schemas/inputs.ts'
import type { Reservations } from '../../src/ledger/live/reservations.ts'
import { operationAt } from '../../src/operation-paths.ts'
import {
  defaultPrices,
  type GetRouteName,
  getRouteNames,
  operations,
  type PostRouteName,
  postRouteNames,
  routeNames,
} from '../../src/operations.ts'
import { problems, problemType } from '../../src/problems.ts'
import { pathOf } from '../../src/snapshot/store/directory.ts'
import { announcedId, readPointer } from '../../src/snapshot/store/states.ts'
import { servedOf, temporaryDirectory } from '../support/built.ts'
import {
  type Answered,
  type AssertAnswer,
  answerAssertion,
  documentOf,
} from '../support/openapi.ts'
import { defaultSnapshots } from '../support/program.ts'
import { sharedService } from '../support/shared.ts'
import { storedSnapshot } from '../support/stored-texts.ts'

const prices = {
  ...defaultPrices,
  search: 1_000,
  detail: 2_000,
  peers: 3_000,
  match: 4_000,
  rank: 5_000,
}
const document = openApiDocument(prices)
const paths = document.paths as Record<string, Record<string, Operation>>

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { name: string; in: string; required?: boolean }[]
  readonly responses: Record<string, unknown>
  readonly 'x-price-usd'?: number
}

/** JSON is YAML. */
const lintRules = {
  extends: ['recommended'],
  rules: {
    // The interface is published in both path forms.
    'no-path-trailing-slash': 'off',
    // Health and the document answer every request the same; there is nothing to get wrong.
    'operation-4xx-response': 'off',
  },
  telemetry: 'off',
}

describe('the document', () => {
  it('lints clean', () => {
    const directory = temporaryDirectory()
    const [file, rules] = ['openapi.json', 'redocly.yaml'].map((name) => join(directory, name))
    writeFileSync(file!, JSON.stringify(document))
    writeFileSync(rules!, JSON.stringify(lintRules))
    const root = join(import.meta.dirname, '..', '..')
    const words = ['lint', '--config', rules!, '--format', 'json', file!]
    const { stdout } = spawnSync(join(root, 'node_modules', '.bin', 'redocly'), words, {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
  })

  it('holds every route once, with every parameter in every spelling, and says of the other path form', () => {
    for (const route of getRouteNames) {
      const forms = operations[route].paths
      const names = paths[forms[0]]!.get!.parameters!.filter(({ in: place }) => place !== 'header')
      expect(names.map(({ name }) => name)).toEqual(
        parametersOf(route).flatMap(({ spellings }) => [...spellings]),
      )
      expect(paths).not.toHaveProperty([forms[1]])
    }
    expect(Object.keys(paths).filter((path) => path.endsWith('/'))).toEqual([])
    expect((document.info as { description: string }).description).toContain('a slash at the end')
  })

  it('has no constant, of which a generator would make a value', () => {
    JSON.stringify(document, (name, value) => {
      expect(name).not.toBe('const')
      return value
    })
  })

  it('holds the price of every route', () => {
    const found = routeNames.map((name) => {
      const { get, post } = paths[operations[name].paths[0]]!
      return (get ?? post)!['x-price-usd']
    })
    expect(found).toEqual([0.001, 0.002, 0.003, 0.004, 0.005, 0, 0, 0, 0, 0.001, 0.001])
  })

  it('holds every problem of the table', () => {
    const text = JSON.stringify(document)
    for (const code of Object.keys(problems)) expect(text).toContain(`"${problemType}${code}"`)
  })
})

describe('an answer that is not as documented is told:', () => {
  const assertAnswer = answerAssertion(document)
  const asked = { method: 'GET', target: '/healthz' }
  const good: Answered = {
    status: 200,
    headers: {
      'x-request-id': '00000000-0000-4000-8000-000000000000',
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    text: '{"status":"ok"}',
  }

  it('not one that is', () => assertAnswer(asked, good))

  it.each<[string, Partial<Answered>]>([
    ['the status', { status: 418 }],
    ['a header that is missing', { headers: { 'content-type': 'application/json' } }],
    ['a header that is not documented', { headers: { ...good.headers, 'x-more': '1' } }],
    ['the content type', { headers: { ...good.headers, 'content-type': 'text/html' } }],
    ['a member that is missing', { text: '{}' }],
    ['a member that is not documented', { text: '{"status":"ok","more":1}' }],
    ['a value', { text: '{"status":"bad"}' }],
  ])('%s', (_, change) => {
    expect(() => assertAnswer(asked, { ...good, ...change })).toThrow('GET /healthz')
  })
})

describe('every answer of a running service is as documented:', () => {
  const service = sharedService()
  const dear = sharedService([
    ...['--price', 'search=50.000001', '--price', 'detail=1'],
    ...['--price', 'match=1', '--price', 'rank=1'],
    ...['--contact', 'ops@example.com', '--privacy', 'https://example.com/privacy'],
    // Also through the proxy of a fleet, where this suite runs, too.
    ...['--explorer', 'on'],
  ])
  let assertAnswer: AssertAnswer
  const met = new Set<string>()

  beforeAll(async () => {
    assertAnswer = answerAssertion(await documentOf(service.address))
  })

  async function get(target: string, init: RequestInit = {}, from = service): Promise<Answered> {
    const headers = { ...from.headers, ...init.headers }
    const response = await fetch(`${from.address}${target}`, { ...init, headers })
    const answered = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
    assertAnswer({ method: init.method ?? 'GET', target }, answered)
    if (answered.headers['content-type'] === 'application/problem+json' && answered.text !== '') {
      met.add(JSON.parse(answered.text).type)
    }
    return answered
  }

  const values: Readonly<Record<string, string>> = {
    query: 'rust',
    handles: '@SenCapito,nobody',
    sdus: '1,2',
    since: readPointer(defaultSnapshots, 'CURRENT')!,
  }
  const needy = getRouteNames.filter((route) => parametersOf(route)[0]!.name in values)

  it.each(needy.flatMap((name) => [...operations[name].paths]))(
    '200, 304 and 400 of %s',
    async (path) => {
      const route = operationAt(path) as GetRouteName
      const [{ name: main, spellings, isRequired }] = parametersOf(route) as [Field]
      for (const spelling of spellings) {
        const target = `${path}?${spelling}=${values[main]}`
        const { status, headers } = await get(target)
        expect(status).toBe(200)
        const again = await get(target, { headers: { 'if-none-match': headers.etag! } })
        expect(again.status).toBe(304)
      }
      expect((await get(path)).status).toBe(isRequired ? 400 : 200)
      expect((await get(`${path}?${main}=%ff`)).status).toBe(400)
    },
  )

  const bodies = {
    sdus: ['1', '2'],
    handles: ['@SenCapito', 'nobody'],
    sources: ['x.com/home', '@SenCapito'],
  }

  it.each(postRouteNames.flatMap((name) => [...operations[name].paths]))(
    '200, 304, 400, 401, 402, 413, 415 and 422 of POST %s',
    async (path) => {
      const [member] = membersOf(operationAt(path) as PostRouteName)
      const main = member!.name as keyof typeof bodies
      const json = { 'content-type': 'application/json' }
      const post = (value: unknown, headers: Record<string, string> = json) =>
        get(path, { method: 'POST', body: JSON.stringify(value), headers })
      expect((await post({ [main]: bodies[main] })).status).toBe(200)
      const shaped = { aligned: true, explain: true, fields: ['name'] }
      const aligned = await post({ [main]: bodies[main], ...shaped })
      expect(JSON.parse(aligned.text).results.length).toBe(bodies[main].length)
      const { headers } = aligned
      const again = await post(
        { [main]: bodies[main] },
        { ...json, 'if-none-match': headers.etag! },
      )
      expect(again.status).toBe(304)
      const keyed = { ...json, 'idempotency-key': path }
      for (const expected of [undefined, 'true']) {
        const replayed = await post({ [main]: bodies[main] }, keyed)
        expect(replayed.headers['idempotent-replay']).toBe(expected)
      }
      expect((await post({ [main]: ['7'] }, keyed)).status).toBe(422)
      expect((await post({ [main]: [] })).status).toBe(400)
      expect((await post({}, { ...json, authorization: 'Bearer x' })).status).toBe(401)
      const dearest = await get(
        path,
        {
          method: 'POST',
          body: JSON.stringify({ [main]: Array.from({ length: 1_000 }, (_, n) => `${n}`) }),
          headers: json,
        },
        dear,
      )
      expect(dearest.status).toBe(402)
      expect((await post({ [main]: ['1'.repeat(262_144)] })).status).toBe(413)
      expect((await post({}, { 'content-type': 'text/plain' })).status).toBe(415)
    },
  )
  it('200, 304, 400 and 404 of snapshots', async () => {
    const { text, headers } = await get('/api/v1/snapshots')
    const [{ id }] = JSON.parse(text).results
    const again = await get('/api/v1/snapshots', { headers: { 'if-none-match': headers.etag! } })
    expect(again.status).toBe(304)
    expect((await get('/api/v1/snapshots/?cursor=none')).status).toBe(400)
    for (const slash of ['', '/']) {
      expect((await get(`/api/v1/snapshots/${id}${slash}`)).status).toBe(200)
      expect((await get(`/api/v1/snapshots/${'0'.repeat(32)}${slash}`)).status).toBe(404)
      expect((await get(`/api/v1/snapshots/x${slash}`)).status).toBe(400)
      expect((await get(`/api/v1/snapshots/%ff${slash}`)).status).toBe(400)
      expect((await get(`/api/v1/snapshots/${id}${slash}`, { method: 'POST' })).status).toBe(405)
    }
  })

  it('410 of changes since a snapshot that nobody knows', async () => {
    const { status, text } = await get(`/api/v1/changes?since=${'0'.repeat(32)}`)
    expect(status).toBe(410)
    expect(JSON.parse(text).oldest).toBe(readPointer(defaultSnapshots, 'CURRENT'))
  })

  it('the profile and the match of somebody', async () => {
    const { text } = await get('/api/v1/match?handles=SenCapito')
    const [{ sdu }] = JSON.parse(text).results
    expect(JSON.parse((await get(`/api/v1/detail?sdus=${sdu}`)).text).results.length).toBe(1)
  })

  it.each(['/healthz', '/readyz', '/openapi.json', '/metrics'])(
    '200 of %s without a key',
    async (path) => {
      const { status } = await get(path, { headers: { authorization: '' } })
      expect(status).toBe(200)
    },
  )

  it('the document is the one that the code makes', async () => {
    const { text } = await get('/openapi.json')
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApiDocument(defaultPrices))))
  })

  it('the contacts of the operator, in the document and in the page', async () => {
    const { text } = await get('/openapi.json', {}, dear)
    expect(JSON.parse(text).info).toMatchObject({
      contact: { email: 'ops@example.com' },
      'x-privacy': 'https://example.com/privacy',
    })
    const page = await (await fetch(`${dear.address}/`)).text()
    expect(page).toContain('<meta name="privacy" content="https://example.com/privacy">')
  })

  it.each([
    ['gzip', 'gzip'],
    ['br, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
  ])('the document to a client that takes %j, and a 304 to its tag', async (accepted, encoding) => {
    const headers = { 'accept-encoding': accepted }
    const whole = await get('/openapi.json', { headers })
    expect([whole.status, whole.headers['content-encoding']]).toEqual([200, encoding])
    expect(whole.headers.vary).toBe('Accept-Encoding')
    const { etag = '' } = whole.headers
    expect(etag).toMatch(/^"[0-9a-f]{32}-(?:gzip|identity)"$/)
    const same = await get('/openapi.json', { headers: { ...headers, 'if-none-match': etag } })
    expect([same.status, same.text, same.headers.etag]).toEqual([304, '', etag])
    const changed = await get('/openapi.json', { headers: { ...headers, 'if-none-match': '"x"' } })
    expect(changed.text).toBe(whole.text)
  })

  it.each(['POST', 'PUT', 'HEAD', 'OPTIONS'])('405 to %s', async (method) => {
    expect((await get('/api/v1/index?query=rust', { method })).status).toBe(405)
  })

  it('404 beside every path', async () => {
    for (const target of [
      '/nowhere',
      '/api',
      '/api/v1',
      '/api/v1/index//',
      '/api/v2/index?query=a',
    ]) {
      expect((await get(target)).status).toBe(404)
    }
  })

  it('401 without a valid key', async () => {
    for (const path of ['/api/v1/index?query=rust', '/mcp']) {
      const init = { method: path === '/mcp' ? 'POST' : 'GET', headers: { authorization: 'x' } }
      expect((await get(path, init)).status).toBe(401)
    }
  })

  it('MCP: an answer, a foreign origin, and a body that is too large', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const post = (body: string, more = {}) =>
      get('/mcp', { method: 'POST', body, headers: { ...headers, ...more } })
    expect((await post(JSON.stringify(message))).status).toBe(200)
    expect((await post('{}', { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await post(' '.repeat(2 << 20))).status).toBe(413)
  })

  it('503, 500 and 429 of a service that is not well, 402 and 403 of keys with terms', () => {
    const refusing = (why: object, owner: object = {}) =>
      ({
        keyring: { ownerOf: () => ({ accountSlot: 0, purses: [0, 1], ...owner }) },
        reserve: () => ({ unpaid: { costMicroUsd: 1_000, unavailable: false, ...why } }),
        balanceMicroUsd: () => 0,
        priceMicroUsd: () => 1_000,
        ledgerMs: () => 0,
      }) as unknown as Reservations
    const cap = { amountMicroUsd: 1_000, period: 'day' }
    const capped = refusing({ reachedCap: { cap, leftMicroUsd: 0 } })
    const restricted = refusing({}, { terms: { place: 0, scopes: ['match'] } })
    const reservations = refusing({ unavailable: true })
    const broken = {} as ActiveSnapshot
    const announced = pathOf(defaultSnapshots, announcedId(defaultSnapshots)!)
    const cut = join(temporaryDirectory(), 'cut.msgpack')
    copyFileSync(announced, cut)
    const withoutTexts = storedSnapshot(cut)
    truncateSync(cut, 0)
    const hurried = {
      policy: '',
      take: () => -1,
      headers: () => [],
    } as unknown as RateLimit
    const unwell: [status: number, context: Partial<ApiContext>, query?: string][] = [
      [503, { served: () => undefined }],
      [503, { served: () => servedOf({}), reservations }],
      [503, { served: () => servedOf({}), reservations: refusing({ heldByOtherNodes: true }) }],
      [402, { served: () => servedOf({}), reservations: refusing({}) }],
      [402, { served: () => servedOf({}), reservations: capped }],
      [403, { served: () => servedOf({}), reservations: restricted }],
      [503, { served: () => withoutTexts }, 'query=ted+cruz&fields=sdu,bio'],
      [500, { served: () => broken }],
      [429, { served: () => servedOf({}), reservations, rateLimit: hurried }],
    ]
    for (const [status, changes, query = 'query=rust'] of unwell) {
      const answered = answerOf('/api/v1/index', query, changes)
      expect(answered.status).toBe(status)
      assertAnswer({ method: 'GET', target: `/api/v1/index?${query}` }, answered)
      met.add(JSON.parse(answered.text).type)
    }
  })

  it('408 and 503 of /mcp, whose bodies come too slowly or are too many', () => {
    const api = apiWith({})
    for (const code of ['request-timeout', 'overloaded'] as const) {
      const wait = code === 'overloaded' ? ([['Retry-After', '1']] as const) : []
      const answered = answeredBy(api.refuse({ code, detail: '' }, [...wait, ['Vary', 'Origin']]))
      assertAnswer({ method: 'POST', target: '/mcp' }, answered)
      met.add(JSON.parse(answered.text).type)
    }
  })

  it('so that every problem of the table was met', () => {
    expect([...met].sort()).toEqual(
      Object.keys(problems)
        .map((code) => `${problemType}${code}`)
        .sort(),
    )
  })
})

function answerOf(path: string, query: string, changes: Partial<ApiContext>): Answered {
  return answeredBy(apiWith(changes).answer({ method: 'GET', path, query }))
}

function apiWith(changes: Partial<ApiContext>): Api {
  return new Api({
    served: () => undefined,
    clock: () => 0,
    ids: new RequestIds(randomFillSync),
    onError: () => {},
    ...changes,
  })
}

function answeredBy(reply: ApiReply): Answered {
  const { status, body } = reply
  const lower = headersOf(reply).map(([name, value]) => [name.toLowerCase(), value])
  return { status, headers: Object.fromEntries(lower), text: Buffer.from(body).toString() }
}
