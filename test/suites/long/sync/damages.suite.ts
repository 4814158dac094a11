/** The default source, damaged in every way that was thought of: held back or not, and why. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../../src/problems.ts'
import { settings, settingValuesOf } from '../../../../src/settings.ts'
import { readPointer } from '../../../../src/snapshot/store/states.ts'
import { syncOnce } from '../../../../src/sync/sync.ts'
import { syncSettings } from '../../../../src/sync/sync-settings.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { copyDefaultSnapshot, defaultSnapshots } from '../../../support/program.ts'
import { damages, type Folder } from '../../../unit/sync/damages.ts'

const progress = { phase: () => {}, update: () => {}, note: () => {}, stop: () => {} }
const files = ['authorities', 'connections', 'topics'] as const

/** A copy of the default source that was damaged, as a folder. */
function damagedSource(apply: (folder: Folder) => void): string {
  const read = (name: string) =>
    readFileSync(join(defaultSnapshots, 'source', `${name}.ndjson`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  const folder: Folder = {
    authorities: read('authorities'),
    connections: read('connections'),
    topics: read('topics'),
  }
  apply(folder)
  const directory = temporaryDirectory()
  for (const name of files) {
    const lines = folder[name]?.map((line) =>
      typeof line === 'string' ? line : JSON.stringify(line),
    )
    if (lines !== undefined) writeFileSync(join(directory, `${name}.ndjson`), lines.join('\n'))
  }
  return directory
}

/** What a sync over the default snapshot says: `published`, or why not. */
async function outcomeOf(source: string, snapshots: string): Promise<string> {
  const options = {
    ...settingValuesOf(syncSettings, {}, {}),
    ...settings.gate.defaultValue,
    source,
    snapshots,
  }
  try {
    const { published } = await syncOnce({ ...options, clock: () => 1_000, progress })
    return published ? 'published' : 'unchanged'
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

describe('a sync of the default source after something happened to it', () => {
  it.each(damages)('$name', async ({ apply, held }) => {
    const snapshots = copyDefaultSnapshot(join(temporaryDirectory(), 'snapshots'))
    const before = readPointer(snapshots, 'CURRENT')
    const outcome = await outcomeOf(damagedSource(apply), snapshots)
    if (held === undefined) {
      expect(outcome).toBe('published')
      expect(readPointer(snapshots, 'CURRENT')).not.toBe(before)
    } else {
      expect(outcome).toMatch(held)
      expect(readPointer(snapshots, 'CURRENT')).toBe(before)
    }
  })
})

it('at least 30 kinds of damage are held back, and none is published without a reason', () => {
  expect(damages.filter(({ held }) => held !== undefined).length).toBeGreaterThanOrEqual(30)
  const without = damages.filter(
    ({ held, published }) => (held === undefined) === (published === undefined),
  )
  expect(without).toEqual([])
})
