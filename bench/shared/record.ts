/**
 * The record: one file, `bench/record.json`, with the last full run of each bench that was recorded, where it ran and of
 * which commit. The sections under "Last full results" in the README of the benches are made from it, so that each
 * figure there says where it comes from. Invariant: what is recorded is what a commit measures, never a change beside it.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, type } from 'node:os'
import { formatVersion } from '../../src/snapshot/header.ts'

/** One full run of a bench. */
export interface Recorded {
  readonly bench: string
  /** When it began, ISO 8601. */
  readonly startedAt: string
  /** The commit that it measured. */
  readonly commit: string
  /** The format of its snapshots. */
  readonly format: number
  /** Where it ran: cores, system, Node, and what else the machine did when it began. */
  readonly machine: string
  /** What it printed: Markdown. */
  readonly lines: readonly string[]
}

const path = 'bench/record.json'

/** The runs that are recorded, in the order of the README. */
export function readRecord(file = path): readonly Recorded[] {
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[]
}

/** Writes the record. */
export function writeRecord(record: readonly Recorded[], file = path): void {
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`)
}

/** The record with a run in the place of the last of the same bench; that of another bench comes last. */
export function withRun(record: readonly Recorded[], run: Recorded): readonly Recorded[] {
  const isThere = record.some(({ bench }) => bench === run.bench)
  return isThere ? record.map((each) => (each.bench === run.bench ? run : each)) : [...record, run]
}

/** A run as it is recorded. To be called before it begins. @throws Error when what it measures is not committed. */
export function runOf(bench: string, startedAt: Date): Omit<Recorded, 'lines'> {
  const changed = git('status', '--porcelain', '--', 'src', 'package-lock.json')
  if (changed !== '') throw new Error(`--record measures a commit; commit first:\n${changed}`)
  const commit = git('rev-parse', '--short=8', 'HEAD')
  const machine = machineLine()
  return { bench, startedAt: startedAt.toISOString(), commit, format: formatVersion, machine }
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
