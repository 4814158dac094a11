/**
 * Every operation and page through an Ethernet, to good and bad clients: an answer arrives whole or its connection
 * ends, the service lives, is at rest afterwards, and charges what it has answered. A network that ends a connection is
 * to a service what a client is that leaves.
 */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { announce, publish } from '../../../src/snapshot/store/directory.ts'
import { wireRequest } from '../../support/abuse/wire.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { type Answer, Clients, type Job, tally } from './support/clients.ts'
import { counted, isFull } from './support/counts.ts'
import { openEthernet } from './support/network.ts'
import { type OutsideService, startOutside } from './support/service.ts'
import { largeSnapshot, type Target, targetsOf, targetWords } from './support/targets.ts'

/** With these a detail of 1,000 people takes half a megabyte, or eight. */
const bioCharacters = counted(300, 8_000)
const large = largeSnapshot(1_000, bioCharacters)

async function scene() {
  const ethernet = openEthernet()
  onTestFinished(ethernet.close)
  console.log(ethernet.notes.join('; '))
  const directory = temporaryDirectory()
  const snapshots = join(directory, 'snapshots')
  publish(snapshots, large)
  announce(snapshots, large.header.id)
  const service = await startOutside(ethernet, directory, {
    snapshots,
    words: targetWords,
  })
  const clients = new Clients(ethernet)
  onTestFinished(() => clients.close())
  const first = targetsOf(service.key, large.header.id)
  const page = await clients.ask(service.to, wireRequest('/'))
  const assets = [...new Set(page.body.match(/\/assets\/[^"]+/g))].map((path) => ({
    name: `GET ${path}`,
    text: wireRequest(path),
    queries: 0,
  }))
  const targets: readonly Target[] = [...first, ...assets]
  return { service, clients, targets }
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

/** @throws Error with what the metrics say when it does not hold in time. */
async function untilMetrics(
  clients: Clients,
  service: OutsideService,
  holds: (open: number, unreadBytes: number) => boolean,
): Promise<void> {
  const endMs = performance.now() + 60_000
  for (;;) {
    const open = await metric(clients, service, 'connections')
    const unreadBytes = await metric(clients, service, 'unread_bytes')
    if (holds(open, unreadBytes)) return
    if (performance.now() > endMs) throw new Error(`${open} open, ${unreadBytes} bytes unread`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** A job of the clients. */
type Step = Omit<Job, 'text' | 'to'>

async function askSteps(
  { service, clients, targets }: Awaited<ReturnType<typeof scene>>,
  steps: readonly Step[],
  together?: number,
): Promise<Results> {
  const all: Results[] = []
  for (const step of steps) {
    all.push(await askAll(clients, targets, { to: service.to, ...step }, together))
  }
  return all.flat()
}

/** Each whole answer is charged, and none twice; only the connection that asks is open then. */
async function expectCharged(
  { service, clients }: Pick<Awaited<ReturnType<typeof scene>>, 'service' | 'clients'>,
  results: Results,
): Promise<number> {
  await untilMetrics(clients, service, (open, unreadBytes) => open <= 1 && unreadBytes === 0)
  expect(service.child.exitCode ?? service.child.signalCode).toBeNull()
  const { queriesCharged } = await service.books()
  expect(queriesCharged).toBeGreaterThanOrEqual(queriesOf(results, isWhole))
  expect(queriesCharged).toBeLessThanOrEqual(queriesOf(results, () => true))
  return queriesCharged
}

const slowly = {
  receiveBuffer: 4_096,
  bytesPerSecond: isFull ? 1_000_000 : 150_000,
  seconds: 120,
}

test.each<[string, readonly Step[], number?]>([
  [
    'an ordinary client, on new and on kept connections,',
    [{ count: counted(8, 200), together: 4 }, { repeat: counted(8, 200) }],
  ],
  [
    'a client that reads slowly',
    [{ ...slowly, count: counted(2, 50), together: counted(2, 10) }],
    100,
  ],
])('every answer to %s is whole and charged once', async (_, steps, together) => {
  const own = await scene()
  const results = await askSteps(own, steps, together)
  expect(othersThan(results, isWhole)).toEqual([])
  await expectCharged(own, results)
})

test('a client that reads nothing is ended, and charged for less than the whole answer', async () => {
  const { targets, ...own } = await scene()
  const paid = targets.filter(({ name }) => name === 'POST /api/v1/detail')
  const deaf = { receiveBuffer: 2_048, stallMs: 20_000, seconds: 60 }
  // More of them than the buffers of their connections hold.
  const job = { ...deaf, count: counted(10, 100), together: counted(10, 100) }
  const results = await askSteps({ ...own, targets: paid }, [job])
  expect(othersThan(results, (answer) => !isWhole(answer) && !hangs(answer))).toEqual([])
  expect(await expectCharged(own, results)).toBeLessThan(queriesOf(results, () => true))
})

const inRequests = [{ sendOnly: 40 }, { sendOnly: 20_000 }]
const leaving = (leaveBy: 'reset' | 'close') => [
  ...[0, 1, 1_000, 50_000].map((leaveAfter) => ({
    ...{ leaveBy, leaveAfter, count: counted(8, 1_000), together: 8 },
  })),
  ...inRequests.map((part) => ({
    ...{ ...part, leaveBy, leaveAfter: 0, count: counted(3, 100), together: 3 },
  })),
]
const halving: readonly Step[] = [
  { halfClose: true, count: counted(8, 200), together: 4 },
  ...inRequests.map((part) => ({
    ...{ ...part, halfClose: true, count: counted(3, 100), together: 3, seconds: 60 },
  })),
]

test.each<[string, readonly Step[]]>([
  ['clients that close their half, behind requests and in the middle of them', halving],
  ['clients that leave by reset, in the middle of requests and answers,', leaving('reset')],
  ['clients that leave by close, in the middle of requests and answers,', leaving('close')],
])('%s: nothing hangs, nothing is charged twice', async (_, steps) => {
  const own = await scene()
  const results = await askSteps(own, steps)
  expect(othersThan(results, (answer) => !hangs(answer))).toEqual([])
  await expectCharged(own, results)
})
