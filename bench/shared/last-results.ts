/**
 * The last full results in bench/README.md: each bench has a section there, `### NAME, DATE`, that
 * ends with the next heading. What is written takes the place of the section; all else stays.
 */
import { cpus, type } from 'node:os'

/** What is written down of a run. */
interface Run {
  readonly bench: string
  readonly startedAt: Date
  /** What it printed, Markdown. */
  readonly lines: readonly string[]
}

const title = '## Last full results'

/**
 * The README with the section of a run; one that is new comes last.
 * @throws Error when there is no place for results.
 */
export function withLastResults(readme: string, run: Run, machine = machineLine()): string {
  const lines = readme.split('\n')
  const start = lines.indexOf(title)
  if (start < 0) throw new Error(`no '${title}' in the README of the benches`)
  const end = nextHeading(lines, start, /^## /)
  const own = lines.findIndex(
    (line, index) => index > start && index < end && line.startsWith(`### ${run.bench}, `),
  )
  const from = own < 0 ? end : own
  const to = own < 0 ? end : nextHeading(lines, own, /^##/)
  const heading = `### ${run.bench}, ${run.startedAt.toISOString().slice(0, 10)}`
  const section = [heading, '', machine, '', ...run.lines, '']
  return [...lines.slice(0, from), ...section, ...lines.slice(to)].join('\n')
}

/** The index of the first heading behind a line; the number of lines where none follows. */
function nextHeading(lines: readonly string[], index: number, heading: RegExp): number {
  const next = lines.findIndex((line, at) => at > index && heading.test(line))
  return next < 0 ? lines.length : next
}

function machineLine(): string {
  const cores = cpus()
  const processor = cores[0]?.model.trim() ?? 'unknown processor'
  return `${cores.length} cores (${processor}), ${type()}, Node ${process.versions.node}.`
}
