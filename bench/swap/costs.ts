/** What a swap costs: the processor time of each part of it, beside the SHA-256 of the same file. */
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { heapLimits } from '../../src/service/thread-pool.ts'
import { startModule } from '../../test/support/processes/worker-module.ts'
import { table } from '../shared/report.ts'
import type { Origin } from './scene.ts'

/** Which snapshot is loaded, and what is asked of it, one a line. */
export interface CostsOrder {
  readonly path: string
  readonly targetsFile: string
}

/** A part, in milliseconds of processor time: with cold code and fresh memory, and later. */
export interface PartCosts {
  readonly part: string
  readonly firstMs: number
  readonly againMs: number
}

/** What one snapshot costs. */
export interface SwapCosts {
  readonly authorities: number
  readonly bytes: number
  /** Processor time of the SHA-256 of the file, and of reading it into one piece of memory only. */
  readonly sha256Ms: number
  readonly fileMs: number
  readonly parts: readonly PartCosts[]
  /** Of a whole swap of the service without load, all its threads together: the mean of many. */
  readonly serviceMs: Readonly<Record<Origin, number>>
}

/** Measures the parts in a thread of their own. */
export async function partCosts(
  order: CostsOrder,
): Promise<Pick<SwapCosts, 'bytes' | 'sha256Ms' | 'fileMs' | 'parts'>> {
  const worker = startModule(new URL('./costs-thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: heapLimits,
  })
  const [all] = (await once(worker, 'message')) as [readonly PartCosts[]]
  const [file, sha256, ...parts] = all
  const { size: bytes } = statSync(order.path)
  return { bytes, fileMs: file!.againMs, sha256Ms: sha256!.againMs, parts }
}

/** The table of what a swap costs, its sums by what runs where. */
export function costLines(rows: readonly SwapCosts[]): string[] {
  const lines = rows.flatMap((row) => {
    const sum = (name: string, parts: readonly PartCosts[]) => ({
      part: name,
      firstMs: parts.reduce((total, { firstMs }) => total + firstMs, 0),
      againMs: parts.reduce((total, { againMs }) => total + againMs, 0),
    })
    const checks = row.parts.filter(({ part }) => part.startsWith('verify'))
    const isOfThreads = /^prepare|answers/
    const loading = row.parts.filter(({ part }) => !isOfThreads.test(part))
    const whole = (againMs: number) => ({ firstMs: Number.NaN, againMs })
    return [
      ...row.parts,
      sum('all that is verified', checks),
      sum('all of the loading thread', loading),
      { part: 'a swap of the service', ...whole(row.serviceMs.verified) },
      {
        part: 'the same, its indexes made',
        ...whole(row.serviceMs['without-indexes']),
      },
      { part: 'the same, of unknown origin', ...whole(row.serviceMs.unknown) },
      { part: 'SHA-256 of the file', ...whole(row.sha256Ms) },
      { part: 'reading the file alone', ...whole(row.fileMs) },
    ].map((each) => ({ ...each, authorities: row.authorities, sha256Ms: row.sha256Ms }))
  })
  const text = (ms: number) => (Number.isNaN(ms) ? '-' : ms.toFixed(1))
  return table(lines, {
    authorities: ({ authorities }) => authorities,
    part: ({ part }) => part,
    'first ms': ({ firstMs }) => text(firstMs),
    'later ms': ({ againMs }) => text(againMs),
    'by SHA-256': ({ againMs, sha256Ms }) => (againMs / sha256Ms).toFixed(3),
  })
}
