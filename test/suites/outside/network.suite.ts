/**
 * Every operation and page through an Ethernet and through a bad network: an answer arrives whole or
 * its connection ends, the service lives, is at rest afterwards, and charges what it has answered.
 */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { announce, publish } from '../../../src/snapshot/store/directory.ts'
import { wireRequest } from '../../support/abuse/wire.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { type Answer, Clients, type Job, tally } from './support/clients.ts'
import { counted, isFull } from './support/counts.ts'
import { openEthernet } from './support/network.ts'
import { TcpProxy } from './support/proxy.ts'
import { type OutsideService, startOutside } from './support/service.ts'
import { largeSnapshot, type Target, targetsOf, targetWords } from './support/targets.ts'

/** With these a detail of 1,000 people takes half a megabyte, or eight. */
const bioCharacters = counted(300, 8_000)
const large = largeSnapshot(1_000, bioCharacters)

async function scene(words: readonly string[] = []) {
  const ethernet = openEthernet()
  onTestFinished(ethernet.close)
  console.log(ethernet.notes.join('; '))
  const directory = temporaryDirectory()
  const snapshots = join(directory, 'snapshots')
  publish(snapshots, large)
  announce(snapshots, large.header.id)
  const service = await startOutside(ethernet, directory, {
    snapshots,
    words: [...targetWords, ...words],
  })
  const clients = new Clients(ethernet)
  onTestFinished(() => clients.close())
  const proxy = await TcpProxy.start(ethernet, service.to.port)
  onTestFinished(() => proxy.close())
  const first = targetsOf(service.key, large.header.id)
  const page = await clients.ask(service.to, wireRequest('/'))
  const assets = [...new Set(page.body.match(/\/assets\/[^"]+/g))].map((path) => ({
    name: `GET ${path}`,
    text: wireRequest(path),
    queries: 0,
  }))
  const targets: readonly Target[] = [...first, ...assets]
  return { service, clients, proxy, targets }
}

type Results = readonly { readonly target: Target; readonly answers: readonly Answer[] }[]

/** Asks all targets; so many at a time. */
async function askAll(
  clients: Clients,
  targets: readonly Target[],
  job: Omit<Job, 'text'>,
  together = 4,
): Promise<Results> {
  const results: { target: Target; answers: readonly Answer[] }[] = []
  const left = targets.values()
  const line = async () => {
    for (const target of left) {
      results.push({ target, answers: await clients.run({ ...job, text: target.text }) })
    }
  }
  await Promise.all(Array.from({ length: together }, line))
  return results
}

/** The targets whose requests did not all end as they should, each with what happened instead. */
function othersThan(results: Results, isRight: (answer: Answer) => boolean): string[] {
  return results.flatMap(({ target, answers }) =>
    answers.every(isRight) ? [] : `${target.name}: ${JSON.stringify(tally(answers))}`,
  )
}

function queriesOf(results: Results, holds: (answer: Answer) => boolean): number {
  return results.reduce(
    (sum, { target, answers }) => sum + target.queries * answers.filter(holds).length,
    0,
  )
}

const isWhole = ({ end, status }: Answer) => end === 'whole' && status === 200
const hangs = ({ end }: Answer) => end === 'hung'

async function metric(clients: Clients, { to }: OutsideService, name: string): Promise<number> {
  const { body } = await clients.ask(to, wireRequest('/metrics'))
  return Number(new RegExp(`^authority_index_${name} (\\S+)$`, 'm').exec(body)?.[1])
}

/** How long a service may take to forget clients that are gone or do nothing. */
const restMsMax = 60_000

/** @throws Error with what the metrics say when it does not hold in time. */
async function untilMetrics(
  clients: Clients,
  service: OutsideService,
  holds: (open: number, unreadBytes: number) => boolean,
): Promise<void> {
  const endMs = performance.now() + restMsMax
  for (;;) {
    const open = await metric(clients, service, 'connections')
    const unreadBytes = await metric(clients, service, 'unread_bytes')
    if (holds(open, unreadBytes)) return
    if (performance.now() > endMs) throw new Error(`${open} open, ${unreadBytes} bytes unread`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Waits until nothing is left of what clients have done: only the connection that asks is open. */
async function untilAtRest(clients: Clients, service: OutsideService): Promise<void> {
  await untilMetrics(clients, service, (open, unreadBytes) => open <= 1 && unreadBytes === 0)
  expect(service.isRunning()).toBe(true)
}

describe('through an Ethernet', () => {
  test('every answer to an ordinary client is whole, on new and on kept connections, and charged once', async () => {
    const { service, clients, targets } = await scene()
    const count = counted(8, 200)
    const anew = await askAll(clients, targets, { to: service.to, count, together: 4 })
    const kept = await askAll(clients, targets, { to: service.to, repeat: count })
    expect(othersThan([...anew, ...kept], isWhole)).toEqual([])
    await untilAtRest(clients, service)
    const { queriesCharged } = await service.books()
    expect(queriesCharged).toBe(queriesOf([...anew, ...kept], isWhole))
  })

  test('every answer to a client that reads slowly is whole and charged once', async () => {
    const { service, clients, targets } = await scene()
    const bytesPerSecond = isFull ? 1_000_000 : 150_000
    const slow = { to: service.to, receiveBuffer: 4_096, bytesPerSecond, seconds: 120 }
    const job = { ...slow, count: counted(2, 50), together: counted(2, 10) }
    const results = await askAll(clients, targets, job, targets.length)
    expect(othersThan(results, isWhole)).toEqual([])
    await untilAtRest(clients, service)
    const { queriesCharged } = await service.books()
    expect(queriesCharged).toBe(queriesOf(results, isWhole))
  })

  test('a client that reads nothing is ended, and charged for less than the whole answer', async () => {
    const { service, clients, targets } = await scene()
    const paid = targets.filter(({ name }) => name === 'POST /api/v1/detail')
    const deaf = { to: service.to, receiveBuffer: 2_048, stallMs: 20_000, seconds: 60 }
    // More of them than the buffers of their connections hold.
    const job = { ...deaf, repeat: 1, count: counted(10, 100), together: counted(10, 100) }
    const asked = askAll(clients, paid, job)
    const results = await asked
    expect(othersThan(results, (answer) => !isWhole(answer) && !hangs(answer))).toEqual([])
    await untilAtRest(clients, service)
    expect((await service.books()).queriesCharged).toBeLessThan(queriesOf(results, () => true))
  })

  test('a client that has closed its half gets the whole answer or the end of its connection', async () => {
    const { service, clients, targets } = await scene()
    const job = { to: service.to, halfClose: true, count: counted(8, 200), together: 4 }
    const results = await askAll(clients, targets, job)
    expect(othersThan(results, (answer) => !hangs(answer))).toEqual([])
    await untilAtRest(clients, service)
    const { queriesCharged } = await service.books()
    expect(queriesCharged).toBeGreaterThanOrEqual(queriesOf(results, isWhole))
    expect(queriesCharged).toBeLessThanOrEqual(queriesOf(results, () => true))
  })

  test.each(['reset', 'close'] as const)(
    'clients that leave by %s, before and in the middle of answers, end nothing but their connections',
    async (leaveBy) => {
      const { service, clients, targets } = await scene()
      const all: Results[] = []
      for (const leaveAfter of [0, 1, 1_000, 50_000]) {
        const job = { to: service.to, leaveBy, leaveAfter, count: counted(8, 1_000), together: 8 }
        all.push(await askAll(clients, targets, job))
      }
      const results = all.flat()
      expect(othersThan(results, (answer) => !hangs(answer))).toEqual([])
      await untilAtRest(clients, service)
      // The last bytes of an answer may be in a buffer of the system when a client leaves.
      const { queriesCharged } = await service.books()
      expect(queriesCharged).toBeGreaterThanOrEqual(queriesOf(results, isWhole))
      expect(queriesCharged).toBeLessThanOrEqual(queriesOf(results, () => true))
    },
  )
})

describe('through a network that', () => {
  test('delays by 50 ms and takes 64 KB a second, every answer is whole and charged once', async () => {
    const { service, clients, proxy, targets } = await scene()
    await proxy.set({ delayMs: 50, bytesPerSecond: 64_000 })
    const job = { to: proxy, seconds: 300, count: counted(1, 4) }
    const results = await askAll(clients, targets, job, targets.length)
    expect(othersThan(results, isWhole)).toEqual([])
    await untilAtRest(clients, service)
    expect((await service.books()).queriesCharged).toBe(queriesOf(results, isWhole))
  })

  test.each(['cut', 'reset', 'half-close'] as const)(
    'ends requests and answers by a %s in the middle, nothing hangs and nothing is charged twice',
    async (by) => {
      const { service, clients, proxy, targets } = await scene()
      const all: Results[] = []
      for (const of of ['request', 'answer'] as const) {
        for (const after of [40, 20_000]) {
          await proxy.set({ end: { by, after, of } })
          const job = { to: proxy, count: counted(3, 100), together: 3, seconds: 60 }
          all.push(await askAll(clients, targets, job))
        }
      }
      const results = all.flat()
      expect(othersThan(results, (answer) => !hangs(answer))).toEqual([])
      await proxy.set({})
      await untilAtRest(clients, service)
      const { queriesCharged } = await service.books()
      expect(queriesCharged).toBeGreaterThanOrEqual(queriesOf(results, isWhole))
      expect(queriesCharged).toBeLessThanOrEqual(queriesOf(results, () => true))
    },
  )
})
