/** Queries: the log entry of each request, and the cost of a repeated one. */
import { describe, expect, it } from 'vitest'
import { Asking, type Exchange, type Outcome } from '../../../../src/explorer/page/model/asking.ts'
import { profileQuery } from '../../../../src/explorer/page/model/requests.ts'

const query = profileQuery('1')

/** Answers in their order; what was asked is kept. */
function askingOf(...answers: (Response | Error)[]) {
  const sent: { target: string; headers: Record<string, string> }[] = []
  let ms = 0
  const asking = new Asking({
    fetch: async (target, init) => {
      sent.push({ target, headers: { ...(init.headers as Record<string, string>) } })
      const answer = answers.shift()!
      if (answer instanceof Error) throw answer
      return answer
    },
    clock: () => (ms += 5),
  })
  const exchanges: Exchange[] = []
  const ask = (key = 'aik_x'): Promise<Outcome<unknown>> =>
    asking.ask(query, key, (exchange) => exchanges.push(exchange))
  return { ask, asking, sent, exchanges }
}

const answered = (etag = 'W/"1"') =>
  Response.json(
    { duration: 0.00002, results: [] },
    {
      headers: {
        etag,
        'x-cost-usd': '0.001',
        'x-balance-usd': '49.999',
        'x-snapshot-id': '126c',
        'x-request-id': 'r1',
      },
    },
  )

describe('asking', () => {
  it('sends the key in its header and nowhere else', async () => {
    const { ask, sent } = askingOf(answered())
    await ask()
    expect(sent[0]!.headers.Authorization).toBe('Bearer aik_x')
    expect(sent[0]!.target).not.toContain('aik_')
  })

  it('tells cost, balance, durations and snapshot as the service says them', async () => {
    const { ask, exchanges } = askingOf(answered())
    await ask()
    expect(exchanges[0]).toMatchObject({
      status: 200,
      costUsd: 0.001,
      balanceUsd: 49.999,
      seconds: 0.00002,
      roundTripMs: 5,
      snapshotId: '126c',
      requestId: 'r1',
    })
  })

  it('again sends the tag, and a 304 shows what was seen and costs nothing', async () => {
    const { ask, sent, exchanges } = askingOf(answered(), new Response(null, { status: 304 }))
    const first = await ask()
    const second = await ask()
    expect(sent[1]!.headers['If-None-Match']).toBe('W/"1"')
    expect(second).toMatchObject({ kind: 'answer', json: (first as { json: unknown }).json })
    expect(exchanges[1]).toMatchObject({ status: 304, costUsd: 0 })
  })

  it('shows nobody what another key has seen', async () => {
    const { ask, asking, sent } = askingOf(answered(), answered())
    await ask('aik_x')
    expect(asking.seen(query, 'aik_x')).toMatchObject({ results: [] })
    expect(asking.seen(query, 'aik_y')).toBeUndefined()
    await ask('aik_y')
    expect(sent[1]!.headers['If-None-Match']).toBeUndefined()
  })

  it('has the same answer at hand after a 304, so that nothing is drawn anew', async () => {
    const { ask, asking } = askingOf(answered(), new Response(null, { status: 304 }))
    await ask()
    const seen = asking.seen(query, 'aik_x')
    expect(await ask()).toHaveProperty('json', seen)
    expect(asking.seen(query, 'aik_x')).toBe(seen)
  })

  it('tells a problem with the seconds to wait', async () => {
    const problem = { type: 'urn:x:rate-limited', title: 'Too many requests', status: 429 }
    const { ask } = askingOf(
      Response.json(problem, { status: 429, headers: { 'retry-after': '3' } }),
    )
    expect(await ask()).toMatchObject({ kind: 'problem', problem, retrySeconds: 3 })
  })

  it('takes a page of a proxy for a problem, too', async () => {
    const { ask } = askingOf(new Response('<html>', { status: 502 }))
    expect(await ask()).toMatchObject({ kind: 'problem', problem: { status: 502 } })
  })

  it('says that nobody answers where nobody does, and nothing where it was cancelled', async () => {
    const { ask } = askingOf(new TypeError('fetch failed'))
    expect(await ask()).toEqual({ kind: 'unreachable' })
    const asking = new Asking({ fetch: () => Promise.reject(new Error('aborted')), clock: () => 0 })
    expect(await asking.ask(query, '', () => {}, AbortSignal.abort())).toEqual({
      kind: 'cancelled',
    })
  })
})
