/** The books on a disk that fails again and again under load: they balance after each failure. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
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

interface Books {
  readonly balance: number
  readonly credited: number
  readonly charged: number
  readonly queries: number
  readonly references: readonly string[]
}

/** @throws where the books do not balance, with what contradicts. */
async function proven(data: string): Promise<Books> {
  const verified = await run(['ledger', 'verify', '--json', '--data', data])
  expect(verified).toMatchObject({ exitCode: 0, stderr: '' })
  const stated = await run(['admin', 'getStatement', 'account=default', '--json', '--data', data])
  const { balance_usd: balance, credits, charges } = JSON.parse(stated.stdout)
  const usd = (rows: readonly { amount_usd: number }[]) =>
    rows.reduce((sum, row) => sum + Math.round(row.amount_usd * 1e6), 0)
  const books = {
    balance: Math.round(balance * 1e6),
    credited: usd(credits),
    charged: usd(charges),
    queries: charges.reduce((sum: number, { queries }: { queries: number }) => sum + queries, 0),
    references: credits.flatMap(({ reference }: { reference: string | null }) => reference ?? []),
  }
  expect(books.balance).toBe(books.credited - books.charged)
  return books
}

async function until(holds: () => Promise<boolean>, seen: () => string): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`it does not come to it: ${seen()}`)
    await sleep(20)
  }
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
      until(async () => (await statusOf(ready)) === status, service.errors)
    const topUp = (reference: string, variables = {}) =>
      run(['account', 'top-up', 'default', '5', '--reference', reference, '--data', service.data], {
        variables,
      })
    let answered = 0
    for (let round = 0; round < counted(faults.length, 20); round += 1) {
      const load = new Load(service, 4)
      onTestFinished(() => load.end())
      await until(async () => load.answeredAtMs.length > 20, service.errors)
      disk.fail(faults[round % faults.length]!)
      // One whose own disk fails too, and one by a process whose disk is well.
      const failed = await topUp(`failed-${round}`, disk.variables)
      const whole = await topUp(`whole-${round}`)
      expect([failed.signal, whole.exitCode]).toEqual([null, 0])
      await untilReadiness(503)
      disk.heal()
      await untilReadiness(200)
      // One that failed may be in the books all the same: its reference keeps it from being there twice.
      expect(await topUp(`failed-${round}`)).toMatchObject({ exitCode: 0 })
      await load.end()
      answered += load.answeredAtMs.length
      let seen = await proven(service.data)
      await until(
        async () => {
          seen = await proven(service.data)
          return seen.queries >= answered
        },
        () => `${seen.queries} of ${answered} are charged`,
      )
      expect(seen).toMatchObject({ queries: answered, credited: 50e6 + (round + 1) * 2 * 5e6 })
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
      await until(async () => load.answeredAtMs.length > 50, service.errors)
      const failedAtMs = Date.now()
      disk.fail(fault)
      await until(async () => Date.now() - failedAtMs > 300, service.errors)
      service.child.kill('SIGKILL')
      await service.ended
      await load.end()
      disk.heal()
      const books = await proven(service.data)
      expect(books.queries).toBeLessThanOrEqual(load.answeredAtMs.length)
      expect(books.queries).toBeGreaterThanOrEqual(load.before(failedAtMs - behindMs))
      const again = await startOutside(beside, directory, { snapshots: service.snapshots })
      expect(await again.books()).toMatchObject({ queriesCharged: books.queries })
    },
  )
})
