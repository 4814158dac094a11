/**
 * Pocket files as they are exported: the service and both readers answer the same questions alike. Without
 * python3 its reader is not tried, and the test says so.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { operate } from '../../../support/operated.ts'
import { defaultSnapshots, run } from '../../../support/program.ts'
import { sourceRecords } from '../../net/builds.ts'

const root = join(import.meta.dirname, '../../../..')
const hasPython = spawnSync('python3', ['--version']).status === 0
const { openPocket }: typeof import('../../../../src/library/pocket-reader.ts') = await import(
  join(root, 'dist', 'pocket-reader.js')
)

interface Said {
  readonly score: number
  readonly topic: string
  readonly rank: number
}

/** Handles of the default records in the spellings that a pocket file reads, and some that nobody has. */
function questions(): string[] {
  const all = sourceRecords({ name: 'after', root }, 'authorities').flatMap((person) => [
    ...Object.entries(person.socials as Record<string, { handle: string }>).map(
      ([platform, { handle }]) => [platform, handle] as const,
    ),
    ...Object.entries((person.identifiers ?? {}) as Record<string, string>),
  ])
  const spelled = all.map(([platform, handle], index) => {
    const plain = handle.replace(/^@/, '')
    const spellings = [
      handle,
      `@${plain}`,
      `${platform}:${handle}`,
      ` ${plain.toUpperCase()}\u200b`,
      `${platform.toUpperCase()}: ${plain}`,
      `instagram:${plain}`,
    ]
    if (platform === 'twitter') spellings.push(`https://x.com/${plain}?s=20`, `x:${plain}`)
    if (platform === 'github') spellings.push(`www.github.com/${plain}/repository#readme`)
    if (platform === 'youtube') spellings.push(`https://m.youtube.com/@${plain}/videos`)
    if (platform === 'instagram') spellings.push(`//instagram.com/${plain}/`)
    return spellings[index % spellings.length]!
  })
  const nobody = [
    'nobody-at-all',
    '@',
    'x:nobody',
    'https://github.com/orgs/rust',
    'a.b/c',
    'ＳｅｎＣａｐｉｔｏ',
  ]
  return [...spelled, ...nobody, '0000-0002-1825-0097', 'orcid:0000000218250097', 'acct:a@b.social']
}

async function exported(): Promise<string> {
  const file = join(temporaryDirectory(), 'authorities.pocket')
  const words = ['snapshot', 'export', '--snapshots', defaultSnapshots, '--pocket', file]
  const { exitCode, stderr } = await run(words)
  expect([exitCode, stderr]).toEqual([0, ''])
  return file
}

/** What the service says of handles; null where nobody owns one. */
async function saidByService(handles: readonly string[]): Promise<(Said | null)[]> {
  const service = await operate(defaultSnapshots)
  const said: (Said | null)[] = []
  const headers = { ...service.headers, 'content-type': 'application/json' }
  for (let from = 0; from < handles.length; from += 1_000) {
    const fields = ['authority_score', 'topic', 'rank']
    const asked = { handles: handles.slice(from, from + 1_000), aligned: true, fields }
    const request = { method: 'POST', headers, body: JSON.stringify(asked) }
    const response = await fetch(`${service.address}/api/v1/match`, request)
    const { results } = (await response.json()) as { results: Record<string, unknown>[] }
    for (const item of results) {
      said.push(
        item && ({ score: item.authority_score, topic: item.topic, rank: item.rank } as Said),
      )
    }
  }
  return said
}

function saidByPython(file: string, handles: readonly string[], before = ''): (Said | null)[] {
  const asked = join(temporaryDirectory(), 'handles.json')
  writeFileSync(asked, JSON.stringify(handles))
  const program = `
import json, math, sys
${before}
sys.path.insert(0, ${JSON.stringify(join(root, 'clients', 'python'))})
from authority_index_pocket import Pocket
with Pocket(${JSON.stringify(file)}) as pocket:
    assert pocket.is_whole()
    handles = json.load(open(${JSON.stringify(asked)}))
    found = [pocket.lookup(handle) for handle in handles]
    for one, score in zip(found, pocket.scores(handles)):
        assert score == one["score"] if one else math.isnan(score)
print(json.dumps(found))`
  return JSON.parse(execFileSync('python3', ['-B', '-c', program], { encoding: 'utf8' }))
}

describe('a pocket file', () => {
  it('answers as the service does, by both readers', async () => {
    const handles = questions()
    const [file, expected] = [await exported(), await saidByService(handles)]
    expect(expected.filter((said) => said !== null).length).toBeGreaterThan(1_500)
    expect(expected.filter((said) => said === null).length).toBeGreaterThan(100)
    const pocket = openPocket(file)
    expect(handles.map((handle) => pocket.lookup(handle) ?? null)).toEqual(expected)
    const scores = expected.map((said) => said?.score ?? Number.NaN)
    expect([...pocket.scores(handles)]).toEqual(scores)
    if (!hasPython) return console.warn('python3 is missing: its reader was not tried')
    expect(saidByPython(file, handles)).toEqual(expected)
    expect(saidByPython(file, handles, "sys.modules['numpy'] = None")).toEqual(expected)
  })

  it('knows when a byte is another, and refuses what is none', async () => {
    const file = await exported()
    const bytes = readFileSync(file)
    expect(openPocket(file).isWhole()).toBe(true)
    bytes[bytes.length - 9]! ^= 1
    writeFileSync(file, bytes)
    expect(openPocket(file).isWhole()).toBe(false)
    writeFileSync(file, bytes.subarray(0, -8))
    expect(() => openPocket(file)).toThrow('the pocket file is cut or too long')
    bytes[8] = 2
    writeFileSync(file, bytes)
    expect(() => openPocket(file)).toThrow('version 2')
  })

  it('takes at most 26 bytes a handle beside its head', async () => {
    const bytes = readFileSync(await exported())
    const [head, entries] = [bytes.readUInt32LE(12), bytes.readUInt32LE(16)]
    expect(entries).toBeGreaterThan(2_000)
    expect((bytes.length - 32 - head!) / entries!).toBeLessThanOrEqual(26)
  })
})
