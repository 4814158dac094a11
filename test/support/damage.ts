/** Files of snapshots that are damaged on purpose, and what reading them is refused with. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Refusal } from '../../src/problems.ts'
import { readSnapshot, type Snapshot, writeSnapshot } from '../../src/snapshot/file.ts'
import { temporaryDirectory } from './built.ts'
import { fixtureSnapshot } from './snapshot-fixture.ts'

export function written(snapshot: Snapshot = fixtureSnapshot()): string {
  const path = join(temporaryDirectory(), 'some.msgpack')
  writeSnapshot(path, snapshot)
  return path
}

export function refusalOf(path: string): string | undefined {
  try {
    readSnapshot(path)
    return undefined
  } catch (error) {
    if (error instanceof Refusal && error.code === 'snapshot-refused') return error.message
    throw error
  }
}

export function opened(path: string): number {
  const file = openSync(path, 'r+')
  onTestFinished(() => closeSync(file))
  return file
}

/** Whether the file is refused, by its name, while one of its bits is another. */
export function isFlipRefused(path: string, file: number, position: number, bit: number): boolean {
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, position)
  writeSync(file, Buffer.of(byte[0]! ^ (1 << bit)), 0, 1, position)
  const refusal = refusalOf(path)
  writeSync(file, byte, 0, 1, position)
  return refusal?.startsWith(`${path}: `) === true
}
