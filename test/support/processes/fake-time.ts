/** The clock of the day of a process, set by the library of Debian's package faketime. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export function fakeTimeLibrary(): string | undefined {
  if (!existsSync('/usr/lib')) return undefined
  return readdirSync('/usr/lib')
    .map((name) => join('/usr/lib', name, 'faketime', 'libfaketimeMT.so.1'))
    .find(existsSync)
}

/**
 * The environment of a process whose clock of the day follows a file: its offset, `+25h`, noticed
 * within a second. What only counts on goes on, as it does when a clock is set.
 */
export function fakeTimeVariables(file: string): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: fakeTimeLibrary()!,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}
