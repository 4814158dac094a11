/** A sync whose connections are sorted on disk: its snapshot is that of the same sync in memory, to the last byte. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SyncOptions } from '../../../src/sync/sync.ts'
import { connectedSource as source } from '../../support/connected-source.ts'
import { type SourceLines, SyncedInProcess } from '../../support/synced-in-process.ts'

const loose = {
  ...{ rejectShareMax: 1, fileRejectShareMax: 1, danglingShareMax: 1 },
  ...{ createdAt: '2026-01-01T00:00:00Z', force: true, keep: 1 },
} satisfies Partial<SyncOptions>

const outOfCore = { engine: 'duckdb', engineMemory: 256 << 20 } as const

async function synced(files: SourceLines, more: Partial<SyncOptions>) {
  const place = new SyncedInProcess()
  const result = await place.sync(files, { ...loose, ...more })
  if (result.refusal !== undefined) throw new Error(result.refusal)
  const rejects = readFileSync(join(place.snapshots, 'rejects.ndjson'), 'utf8')
  return { bytes: readFileSync(result.path), rejects, notes: result.notes }
}

describe('a sync with --engine duckdb', () => {
  it.each([
    ['as usual', {}],
    ['with vetted people', { vetted: ['passport'] }],
    ['of a register', { vetted: ['passport'], trust: ['connections', 'weights'] }],
    ['with a bound on sources, whose connections stay in memory', { sourceShareMax: 0.5 }],
  ] satisfies [string, Partial<SyncOptions>][])(
    'makes the same bytes and rejects %s',
    async (_, more) => {
      for (let seed = 1; seed <= 3; seed += 1) {
        const files = source(seed)
        const plain = await synced(files, more)
        const sorted = await synced(files, { ...more, ...outOfCore })
        expect(sorted.bytes.equals(plain.bytes), `seed ${seed}`).toBe(true)
        expect(sorted.rejects).toBe(plain.rejects)
      }
    },
  )

  it('makes the same bytes of people without connections', async () => {
    const files = { authorities: source(1).authorities! }
    const place = new SyncedInProcess()
    const plain = await place.sync(files, loose)
    const sorted = await place.sync(files, { ...loose, ...outOfCore })
    expect(sorted).toMatchObject({ id: (plain as { id: string }).id })
  })

  it('leaves nothing beside the snapshots, also where the engine has a place of its own', async () => {
    const place = new SyncedInProcess()
    const engineTemp = join(place.source, 'elsewhere')
    await place.sync(source(2), { ...loose, ...outOfCore })
    const names = readdirSync(place.snapshots)
    await place.sync({}, { ...loose, ...outOfCore, engineTemp })
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(readdirSync(engineTemp)).toEqual([])
  })

  it('removes what a killed sync has left, with or without an engine', async () => {
    const place = new SyncedInProcess()
    const left = join(place.snapshots, 'engine.tmp')
    for (const engine of ['memory', 'duckdb'] as const) {
      mkdirSync(join(left, 'spilled'), { recursive: true })
      writeFileSync(join(left, 'scratch.duckdb'), 'of another process')
      await place.sync(source(3), { ...loose, engine })
      expect(existsSync(left)).toBe(false)
    }
  })

  it('refuses a place that cannot be used, and the snapshot before stays', async () => {
    const place = new SyncedInProcess()
    const before = (await place.sync(source(4), loose)) as { id: string }
    writeFileSync(join(place.source, 'file'), '')
    const engineTemp = join(place.source, 'file')
    const after = await place.sync(source(5), { ...loose, ...outOfCore, engineTemp })
    expect(after.refusal).toContain(`${engineTemp}/authority-index-`)
    expect(readFileSync(join(place.snapshots, 'CURRENT'), 'utf8')).toContain(before.id)
  })
})
