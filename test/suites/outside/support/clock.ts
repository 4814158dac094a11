/** The clock of a process, by Debian's package faketime: it is wrong from the start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { fakeTimeLibrary, fakeTimeVariables } from '../../../support/processes/fake-time.ts'

/** Why no clock can be set here; undefined where one can. */
export function lackOfClocks(): string | undefined {
  const isThere = fakeTimeLibrary() !== undefined
  return isThere ? undefined : 'a wrong clock needs faketime (apt-get install libfaketime)'
}

/**
 * The environment of a process whose clock is off by so much: `+25h`, `-2d`. Time that only counts on, and timers, go
 * on as ever. What it needs on the disk goes with the test.
 */
export function wrongClock(offset: string): Readonly<Record<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'outside-clock-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'time')
  writeFileSync(file, `${offset}\n`)
  return fakeTimeVariables(file)
}
