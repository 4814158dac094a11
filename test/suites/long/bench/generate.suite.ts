import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generate } from '../../../../bench/shared/data/source.ts'
import { openSource } from '../../../../src/source/uri.ts'
import { handleKey } from '../../../../src/text/handle.ts'
import { Random, Sampler, zipf } from '../../../support/random.ts'
import { connectionsOf, entriesOf, folderOf } from '../../../support/source-folder.ts'

function generated(options: { authorities: number; seed?: number; connectionsPer?: number }) {
  const directory = folderOf({})
  generate({ directory, ...options })
  return directory
}

/** The records of a generated source, none of which may be a reject. */
async function recordsOf(directory: string) {
  const source = await openSource(directory).read()
  const values = async <T>(entries: ReturnType<typeof entriesOf<T>>): Promise<T[]> =>
    (await entries).map((entry) => {
      if ('reason' in entry) throw new Error(`${entry.position} ${entry.reason}`)
      return entry.value
    })
  return {
    authorities: await values(entriesOf(source.authorities)),
    connections: (await connectionsOf(source.connections)).map((record) => record!),
    topics: await values(entriesOf(source.topics)),
  }
}

/** How often each value comes, the most frequent first. */
function frequencies(values: readonly string[]): [value: string, count: number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

describe('a generated source', () => {
  it('has the same bytes for the same seed, and others for another', async () => {
    const digest = (seed: number) => openSource(generated({ authorities: 200, seed })).fingerprint()
    const first = await digest(1)
    expect(await digest(1)).toBe(first)
    expect(await digest(2)).not.toBe(first)
  })

  it('holds what was asked for, without a record that is refused', async () => {
    const directory = generated({ authorities: 200, connectionsPer: 7 })
    const { authorities, connections, topics } = await recordsOf(directory)
    expect(authorities.length).toBe(200)
    expect(new Set(authorities.map(({ sdu }) => sdu)).size).toBe(200)
    expect(connections.length).toBe(1400)
    const labels = new Set(authorities.flatMap((each) => each.topics.map(({ topic }) => topic)))
    expect(labels.size).toBe(20)
    expect(topics.length).toBe(5)
    const names = [...labels, ...topics.flatMap(({ aliases }) => aliases)]
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
  })

  it('gives every handle on a platform one owner, and some bare handles two', async () => {
    const { authorities } = await recordsOf(generated({ authorities: 2000, connectionsPer: 0 }))
    const claims = authorities.flatMap(({ sdu, socials }) =>
      socials.map(({ platform, handle }) => ({ sdu, platform, key: handleKey(handle) })),
    )
    const onPlatform = claims.map(({ platform, key }) => `${platform}:${key}`)
    expect(new Set(onPlatform).size).toBe(claims.length)
    const owners = new Set(claims.map(({ sdu, key }) => `${key} ${sdu}`))
    const shared = owners.size - new Set(claims.map(({ key }) => key)).size
    expect(shared).toBeGreaterThan(5)
    expect(shared).toBeLessThan(60)
  })

  it('is distributed as real data is', async () => {
    const { authorities } = await recordsOf(generated({ authorities: 2000, connectionsPer: 0 }))
    const topics = frequencies(authorities.flatMap((each) => each.topics.map(({ topic }) => topic)))
    expect(topics.length).toBe(20)
    expect(topics[0]![1]).toBeGreaterThan(4 * topics.at(-1)![1])
    const bios = authorities.map(({ bio }) => bio.split(' '))
    expect(Math.min(...bios.map(({ length }) => length))).toBe(20)
    expect(Math.max(...bios.map(({ length }) => length))).toBe(40)
    expect(frequencies(bios.flat())[0]![1]).toBeGreaterThan(bios.flat().length / 25)
    for (const script of [
      'Latin',
      'Cyrillic',
      'Greek',
      'Arabic',
      'Hebrew',
      'Thai',
      'Han',
      'Hangul',
    ]) {
      const shape = new RegExp(`^\\p{Script=${script}}`, 'u')
      expect(authorities.filter(({ name }) => shape.test(name)).length, script).toBeGreaterThan(10)
    }
    const followers = authorities.flatMap((each) => each.socials.map((social) => social.followers))
    followers.sort((a, b) => a - b)
    const median = followers[followers.length >> 1]!
    expect(median).toBeGreaterThan(1600)
    expect(median).toBeLessThan(2400)
    expect(followers.at(-1)!).toBeGreaterThan(100 * median)
  })

  it('connects authorities and handles, a few of them very often', async () => {
    const { authorities, connections } = await recordsOf(generated({ authorities: 1000 }))
    expect(connections.length).toBe(20_000)
    const sdus = new Set(authorities.map(({ sdu }) => sdu))
    const owned = new Set(
      authorities.flatMap(({ socials }) =>
        socials.map(({ platform, handle }) => `${platform}:${handleKey(handle)}`),
      ),
    )
    const ends = connections.flatMap(({ from, to }) => [from, to])
    const handles = ends.filter((end) => end.includes(':'))
    const strangers = handles.filter((handle) => !owned.has(handle)).length
    expect(ends.every((end) => end.includes(':') || sdus.has(end))).toBe(true)
    expect(handles.length / ends.length).toBeCloseTo(0.03, 2)
    expect(strangers / handles.length).toBeCloseTo(1 / 3, 1)
    const degrees = frequencies(connections.map(({ to }) => to))
    expect(degrees[0]![1]).toBeGreaterThan(500)
    expect(degrees[500]![1]).toBeLessThan(30)
    expect(new Set(connections.map(({ kind }) => kind)).size).toBe(5)
    expect(connections.every(({ from, to }) => from !== to)).toBe(true)
  })
})

describe('randomness', () => {
  it('draws as often as the weights say', () => {
    const random = new Random(1, 1)
    const sampler = new Sampler([1, 0, 5, 2])
    const counts = [0, 0, 0, 0]
    for (let draw = 0; draw < 80_000; draw++) counts[sampler.draw(random)]! += 1
    expect(counts.map((count) => Math.round(count / 1000))).toEqual([10, 0, 50, 20])
  })

  it("draws ranks by Zipf's law", () => {
    const random = new Random(1, 2)
    const ranks = zipf(1000, 1)
    const counts = new Array<number>(1000).fill(0)
    for (let draw = 0; draw < 100_000; draw++) counts[ranks.draw(random)]! += 1
    expect(counts[0]! / counts[1]!).toBeCloseTo(2, 0)
    expect(counts[0]! / counts[9]!).toBeCloseTo(10, -1)
  })

  it('permutes without losing a number', () => {
    const order = new Random(3, 1).permutation(1000)
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, n) => n))
    expect([...order]).not.toEqual(Array.from({ length: 1000 }, (_, n) => n))
  })
})

describe('the command', () => {
  function run(...words: string[]) {
    return spawnSync(process.execPath, ['--import', 'tsx', 'bench/generate.ts', ...words], {
      encoding: 'utf8',
    })
  }

  it('writes the three files and says how far it is', () => {
    const directory = folderOf({})
    const out = join(directory, 'new')
    const { status, stderr } = run('--authorities', '30', '--out', out, '--connections-per', '2')
    expect(status).toBe(0)
    expect(stderr).toContain('writing authorities.ndjson: 100 %')
    for (const name of ['authorities', 'connections', 'topics']) {
      expect(existsSync(join(out, `${name}.ndjson`))).toBe(true)
    }
  })

  it('exits with 2 and one line when it is used wrongly', () => {
    const { status, stderr } = run('--authorities', 'many', '--out', folderOf({}))
    expect(status).toBe(2)
    expect(stderr).toMatch(/^usage: .*\n$/)
  })
})
