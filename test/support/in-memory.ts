/**
 * Temporary files of a run of tests lie in memory, where there is room: hundreds of ledgers and snapshots would wait for
 * the disk. A TMPDIR that is set stays. Nothing is left when the run is over.
 */
import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const freeBytesMin = 8 * 2 ** 30

export default function useMemory(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  const place = mkdtempSync(join(memory, 'tests-'))
  // As /tmp: programs of other users write there, too.
  chmodSync(place, 0o1777)
  // Of an interrupted run, too, which no teardown follows.
  process.once('exit', () => rmSync(place, { recursive: true, force: true, maxRetries: 3 }))
  if (runsPrograms(place)) process.env.TMPDIR = place
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= freeBytesMin
  } catch {
    // Not on this system, or not for this user: the disk does as well.
    return false
  }
}

/** Some tests write a program and run it, which a mount may forbid. */
function runsPrograms(place: string): boolean {
  const program = join(place, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  return spawnSync(program).status === 0
}
