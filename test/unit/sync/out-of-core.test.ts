/** A sync whose connections are sorted on disk: its snapshot is that of the same sync in memory, to the last byte. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SyncOptions } from '../../../src/sync/sync.ts'
import { Random } from '../../support/random.ts'
import { type SourceLines, SyncedInProcess } from '../../support/synced-in-process.ts'

const kinds = ['follows', 'mentions', 'co_membership', 'coauthor', 'collaborates', undefined]
/** The last three are kept in 32 bits only after rounding, or weigh more than a pair may. */
const weights = [undefined, 1, 0.5, 2, 0.1, 1 / 3, 50]
const platforms = ['twitter', 'github']

/** A source in which people meet often: many pairs have several connections, some ends are nobody's. */
function source(seed: number): SourceLines {
  const random = new Random(seed, 1)
  const people = 2 + random.below(60)
  const authorities = Array.from({ length: people }, (_, index) => ({
    sdu: String(index + 1),
    name: `Person ${index + 1}`,
    topics: [`Topic ${random.below(4)}`, `Field ${random.below(3)}`],
    verified: random.below(20) > 0,
    ...(random.below(3) === 0 && { verified_by: 'passport' }),
    socials: { [platforms[index % 2]!]: { handle: `p${index}`, followers: random.below(5_000) } },
    ...(random.below(10) === 0 && { authority_score: random.below(100) }),
  }))
  const end = () => {
    const kind = random.below(12)
    if (kind === 0) return `${platforms[random.below(2)]}:p${random.below(people + 20)}`
    if (kind === 1) return String(people + 1 + random.below(2))
    return String(1 + random.below(people))
  }
  const isSingle = seed % 2 === 0
  const connections = Array.from({ length: random.below(1_500) }, () => ({
    from: end(),
    to: end(),
    weight: weights[random.below(isSingle ? 4 : weights.length)],
    kind: kinds[random.below(kinds.length)],
  }))
  return { authorities, connections: [...connections, '{"from":"1"', { from: 7, to: '2' }] }
}

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
