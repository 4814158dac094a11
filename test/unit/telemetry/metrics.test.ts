/** Counters: one region for each thread, summed by the reader, in the format of Prometheus. */

import { describe, expect, it } from 'vitest'
import { wireBuilds } from '../../../src/http/wire-library.ts'
import { defaultPrices } from '../../../src/operations.ts'
import {
  bucketBoundsSeconds,
  createSharedMetrics,
  readMetrics,
  setServiceMetrics,
  ThreadMetrics,
} from '../../../src/telemetry/metrics.ts'
import { metricsText } from '../../../src/telemetry/metrics-text.ts'
import { newScene, operate, swapTo, until } from '../../support/operated.ts'
import { samplesOf } from '../../support/prometheus.ts'
import { sharedService } from '../../support/shared.ts'

const prices = { ...defaultPrices, search: 1_000, detail: 2_000, peers: 3_000, match: 4_000 }
const wire = { name: 'uws-pack', version: '20.0.8' }
const surroundings = { prices, residentBytes: 5, wire }

describe('threads', () => {
  it('that take the place of another count on, and begin with no connection', () => {
    const shared = createSharedMetrics(1)
    const first = new ThreadMetrics(shared, 0)
    first.answered('peers', 200, 1)
    first.count('cache_hits_total')
    first.count('connections', 7)
    first.count('in_flight', 1)
    const second = new ThreadMetrics(shared, 0)
    second.answered('peers', 200, 1)
    second.count('cache_hits_total')
    const { requests, threads } = readMetrics(shared)
    expect(requests).toEqual([{ route: 'peers', status: 200, count: 2 }])
    expect(threads.cache_hits_total).toEqual([2])
    expect([threads.connections, threads.in_flight]).toEqual([[0], [0]])
  })

  it('know the connections of all', () => {
    const shared = createSharedMetrics(3)
    const threads = [0, 1, 2].map((place) => new ThreadMetrics(shared, place))
    for (const [place, thread] of threads.entries()) thread.count('connections', place + 1)
    expect(threads.map((thread) => thread.connectionsOpen())).toEqual([6, 6, 6])
  })
})

describe('a duration', () => {
  it('falls into the first bucket whose bound is not below it', () => {
    const durations = [0, 1e-7, 1e-6, 1.5e-6, 2e-6, 2.1e-6, 3e-6, 4e-6, 0.5, 1.048576, 1.05, 3600]
    for (const seconds of durations) {
      const shared = createSharedMetrics(1)
      new ThreadMetrics(shared, 0).answered('search', 200, seconds)
      const { buckets } = readMetrics(shared).durations[0]!
      const expected = bucketBoundsSeconds.findIndex((bound) => seconds <= bound)
      const index = expected < 0 ? bucketBoundsSeconds.length : expected
      expect([seconds, buckets.indexOf(1)]).toEqual([seconds, index])
    }
  })
})

describe('the text', () => {
  const shared = createSharedMetrics(2)
  const thread = new ThreadMetrics(shared, 1)
  thread.answered('detail', 200, 3e-6)
  thread.answered('detail', 402, 10)
  new ThreadMetrics(shared, 0).answered('detail', 200, 2)
  thread.charged('detail', 3)
  thread.set('event_loop_delay_seconds', 0.25)
  setServiceMetrics(shared, { swaps_total: 2, snapshot_age_seconds: 60, ready: 1 })
  const text = metricsText(readMetrics(shared), surroundings)
  const samples = samplesOf(text)

  it('has a help line and a type for every metric, each name once', () => {
    const names = [...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].map(([, n]) => n)
    expect(new Set(names).size).toBe(names.length)
    expect([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, n]) => n)).toEqual(names)
    for (const name of samples.keys()) {
      const base = name.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, '')
      expect(names).toContain(base)
    }
  })

  it('has buckets that never fall, end with all, and hold every request from its bound on', () => {
    const bucket = (bound: string) =>
      samples.get(`authority_index_request_duration_seconds_bucket{route="detail",le="${bound}"}`)
    expect(['0.000002', '0.000004', '1.048576', '+Inf'].map(bucket)).toEqual([0, 1, 1, 3])
    const sum = 'authority_index_request_duration_seconds_sum{route="detail"}'
    expect(samples.get(sum)).toBeCloseTo(12.000003)
  })

  it('charges the queries at their prices', () => {
    expect(samples.get('authority_index_charged_usd_total')).toBe(0.006)
  })

  it('tells the age of the records and the delay of each thread', () => {
    expect(samples.get('authority_index_snapshot_age_seconds')).toBe(60)
    expect(samples.get('authority_index_event_loop_delay_seconds{thread="1"}')).toBe(0.25)
  })
})

async function scrape(address: string) {
  const response = await fetch(`${address}/metrics`)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return samplesOf(await response.text())
}

describe('a running service', () => {
  const service = sharedService()

  it('has counted exactly what its clients have, on both threads', async () => {
    const { address, headers } = service
    const mixed: [route: string, target: string, queries: number, key: boolean][] = [
      ['search', '/api/v1/index?query=rust', 1, true],
      ['search', '/api/v1/index/?query=machine+learning&limit=3', 1, true],
      ['search', '/api/v1/index?limit=3', 0, true],
      ['detail', '/api/v1/detail?sdus=1,2,3', 3, true],
      ['peers', '/api/v1/peers?handle=SenCapito', 1, true],
      ['match', '/api/v1/match?handles=SenCapito', 1, true],
      ['match', '/api/v1/match?handles=SenCapito', 0, false],
      ['other', '/elsewhere', 0, true],
    ]
    const counted = new Map<string, number>()
    const charged = new Map<string, number>()
    const add = (map: Map<string, number>, name: string, by: number) =>
      map.set(name, (map.get(name) ?? 0) + by)
    const rounds = Array.from({ length: 240 }, (_, index) => mixed[index % mixed.length]!)
    await Promise.all(
      Array.from({ length: 8 }, async (_, line) => {
        for (const [index, [route, target, queries, key]] of rounds.entries()) {
          if (index % 8 !== line) continue
          // A connection of its own, so that the kernel spreads them over the threads.
          const init = { headers: { connection: 'close', ...(key ? headers : {}) } }
          const response = await fetch(`${address}${target}`, init)
          await response.arrayBuffer()
          add(counted, `{route="${route}",status="${response.status}"}`, 1)
          if (response.status === 200) add(charged, `{route="${route}"}`, queries)
        }
      }),
    )
    const samples = await scrape(address)
    for (const [labels, count] of counted) {
      expect([labels, samples.get(`authority_index_requests_total${labels}`)]).toEqual([
        labels,
        count,
      ])
    }
    const total = [...samples]
      .filter(([name]) => name.startsWith('authority_index_requests_total'))
      .reduce((sum, [, count]) => sum + count, 0)
    expect(total).toBe(rounds.length)
    for (const [labels, count] of charged) {
      expect(samples.get(`authority_index_charged_queries_total${labels}`)).toBe(count)
    }
    const hits = samples.get('authority_index_cache_hits_total')!
    const misses = samples.get('authority_index_cache_misses_total')!
    expect(hits + misses).toBe(charged.get('{route="search"}'))
    expect(misses).toBeGreaterThan(0)
    expect(samples.get('authority_index_ready')).toBe(1)
    expect(samples.get('authority_index_ledger_available')).toBe(1)
    expect(samples.get('authority_index_snapshot_bytes')).toBeGreaterThan(1000)
  })

  it('tells and logs which build of uWebSockets.js it runs on', async () => {
    const samples = await scrape(service.address)
    const [name, version] = JSON.parse(service.errors().split('\n')[0]!).uwebsockets.split(' ')
    expect(wireBuilds).toContainEqual(expect.objectContaining({ name, version }))
    const labels = `package="${name}",version="${version}"`
    const told = [...samples].filter(([sample]) => sample.includes('uwebsockets_info'))
    expect(told).toEqual([[`authority_index_uwebsockets_info{${labels}}`, 1]])
  })

  it('counts swaps, and MCP requests with the queries they make', async () => {
    const scene = newScene()
    const service = await operate(scene.directory)
    const { address, headers } = service
    const call = { name: 'match_handle', arguments: { handles: ['person1', 'person2'] } }
    const response = await fetch(`${address}/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    })
    await response.text()
    await swapTo(service, scene, scene.second)
    await until(async () => (await scrape(address)).get('authority_index_swaps_total') === 1)
    const samples = await scrape(address)
    expect(samples.get('authority_index_charged_queries_total{route="match"}')).toBe(2)
    const mcp = `authority_index_requests_total{route="other",status="${response.status}"}`
    expect(samples.get(mcp)).toBeGreaterThan(0)
    expect(samples.get('authority_index_in_flight')).toBe(0)
  })
})
