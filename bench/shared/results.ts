/** The results of a bench as JSON under bench/results/, with the machine they were taken on. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

/** What a bench has to tell. */
interface Result {
  readonly bench: string
  readonly size: 'tiny' | 'full'
  readonly startedAt: Date
  /** Anything that JSON can hold. */
  readonly result: unknown
}

const directory = 'bench/results'

/** Writes `<bench>.json`, or `<bench>.tiny.json`, in the place of an earlier one; answers its path. */
export function writeResult({ bench, size, startedAt, result }: Result): string {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, size === 'full' ? `${bench}.json` : `${bench}.tiny.json`)
  const document = { bench, size, startedAt: startedAt.toISOString(), machine: machine(), result }
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`)
  return path
}

function machine() {
  const cores = cpus()
  return {
    processor: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
  }
}
