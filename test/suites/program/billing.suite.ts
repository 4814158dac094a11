/**
 * What a customer pays and what an operator sees of it, on the built service over real sockets:
 * who is let in, what is charged and what is not, what commands change while it serves, and what
 * remains when it ends.
 */
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { mentionsKey, newKeyText } from '../../../src/ledger/books/key.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { type Reply, toolCall } from '../../support/program.ts'
import { sharedShop } from '../../support/shared.ts'
import { match, pollMs, Shop } from '../../support/shop.ts'

/** What a command or a change of the books does is felt a moment later; how much later is no question of these tests. */
const noticed = { interval: pollMs }

function microUsd({ headers }: Reply, name: 'x-cost-usd' | 'x-balance-usd'): number {
  return Math.round(Number(headers.get(name)) * 1e6)
}

/** The balance, by a query of 500 micro-USD that is not in it any more. */
async function balanceAfterOneMatch(shop: Shop): Promise<number> {
  return microUsd(await shop.ask(match), 'x-balance-usd')
}

/** What tells one refusal from another: all of it but what is different every time. */
function traits({ status, headers, json }: Reply): unknown {
  const { duration: _, request_id: __, ...body } = json
  const said = [...headers].filter(([name]) => !/^(date|x-request-id|content-length)$/.test(name))
  return { status, body, said }
}

describe('a service with a ledger', () => {
  const shop = sharedShop()

  afterEach(() => shop.expectAddingUp())

  test('answers 401 with one body, whatever the reason why a key is not valid', async () => {
    const expiring = await shop.issueKey()
    await expect.poll(() => shop.statusWith(expiring.key), noticed).toBe(200)
    // It ends at this moment: a machine in no hurry misses none in which it was good.
    await shop.command('key', 'rotate', expiring.key_id, '--overlap', '0s')
    const revoked = await shop.issueKey()
    await shop.command('key', 'revoke', revoked.key_id)
    await expect.poll(() => shop.statusWith(expiring.key), noticed).toBe(401)
    await expect.poll(() => shop.statusWith(revoked.key), noticed).toBe(401)
    const last = shop.key.at(-1) === 'a' ? 'b' : 'a'
    const presented = {
      missing: '',
      'without its scheme': shop.key,
      malformed: 'Bearer my-key',
      mistyped: `Bearer ${shop.key.slice(0, -1)}${last}`,
      unknown: `Bearer ${newKeyText()}`,
      revoked: `Bearer ${revoked.key}`,
      expired: `Bearer ${expiring.key}`,
    }
    const first = await shop.ask(match, { headers: { authorization: '' } })
    expect(first.status).toBe(401)
    expect(first.headers.get('www-authenticate')).toBe('Bearer')
    for (const [reason, authorization] of Object.entries(presented)) {
      const reply = await shop.ask(match, { headers: { authorization } })
      expect(traits(reply), reason).toEqual(traits(first))
      expect(reply.text, reason).not.toContain(authorization.slice(7) || 'aik_')
    }
  })

  test('charges a question once under its Idempotency-Key, by every way that asks it', async () => {
    const headers = { 'Idempotency-Key': 'billing-1', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ sources: ['@SenCapito', 'github:davidtwco'] })
    const asked = [
      { target: '/api/v1/peers?handles=nobody', request: { headers: { ...headers } } },
      {
        target: '/api/v1/rank',
        request: { method: 'POST', body, headers: { ...headers, 'Idempotency-Key': 'billing-2' } },
      },
    ]
    for (const { target, request } of asked) {
      const before = await balanceAfterOneMatch(shop)
      const replies = await Promise.all([1, 2, 3, 4].map(() => shop.ask(target, request)))
      const last = await shop.ask(target, request)
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect([last.status, last.headers.get('idempotent-replay')]).toEqual([200, 'true'])
      expect(microUsd(last, 'x-cost-usd')).toBe(0)
      const price = target.includes('peers') ? 3_000 : 2_000
      expect(await balanceAfterOneMatch(shop)).toBe(before - price - 500)
      const other = await shop.ask(match, { headers: request.headers })
      expect([other.status, other.json.type]).toEqual([
        422,
        'urn:authority-index:problem:idempotency-key-reused',
      ])
    }
  })

  test.each<[string, Record<string, string>, object]>([
    ['the header', { 'Idempotency-Key': 'billing-3' }, {}],
    ['_meta', {}, { 'authority-index/idempotency-key': 'billing-4' }],
    [
      '_meta, whatever the header says',
      { 'Idempotency-Key': 'billing-1' },
      { 'authority-index/idempotency-key': 'billing-5' },
    ],
  ])('charges a call of a tool once under the key in %s', async (_, headers, meta) => {
    const peersOf = (...handles: string[]) =>
      shop.ask('/mcp', toolCall('find_peers', { handles }, headers, meta))
    const before = await balanceAfterOneMatch(shop)
    const [first, again] = [await peersOf('nobody'), await peersOf('nobody')]
    expect([first.status, again.status]).toEqual([200, 200])
    const without = (text: string) => text.replaceAll(/"duration[^,]*,/g, '')
    expect(without(again.text)).toBe(without(first.text))
    const other = await peersOf('nobody', 'ann')
    expect([other.status, other.text]).toEqual([
      200,
      expect.stringContaining('call again with another one'),
    ])
    expect(await balanceAfterOneMatch(shop)).toBe(before - 3_000 - 500)
  })

  test('takes a body as gzip, and charges it as the plain one', async () => {
    const plain = JSON.stringify({ handles: ['@SenCapito', 'github:davidtwco'] })
    const posted = (body: string | Buffer<ArrayBuffer>, coding: Record<string, string>) => {
      const headers = { 'Content-Type': 'application/json', ...coding }
      return shop.ask('/api/v1/match', { method: 'POST', body, headers })
    }
    const expected = await posted(plain, {})
    const answered = await posted(gzipSync(plain), { 'Content-Encoding': 'gzip' })
    expect(answered.json.results).toEqual(expected.json.results)
    expect(microUsd(answered, 'x-cost-usd')).toBe(1_000)
    const cut = gzipSync(plain).subarray(0, 20)
    const refused = [
      (await posted(cut, { 'Content-Encoding': 'gzip' })).status,
      (await posted(plain, { 'Content-Encoding': 'br' })).status,
      (await posted(gzipSync(Buffer.alloc(1 << 20)), { 'Content-Encoding': 'gzip' })).status,
    ]
    expect(refused).toEqual([400, 415, 413])
  })

  test('answers 402 with cost and balance and charges nothing, until a top-up is noticed', async () => {
    const sdus = Array.from({ length: 50 }, (_, index) => index).join(',')
    const before = await balanceAfterOneMatch(shop)
    const refused = await shop.ask(`/api/v1/detail?sdus=${sdus}`)
    expect(refused.status).toBe(402)
    expect(refused.json).toMatchObject({ cost_usd: 100, balance_usd: before / 1e6, results: [] })
    const left = await balanceAfterOneMatch(shop)
    expect(left).toBe(before - 500)
    await shop.command('account', 'top-up', 'default', '100', '--reference', 'first payment')
    await expect
      .poll(async () => (await shop.ask(`/api/v1/detail?sdus=${sdus}`)).status, noticed)
      .toBe(200)
    expect(await balanceAfterOneMatch(shop)).toBe(left - 500)
  })

  test('takes a new key, and no longer takes a revoked one, without a restart', async () => {
    const { key, key_id: id } = await shop.issueKey('--label', 'ranker')
    await expect.poll(() => shop.statusWith(key), noticed).toBe(200)
    await shop.command('key', 'revoke', id)
    await expect.poll(() => shop.statusWith(key), noticed).toBe(401)
    // Every thread has dropped it: connections are spread over them.
    const statuses = await Promise.all(Array.from({ length: 20 }, () => shop.statusWith(key)))
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect(await shop.statusWith(shop.key)).toBe(200)
  })

  test('refuses the keys of a suspended account like unknown ones, until it is resumed', async () => {
    await shop.command('admin', 'suspendAccount', 'account=default')
    await expect.poll(() => shop.statusWith(shop.key), noticed).toBe(401)
    await shop.command('admin', 'resumeAccount', 'account=default')
    await expect.poll(() => shop.statusWith(shop.key), noticed).toBe(200)
  })

  test('repeats no key in an answer, wherever it was sent', async () => {
    const key = newKeyText()
    const targets = [`/${key}`, `/api/v1/${key}/`, `/api/v1/detail?sdus=${key}`]
    targets.push(`/api/v1/detail?sdus=1&key=${key}%`, `/api/v1/index?limit=${key}&query=rust`)
    targets.push(`/api/v1/${'x'.repeat(60)}/${key}`)
    for (const target of targets) {
      const { status, text } = await shop.ask(target)
      expect([400, 404]).toContain(status)
      expect(text, target).not.toContain(key.slice(0, 12))
    }
  })
})

describe('when it ends', () => {
  test('the last charges are written, and the statement adds up to every answer', async () => {
    const shop = await Shop.open(temporaryDirectory(), ['--commit-window', '10000'])
    onTestFinished(() => void shop.end('SIGKILL'))
    const targets = [match, match, '/api/v1/index?query=rust', '/api/v1/detail?sdus=1,2']
    for (const target of targets) expect((await shop.ask(target)).status).toBe(200)
    const live = await balanceAfterOneMatch(shop)
    // It stands still, so that its window does not end while a command starts.
    shop.child.kill('SIGSTOP')
    const unwritten = await shop.commandJson('admin', 'getAccount', 'account=default')
    shop.child.kill('SIGCONT')
    expect(unwritten.charged_usd).toBe(0)
    const ended = await shop.end('SIGTERM')
    expect(ended.exitCode, ended.stderr).toBe(0)
    const statement = await shop.commandJson('admin', 'getStatement', 'account=default')
    const sold = statement.charges.map(
      ({ route, queries, amount_usd }: Record<string, unknown>) => {
        return [route, queries, amount_usd]
      },
    )
    expect(sold).toEqual([
      ['detail', 2, 4],
      ['match', 3, 0.0015],
      ['search', 1, 0.001],
    ])
    expect(Math.round(statement.balance_usd * 1e6)).toBe(live)
    expect(statement.charged_usd).toBe(4.0025)
    expect((await shop.commandJson('ledger', 'verify')).contradictions).toEqual([])
  })

  test('no key is in its logs, nor in any list', async () => {
    const shop = await Shop.open(temporaryDirectory(), ['--access-log-sample', '1'])
    onTestFinished(() => void shop.end('SIGKILL'))
    await shop.statusWith(shop.key)
    await shop.statusWith(`${shop.key.slice(0, -1)}-`)
    await shop.ask(`/${shop.key}?key=${shop.key}`)
    const shown = await Promise.all([
      shop.command('key', 'list'),
      shop.command('key', 'list', '--json'),
      shop.command('account', 'list', '--json'),
      shop.command('admin', 'getStatement', 'account=default'),
      shop.command('admin', 'getStatement', 'account=default', '--json'),
      shop.command('ledger', 'verify', '--json'),
    ])
    const { stdout, stderr } = await shop.end('SIGTERM')
    // The first line said what the key is, once.
    const logged = stdout.slice(stdout.indexOf('\n')) + stderr
    expect(logged).toContain('/api/v1/match')
    for (const text of [logged, ...shown.map((ended) => ended.stdout + ended.stderr)]) {
      expect(mentionsKey(text)).toBe(false)
      expect(text).not.toContain(shop.key.slice(4, 34))
    }
  })
})
