/**
 * The most memory that a service holds while it swaps, in snapshots. People are those of `bench/scale.ts`; one in a
 * hundred changed: of these a quarter each leaves, comes in place of another, has another name, or another bio.
 * Everybody's rank and most scores change with them.
 */
import { once } from 'node:events'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { pathOf } from '../../src/snapshot/store/directory.ts'
import type { Children } from '../../test/support/processes/children.ts'
import { residentBytes } from '../../test/support/processes/proc.ts'
import { startRichService } from '../../test/support/processes/service.ts'
import { snapshotAt } from '../scale/bench.ts'
import { buildSnapshot, isAnnounced } from '../shared/data/data.ts'
import { table } from '../shared/report.ts'
import { type Origin, putTogether, setOrigin } from './scene.ts'
import { swapTo } from './service-swaps.ts'

/** The memory of one service over its first swaps. */
export interface SwapMemory {
  readonly authorities: number
  readonly origin: Origin
  readonly snapshotBytes: number
  /** With one snapshot, before it is asked anything. */
  readonly startBytes: number
  /** Most that it held, after one swap and after six. */
  readonly firstPeakBytes: number
  readonly peakBytes: number
}

const changedEvery = 100
const swapsInARow = 6
const origins: readonly Origin[] = ['verified', 'unknown']

/** Measures each origin of snapshots with a service of its own. */
export async function swapMemory(
  children: Children,
  authorities: number,
  directory: string,
  report: (line: string) => void,
): Promise<SwapMemory[]> {
  const first = await snapshotAt(children, authorities, directory, report)
  report(`${authorities} people, one in ${changedEvery} of them changed`)
  const changed = await changedSnapshots(first.source, directory)
  const scene = join(children.directory, `changed-${authorities}`)
  const ids = putTogether(scene, [first.snapshots, changed])
  const rows: SwapMemory[] = []
  for (const origin of origins) {
    report(`${authorities} people: ${swapsInARow} swaps, origin ${origin}`)
    const memory = await memoryOf(children, { snapshots: scene, ids, origin })
    rows.push({ authorities, origin, ...memory })
  }
  return rows
}

/** Makes the snapshot of a source with changed people, where it is not there; its directory. */
async function changedSnapshots(source: string, directory: string) {
  const own = join(directory, 'changed')
  const snapshots = join(own, 'snapshots')
  if (isAnnounced(snapshots)) return snapshots
  const changed = join(own, 'source')
  mkdirSync(changed, { recursive: true })
  for (const name of ['connections.ndjson', 'topics.ndjson']) {
    const link = join(changed, name)
    if (!existsSync(link)) symlinkSync(resolve(source, name), link)
  }
  const path = join(changed, 'authorities.ndjson')
  await changePeople(join(source, 'authorities.ndjson'), path)
  await buildSnapshot(changed, snapshots)
  return snapshots
}

async function changePeople(from: string, to: string): Promise<void> {
  const written = createWriteStream(`${to}.tmp`)
  let number = 0
  for await (const line of createInterface({ input: createReadStream(from) })) {
    number += 1
    const isChanged = number % changedEvery === 0
    const changed = isChanged ? changedRecord(line, number / changedEvery) : line
    if (changed === undefined) continue
    if (!written.write(`${changed}\n`)) await once(written, 'drain')
  }
  written.end()
  await finished(written)
  renameSync(`${to}.tmp`, to)
}

/** A record that is changed in one of four ways, by turns; undefined where it is left out. */
function changedRecord(line: string, turn: number): string | undefined {
  const record = JSON.parse(line)
  if (turn % 4 === 0) return undefined
  if (turn % 4 === 1) return JSON.stringify({ ...record, sdu: `9${record.sdu.slice(1)}0` })
  const turned = (text: string) => text.split(' ').reverse().join(' ')
  const { name, bio } = record
  const changes = turn % 4 === 2 ? { name: turned(name) } : { bio: turned(bio) }
  return JSON.stringify({ ...record, ...changes })
}

interface MemoryScene {
  readonly snapshots: string
  readonly ids: readonly [string, string]
  readonly origin: Origin
}

async function memoryOf(children: Children, { snapshots, ids, origin }: MemoryScene) {
  setOrigin(snapshots, ids, origin)
  const service = await startRichService(children, { snapshots, threads: 2 })
  const pid = service.child.process.pid!
  const { now: startBytes } = residentBytes(pid)
  const peaks: number[] = []
  for (let swap = 1; swap <= swapsInARow; swap += 1) {
    setOrigin(snapshots, ids, origin)
    await swapTo(service, { directory: snapshots }, ids[swap % 2]!)
    peaks.push(residentBytes(pid).peak)
  }
  await service.child.stop()
  const snapshotBytes = Math.max(...ids.map((id) => statSync(pathOf(snapshots, id)).size))
  return { snapshotBytes, startBytes, firstPeakBytes: peaks[0]!, peakBytes: peaks.at(-1)! }
}

/** The table of memory. */
export function memoryLines(rows: readonly SwapMemory[]): string[] {
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
  const snapshots = (row: SwapMemory, peak: number) =>
    (1 + (peak - row.startBytes) / row.snapshotBytes).toFixed(2)
  return table(rows, {
    people: ({ authorities }) => authorities,
    origin: ({ origin }) => origin,
    'snapshot MiB': ({ snapshotBytes }) => mebibytes(snapshotBytes),
    'at start MiB': ({ startBytes }) => mebibytes(startBytes),
    'peak, 1 swap MiB': ({ firstPeakBytes }) => mebibytes(firstPeakBytes),
    'peak, 6 swaps MiB': ({ peakBytes }) => mebibytes(peakBytes),
    'snapshots, 1 swap': (row) => snapshots(row, row.firstPeakBytes),
    'snapshots, 6 swaps': (row) => snapshots(row, row.peakBytes),
  })
}
