/**
 * The record, `bench/record.json`: the last recorded full run of each bench. Each figure of a document comes from
 * it. Invariant: what is recorded is what a commit measures, never a change beside it.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, type } from 'node:os'
import { formatVersion } from '../../src/snapshot/header.ts'

interface Recorded {
  readonly bench: string
  readonly startedAt: string
  readonly commit: string
  readonly format: number
  /** Where it ran: cores, system, Node, and what else the machine did when it began. */
  readonly machine: string
  /** The flags of its own that it was given, where there were any: `--sizes 10000000`. */
  readonly flags?: string
  readonly lines: readonly string[]
}

export function originOf({ commit, format, flags, machine }: Omit<Recorded, 'lines'>): string {
  const by = flags === undefined ? '' : `, with \`${flags}\``
  const which = format === formatVersion ? `format ${format}` : `an earlier format (${format})`
  return `commit \`${commit}\`, snapshots of ${which}${by}; ${machine}`
}

const path = 'bench/record.json'

export function readRecord(): readonly Recorded[] {
  return JSON.parse(readFileSync(path, 'utf8')) as readonly Recorded[]
}

/** Writes a run in the place of the last of the same bench, or behind those of others. */
export function writeRun(run: Recorded): void {
  const record = readRecord()
  const isThere = record.some(({ bench }) => bench === run.bench)
  const next = isThere
    ? record.map((each) => (each.bench === run.bench ? run : each))
    : [...record, run]
  writeFileSync(path, `${JSON.stringify(next, null, 2)}\n`)
}

/** What decides on the figures of a run; its own results and data do not. */
const measured = ['src/**', 'bench/**/*.ts', 'bench/**/*.tsv', 'package-lock.json']

/** To be called before the run begins. @throws Error when what it measures is not committed. */
export function runOf(
  bench: string,
  startedAt: Date,
  given: Readonly<Record<string, string>> = {},
): Omit<Recorded, 'lines'> {
  const changed = git('status', '--porcelain', '--', ...measured.map((each) => `:(glob)${each}`))
  if (changed !== '') throw new Error(`--record measures a commit; commit first:\n${changed}`)
  const commit = git('rev-parse', '--short=8', 'HEAD')
  const flags = Object.entries(given).map(([name, value]) => `--${name} ${value}`)
  return {
    bench,
    startedAt: startedAt.toISOString(),
    commit,
    format: formatVersion,
    machine: machineLine(),
    ...(flags.length === 0 ? {} : { flags: flags.join(' ') }),
  }
}

function git(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  return stdout.trim()
}

function machineLine(): string {
  const cores = cpus()
  const processor = cores[0]?.model.trim() ?? 'unknown processor'
  const load = loadavg()[0]!.toFixed(1)
  return `${cores.length} cores (${processor}), ${type()}, Node ${process.versions.node}, load ${load} before it began`
}
