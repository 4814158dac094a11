/**
 * What the service itself says a search took, over HTTP: the `duration` of the answers to two or
 * three words of one person's record, on one connection, with the largest limit. No text is asked
 * twice, so no answer comes from the cache.
 */

import { activate } from '../../src/api/active-snapshot.ts'
import { operations } from '../../src/operations.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { getRequest } from '../../test/support/processes/answer-reader.ts'
import { Children } from '../../test/support/processes/children.ts'
import { Connection } from '../../test/support/processes/connection.ts'
import { startRichService } from '../../test/support/processes/service.ts'
import { loadAnnounced } from '../shared/data/data.ts'
import type { Columns } from '../shared/report.ts'
import { shareOf } from '../shared/rounds.ts'
import { drawWordsOfOne } from './kinds.ts'

/** Durations in milliseconds, as the service tells them. */
export interface DurationRow {
  readonly authorities: number
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p99MsMax: number
}

const limit = 50
const p99MsMax = 0.3

/** Asks the built service so many texts; as many before warm it up. */
export async function durationsOf(
  snapshots: string,
  count: number,
  signal: AbortSignal,
): Promise<DurationRow> {
  const snapshot = loadAnnounced(snapshots)
  const texts = drawTexts(snapshot, 2 * count)
  const children = new Children(signal)
  try {
    const { port, key } = await startRichService(children, { snapshots, threads: 1 })
    const connection = await Connection.open(port)
    const durationsMs: number[] = []
    for (const text of texts) durationsMs.push(await durationOf(connection, text, key))
    connection.close()
    const measured = Float64Array.from(durationsMs.slice(durationsMs.length >>> 1)).sort()
    return {
      authorities: snapshot.header.counts.authorities,
      requests: measured.length,
      p50Ms: shareOf(measured, 0.5),
      p99Ms: shareOf(measured, 0.99),
      p99MsMax,
    }
  } finally {
    await children.close()
  }
}

function drawTexts(snapshot: Snapshot, count: number): string[] {
  return drawWordsOfOne(snapshot, activate(snapshot), count)
}

/** What the service says a search for a text took, in milliseconds. @throws Error for any answer but 200. */
async function durationOf(connection: Connection, text: string, key: string): Promise<number> {
  const [path] = operations.search.paths
  const target = `${path}?query=${encodeURIComponent(text)}&limit=${limit}`
  const answer = await connection.ask(getRequest(target, key))
  if (answer?.status !== 200) throw new Error(`${target} was answered with ${answer?.status}`)
  return JSON.parse(answer.body.toString()).duration * 1000
}

/** The columns of a table of durations. */
export const durationColumns: Columns<DurationRow> = {
  authorities: ({ authorities }) => authorities,
  requests: ({ requests }) => requests,
  'p50 ms': ({ p50Ms }) => p50Ms.toFixed(3),
  'p99 ms': ({ p99Ms }) => p99Ms.toFixed(3),
  'at most': ({ p99MsMax: most }) => `p99 ${most}`,
  met: ({ p99Ms, p99MsMax: most }) => (p99Ms <= most ? 'yes' : 'no'),
}
