/** A bench, and its run. Whatever it started has ended when the process does. */
import { runOf, writeRun } from './record.ts'

export type BenchSize = 'tiny' | 'full'

export interface BenchOptions {
  readonly size: BenchSize
  /** Ends the run when it is aborted; programs and files are removed all the same. */
  readonly signal: AbortSignal
  readonly report: (line: string) => void
  /** Where synthetic data is kept; in one place for all benches when absent. */
  readonly directory?: string
  readonly flags?: Readonly<Record<string, string>>
}

export interface Outcome {
  readonly lines: readonly string[]
  /** What should not be: then the process fails. */
  readonly problems?: readonly string[]
}

export interface Bench {
  readonly name: string
  /** The flags it knows beside `--full`, each with a text. */
  readonly flags?: readonly string[]
  readonly run: (options: BenchOptions) => Promise<Outcome>
}

export interface RunFlags {
  readonly full?: boolean | undefined
  /** Whether what is printed takes the place of the last run in the record. */
  readonly record?: boolean | undefined
}

export async function runBench(
  bench: Bench,
  { full, record }: RunFlags,
  flags: Readonly<Record<string, string>>,
): Promise<void> {
  const size = full ? 'full' : 'tiny'
  const recorded = record ? runOf(bench.name, new Date(), flags) : undefined
  const report = (line: string) => console.error(line)
  const { lines, problems = [] } = await untilInterrupted((signal) =>
    bench.run({ size, signal, report, flags }),
  )
  for (const line of lines) console.log(line)
  if (recorded !== undefined) writeRun({ ...recorded, lines: withoutLastBlanks(lines) })
  for (const problem of problems) report(problem)
  if (problems.length > 0) process.exitCode = 1
}

/**
 * The process exits when the work has failed after SIGINT or SIGTERM, so when it has cleaned up.
 */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => controller.abort(new Error('interrupted'))
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  try {
    return await work(controller.signal)
  } catch (error) {
    // After the signal, a failure is a consequence of the interruption.
    if (controller.signal.aborted) process.exit(130)
    throw error
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

function withoutLastBlanks(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}

/** A flag's whole number above 0; undefined where it was not given. @throws Error for another. */
export function numberOf({ flags }: BenchOptions, name: string): number | undefined {
  const text = flags?.[name]
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} takes a number, not '${text}'`)
  return Number(text)
}

export function sizesOf({ flags }: BenchOptions, plan: readonly number[]): readonly number[] {
  return sizesIn(flags?.sizes) ?? plan
}

export function sizesIn(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined
  const sizes = text.split(',').map(Number)
  if (sizes.every((size) => Number.isInteger(size) && size >= 0)) return sizes
  throw new Error(`sizes are numbers with commas, not '${text}'`)
}
