/** The clock of a process, by Debian's package faketime: it goes wrong when a test says so. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { fakeTimeLibrary, fakeTimeVariables } from '../../../support/processes/fake-time.ts'

/** Why no clock can be set here; undefined where one can. */
export function lackOfClocks(): string | undefined {
  const isThere = fakeTimeLibrary() !== undefined
  return isThere ? undefined : 'a wrong clock needs faketime (apt-get install libfaketime)'
}

/** A clock for processes that are started with its variables; it goes with the test. */
export class Clock {
  /** What a process needs in its environment. Time that only counts on, and timers, go on as ever. */
  readonly variables: Readonly<Record<string, string>>
  readonly #file: string

  private constructor(file: string) {
    this.#file = file
    this.variables = fakeTimeVariables(file)
  }

  /** A clock that is right, or wrong from the start: `+25h`, `-2d`, `+30d`. */
  static make(offset = '+0'): Clock {
    const directory = mkdtempSync(join(tmpdir(), 'outside-clock-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const clock = new Clock(join(directory, 'time'))
    clock.set(offset)
    return clock
  }

  /** Its offset from the true time, noticed within a second. */
  set(offset: string): void {
    writeFileSync(`${this.#file}.new`, `${offset}\n`)
    renameSync(`${this.#file}.new`, this.#file)
  }
}

/** The variables of several, such as a clock and a disk: libraries to preload add up. */
export function together(
  ...all: readonly Readonly<Record<string, string>>[]
): Readonly<Record<string, string>> {
  const libraries = all.flatMap(({ LD_PRELOAD }) => LD_PRELOAD ?? [])
  return { ...Object.assign({}, ...all), LD_PRELOAD: libraries.join(':') }
}
