/** The books on a disk that fails again and again under load: they balance after each failure. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import { booksOf } from '../../support/processes/ledger-books.ts'
import { run } from '../../support/program.ts'
import { counted, isFull } from './support/counts.ts'
import { type Fault, FaultyDisk, lackOfFaults } from './support/disk.ts'
import { type OutsideService, startOutside } from './support/service.ts'

const beside = { serviceHost: '127.0.0.1', besideService: [], besideClients: [] }

/** The file that commits are written to. */
const file = 'ledger.db-wal'

const faults: readonly Fault[] = [
  { calls: 'sync', error: 'EIO', file },
  { calls: 'write', error: 'EIO', file },
  { calls: 'write', error: 'ENOSPC', file },
  { calls: 'sync', error: 'EIO', file, after: 1 },
  { calls: 'doubt', error: 'EIO', file },
]

const deadlyFaults: readonly Fault[] = [...faults, { calls: 'any', error: 'ENOSPC', file }]

/** How much may be lost with a crash: what was sold since the last commit that succeeded. */
const behindMs = 2_500

/** Clients that ask without end, and when each answer came that has a price. */
class Load {
  readonly answeredAtMs: number[] = []
  #isOver = false
  readonly #clients: Promise<void>[]

  constructor(service: OutsideService, count: number) {
    const { host, port } = service.to
    const address = `http://${host}:${port}/api/v1/index?query=rust&limit=1`
    const headers = { Authorization: `Bearer ${service.key}` }
    const client = async () => {
      while (!this.#isOver) {
        const status = await statusOf(address, headers)
        if (status === 200) this.answeredAtMs.push(Date.now())
        await sleep(5)
      }
    }
    this.#clients = Array.from({ length: count }, client)
  }

  /** No request is under way when this is done. */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  before(timeMs: number): number {
    return this.answeredAtMs.filter((each) => each <= timeMs).length
  }
}

async function statusOf(address: string, headers: Record<string, string> = {}): Promise<number> {
  try {
    const answer = await fetch(address, { headers })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

/** For while a service runs, in which the books change. */
async function chargedIn(data: string): Promise<number> {
  const words = ['admin', 'getStatement', 'account=default', '--json', '--data', data]
  const charges: readonly { queries: number }[] = JSON.parse((await run(words)).stdout).charges
  return charges.reduce((sum, { queries }) => sum + queries, 0)
}

const lack = lackOfFaults()
if (lack !== undefined) console.warn(`not tried: ${lack}`)

describe.skipIf(lack !== undefined)('books whose disk fails under load', () => {
  test('balance after each failure, and hold each answer and each credit once', async () => {
    const disk = FaultyDisk.make()
    const directory = temporaryDirectory()
    const data = join(directory, 'data')
    const service = await startOutside(beside, directory, { data, variables: disk.variables })
    const ready = `http://${service.to.host}:${service.to.port}/readyz`
    const untilReadiness = async (status: number) =>
      until(async () => (await statusOf(ready)) === status)
    const topUp = (reference: string, variables = {}) =>
      run(['account', 'top-up', 'default', '5', '--reference', reference, '--data', service.data], {
        variables,
      })
    let answered = 0
    for (let round = 0; round < counted(faults.length, 20); round += 1) {
      const load = new Load(service, 4)
      onTestFinished(() => load.end())
      await until(async () => load.answeredAtMs.length > 20)
      disk.fail(faults[round % faults.length]!)
      // One whose own disk fails too, and one by a process whose disk is well.
      const failed = await topUp(`failed-${round}`, disk.variables)
      const whole = await topUp(`whole-${round}`)
      expect([failed.signal, whole.exitCode]).toEqual([null, 0])
      await untilReadiness(503)
      const told = { ledger_available: false, ledger_failure: expect.any(String) }
      // A thread sees that commits are behind a moment before it is told why.
      await expect.poll(async () => (await fetch(ready)).json()).toMatchObject(told)
      disk.heal()
      await untilReadiness(200)
      // One that failed may be in the books all the same: its reference keeps it from being there twice.
      expect(await topUp(`failed-${round}`)).toMatchObject({ exitCode: 0 })
      await load.end()
      answered += load.answeredAtMs.length
      await until(async () => (await chargedIn(service.data)) >= answered)
      const balanceMicroUsd = 50e6 + (round + 1) * 2 * 5e6 - answered * 1_000
      expect(await booksOf(service.data)).toMatchObject({
        queriesCharged: answered,
        balanceMicroUsd,
      })
    }
    const books = await service.books()
    expect(books.queriesCharged).toBe(answered)
  })

  test.each(isFull ? deadlyFaults : [faults[1]!, deadlyFaults.at(-1)!])(
    'lose no more than is documented when the service is killed in the midst of $error of $calls',
    async (fault) => {
      const disk = FaultyDisk.make()
      const directory = temporaryDirectory()
      const data = join(directory, 'data')
      const service = await startOutside(beside, directory, { data, variables: disk.variables })
      const load = new Load(service, 4)
      onTestFinished(() => load.end())
      await until(async () => load.answeredAtMs.length > 50)
      const failedAtMs = Date.now()
      disk.fail(fault)
      await until(async () => Date.now() - failedAtMs > 300)
      service.child.kill('SIGKILL')
      await service.ended
      await load.end()
      disk.heal()
      const { queriesCharged } = await booksOf(service.data)
      expect(queriesCharged).toBeLessThanOrEqual(load.answeredAtMs.length)
      expect(queriesCharged).toBeGreaterThanOrEqual(load.before(failedAtMs - behindMs))
      const again = await startOutside(beside, directory, { snapshots: service.snapshots })
      expect(await again.books()).toMatchObject({ queriesCharged })
    },
  )
})
