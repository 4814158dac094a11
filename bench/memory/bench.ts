/**
 * What a service takes before it sells: the time to its first answer beside hashing the same file, its memory with
 * texts in memory and on the disk, and over swaps in a row; then a ledger by its accounts.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathOf } from '../../src/snapshot/store/directory.ts'
import { getRequest } from '../../test/support/processes/answer-reader.ts'
import { Children } from '../../test/support/processes/children.ts'
import { Connection } from '../../test/support/processes/connection.ts'
import { residentBytes } from '../../test/support/processes/proc.ts'
import { startRichService } from '../../test/support/processes/service.ts'
import { type Bench, type BenchOptions, sizesIn, sizesOf } from '../shared/bench.ts'
import { benchData } from '../shared/data/data.ts'
import { table } from '../shared/report.ts'
import { putTogether, secondData, swapTo } from '../swap/scene.ts'
import { type LedgerRow, ledgerColumns, ledgerRow } from './ledger.ts'

interface MemoryRow {
  readonly people: number
  readonly texts: 'memory' | 'disk'
  readonly firstAnswerSeconds: number
  readonly sha256Seconds: number
  readonly snapshotBytes: number
  readonly startBytes: number
  readonly peakBytes: number
}

const plans = {
  tiny: { people: [300], accounts: [1_000], swaps: 2 },
  full: { people: [100_000, 1_000_000], accounts: [100_000, 10_000_000], swaps: 6 },
} as const

export const memoryBench: Bench = {
  name: 'memory',
  flags: ['sizes', 'accounts'],
  run: async (options) => {
    const rows: MemoryRow[] = []
    const { people, accounts, swaps } = plans[options.size]
    for (const size of sizesOf(options, people)) rows.push(...(await rowsAt(size, swaps, options)))
    const ledgers: LedgerRow[] = []
    for (const count of sizesIn(options.flags?.accounts) ?? accounts) {
      if (count > 0) ledgers.push(await ledgerRow(count, options))
    }
    return { lines: report(rows, ledgers) }
  },
}

async function rowsAt(
  people: number,
  swaps: number,
  { directory, report: say, signal }: BenchOptions,
): Promise<MemoryRow[]> {
  say(`${people} people: two snapshots`)
  const first = await benchData(people, directory)
  const second = await secondData(first)
  const children = new Children(signal)
  try {
    const snapshots = join(children.directory, 'snapshots')
    const { ids, snapshotBytes } = putTogether(snapshots, [first.snapshots, second.snapshots])
    const path = pathOf(snapshots, ids[0])
    // Once to have the file in memory, and once for the figure.
    secondsOfHash(path)
    const sha256Seconds = secondsOfHash(path)
    const rows: MemoryRow[] = []
    for (const texts of ['memory', 'disk'] as const) {
      say(`${people} people: a service with its texts: ${texts}, ${swaps} swaps`)
      const startedAt = performance.now()
      const words = ['--texts', texts]
      const service = await startRichService(children, { snapshots, threads: 2, words })
      const connection = await Connection.open(service.port)
      const answer = await connection.ask(getRequest('/api/v1/index?query=a', service.key))
      if (answer?.status !== 200) throw new Error(`answered with ${answer?.status}`)
      const firstAnswerSeconds = (performance.now() - startedAt) / 1000
      connection.close()
      const pid = service.child.process.pid!
      const { now: startBytes } = residentBytes(pid)
      for (let swap = 1; swap <= swaps; swap += 1) await swapTo(service, snapshots, ids[swap % 2]!)
      const { peak: peakBytes } = residentBytes(pid)
      await service.child.stop()
      const measured = { firstAnswerSeconds, sha256Seconds, snapshotBytes, startBytes, peakBytes }
      rows.push({ people, texts, ...measured })
      // Each begins with the same snapshot: an even number of swaps has ended there.
    }
    return rows
  } finally {
    await children.close()
  }
}

function secondsOfHash(path: string): number {
  const startedAt = performance.now()
  execFileSync('sha256sum', [path])
  return (performance.now() - startedAt) / 1000
}

function report(rows: readonly MemoryRow[], ledgers: readonly LedgerRow[]): string[] {
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
  const services = table(rows, {
    people: ({ people }) => people.toLocaleString('en'),
    texts: ({ texts }) => texts,
    'first answer s': ({ firstAnswerSeconds }) => firstAnswerSeconds.toFixed(2),
    'by sha256sum': ({ firstAnswerSeconds, sha256Seconds }) =>
      (firstAnswerSeconds / sha256Seconds).toFixed(2),
    'snapshot MiB': ({ snapshotBytes }) => mebibytes(snapshotBytes),
    'at start MiB': ({ startBytes }) => mebibytes(startBytes),
    'peak in swaps MiB': ({ peakBytes }) => mebibytes(peakBytes),
    'snapshots in swaps': ({ startBytes, peakBytes, snapshotBytes }) =>
      (1 + (peakBytes - startBytes) / snapshotBytes).toFixed(2),
  })
  return [...services, ...(ledgers.length === 0 ? [] : ['', ...table(ledgers, ledgerColumns)])]
}
