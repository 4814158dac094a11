import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { settings, settingValuesOf } from '../../../src/settings.ts'
import { checkLines, checkSettings, checkSource, requireTakable } from '../../../src/sync/check.ts'
import { folderOf } from '../../support/source-folder.ts'

const progress = { phase: () => {}, update: () => {}, note: () => {}, stop: () => {} }

async function checked(text: string, more: Record<string, unknown> = {}) {
  const snapshots = mkdtempSync(join(tmpdir(), 'check-'))
  onTestFinished(() => rmSync(snapshots, { recursive: true }))
  const source = folderOf({ 'authorities.csv': `sdu,name,topics,website,mood\n${text}` })
  const defaults = { ...settingValuesOf(checkSettings, {}, {}), ...settings.gate.defaultValue }
  const found = await checkSource({ ...defaults, ...more, source, snapshots, progress })
  expect(readdirSync(snapshots)).toEqual([])
  return found
}

/** So many rows, of which the first ones have a website that is none and the last ones no topics. */
function rows(count: number, badWebsites: number, topicless: number): string {
  const row = (index: number) => {
    const topics = index >= count - topicless ? '' : 'AI'
    return `${index + 1},Ann ${index},${topics},${index < badWebsites ? 'x y' : ''},good`
  }
  return Array.from({ length: count }, (_, index) => row(index)).join('\n')
}

describe('the check of a source', () => {
  it('groups what is wrong by field and reason, with three examples and the most frequent first', async () => {
    const found = await checked(rows(100, 40, 5))
    expect(found.counts.authorities).toEqual({
      records: 100,
      rejects: 5,
      dangling: 0,
      leftOutFields: 40,
    })
    const [websites, topics] = found.faults
    expect(websites).toMatchObject({ field: 'website', count: 40 })
    expect(websites?.examples).toEqual(
      [1, 2, 3].map((row) => ({ position: `authorities.csv row ${row}`, value: '"x y"' })),
    )
    expect(topics).toMatchObject({ field: 'topics', count: 5 })
  })

  it('says what a sync would say, and the settings with which it would go on', async () => {
    const found = await checked(rows(100, 0, 5))
    expect(found.refusal).toBe('5 of 100 records rejected')
    expect(found.proposal).toBe('--gate reject-share-max=0.05 --gate file-reject-share-max=0.05')
    expect(() => requireTakable(found)).toThrow('5 of 100 records rejected')
    const again = await checked(rows(100, 0, 5), { rejectShareMax: 0.05 })
    expect(again.refusal).toBeUndefined()
    requireTakable(again)
  })

  it('proposes a map where no column is a field that each record needs', async () => {
    const snapshots = join(tmpdir(), 'no-such-place')
    const source = folderOf({ 'authorities.csv': 'Email,Full Name,Skills\na@x.example,Ann,AI\n' })
    const found = await checkSource({
      ...{ ...settingValuesOf(checkSettings, {}, {}), ...settings.gate.defaultValue },
      ...{ source, snapshots, progress },
    })
    expect(checkLines(found)).toEqual([
      'authorities.csv: no field is read from Email, Full Name, Skills',
      'columns look like these fields; for a file that --map names:',
      'authorities:\n  sdu: { key: Email }\n  name: Full Name\n  topics: Skills',
      'a sync would be refused: authorities.csv has no column for sdu and name and topics',
    ])
    expect(() => requireTakable(found)).toThrow('no column for sdu and name and topics')
  })

  it('says that nobody is left', async () => {
    expect((await checked('')).refusal).toBe('no authority is left to index')
  })

  it('prints lines for a person', async () => {
    expect(checkLines(await checked(rows(100, 1, 1)))).toEqual([
      'authorities: 100 read, 1 rejected, 1 fields left out',
      '1 × website: must be an http or https address',
      '    authorities.csv row 1: "x y"',
      expect.stringMatching(/^1 × topics: /),
      expect.stringMatching(/^ {4}authorities.csv row 100: /),
      'authorities.csv: no field is read from mood',
      'a sync would take this and go on to its gates',
    ])
    expect(existsSync('rejects.ndjson')).toBe(false)
  })
})
