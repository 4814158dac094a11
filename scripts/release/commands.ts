/**
 * Programs that a release runs, one after the other. What they print is kept and shown only when one fails, so that a
 * release prints a line for each of its steps.
 */
import { spawnSync } from 'node:child_process'

/** Where programs of a release run. */
interface Place {
  readonly directory: string
  readonly variables?: Readonly<Record<string, string>>
}

/** So many of the last lines of a program that failed are shown. */
const linesShown = 40

/**
 * Runs a program to its end.
 * @returns what it printed on stdout.
 * @throws Error with the last lines of its output where it fails.
 */
export function run(
  { directory, variables }: Place,
  program: string,
  words: readonly string[],
): string {
  const { status, signal, stdout, stderr, error } = spawnSync(program, words, {
    cwd: directory,
    env: { ...process.env, ...variables },
    encoding: 'utf8',
    maxBuffer: 256 * 2 ** 20,
  })
  if (status === 0) return stdout
  const shown = `${stdout ?? ''}${stderr ?? ''}`.trimEnd().split('\n').slice(-linesShown)
  const end = error?.message ?? `ended with ${status ?? signal}`
  throw new Error(`${[program, ...words].join(' ')}: ${end}\n${shown.join('\n')}`)
}

/** Which of some programs is not installed; undefined where all are. */
export function missingProgram(programs: readonly string[]): string | undefined {
  return programs.find((each) => {
    const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
    const words = ['-c', 'command -v "$1"', 'sh', each]
    return spawnSync('sh', words, { env: { ...process.env, PATH } }).status !== 0
  })
}
