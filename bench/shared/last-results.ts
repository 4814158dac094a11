/**
 * The last full results in bench/README.md: each bench has a section there, `### NAME, DATE`, that
 * ends with the next heading. What is written takes the place of the section, and of those of the same bench
 * among the earlier results; all else stays.
 */
import { originOf, type Recorded } from './record.ts'

const title = '## Last full results'
const earlierTitle = '## Earlier results'

/**
 * The README with the section of a recorded run; one that is new comes last.
 * @throws Error when there is no place for results, or when a line of the run is a heading, which would end its section.
 */
export function withLastResults(readme: string, run: Recorded): string {
  const lines = readme.split('\n')
  const start = lines.indexOf(title)
  if (start < 0) throw new Error(`no '${title}' in the README of the benches`)
  const headings = run.lines.filter((line) => line.startsWith('#'))
  if (headings.length > 0) throw new Error(`${run.bench} prints headings: ${headings.join(', ')}`)
  const end = nextHeading(lines, start, /^## /)
  const own = lines.findIndex(
    (line, index) => index > start && index < end && line.startsWith(`### ${run.bench}, `),
  )
  const begin = own < 0 ? end : own
  const to = own < 0 ? end : nextHeading(lines, own, /^##/)
  const heading = `### ${run.bench}, ${run.startedAt.slice(0, 10)}`
  const from = `C${originOf(run).slice(1)}.`
  const section = [heading, '', from, '', ...run.lines, '']
  const written = [...lines.slice(0, begin), ...section, ...lines.slice(to)]
  return withoutEarlier(written, run.bench).join('\n')
}

/** The lines without the earlier results of a bench. */
function withoutEarlier(lines: readonly string[], bench: string): readonly string[] {
  const earlier = lines.indexOf(earlierTitle)
  const own = lines.findIndex((line, at) => at > earlier && line.startsWith(`### ${bench}, `))
  if (earlier < 0 || own < 0) return lines
  const without = [...lines.slice(0, own), ...lines.slice(nextHeading(lines, own, /^###? /))]
  return withoutEarlier(without, bench)
}

/** The index of the first heading behind a line; the number of lines where none follows. */
function nextHeading(lines: readonly string[], index: number, heading: RegExp): number {
  const next = lines.findIndex((line, at) => at > index && heading.test(line))
  return next < 0 ? lines.length : next
}

/** The benches that have a section among the last results, with all that stands there, in their order. */
export function lastResultsIn(readme: string): string[] {
  const lines = readme.split('\n')
  const start = lines.indexOf(title)
  const section = lines.slice(start + 1, nextHeading(lines, start, /^## /))
  return section.flatMap((line) => /^### (.+), \d{4}-\d{2}-\d{2}$/.exec(line)?.[1] ?? [])
}
