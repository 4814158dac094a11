/**
 * Tables as well-known places publish them, with rows made up: each is synced with two commands, by the map that the
 * first one proposes where it proposes a whole one, as CSV and as Parquet.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { run } from '../../../support/program.ts'

interface PublicTable {
  readonly file: string
  /** Lines of the map that a person writes under those that are proposed. */
  readonly more: readonly string[]
  readonly asked: string
  readonly answer: object
}

const tables: Readonly<Record<string, PublicTable>> = {
  'the answer of a query of Wikidata': {
    file: 'wikidata.csv',
    more: [],
    asked: '/api/v1/match?handles=@adaquill',
    answer: { name: 'Ada Quill', country_name: 'United Kingdom', topic: 'beekeeper' },
  },
  'users of GitHub': {
    file: 'github.csv',
    more: [
      '  topics: { value: Software }',
      '  name: login',
      '  socials.github: login',
      '  socials.github.followers: followers',
      '  attributes.company: company',
    ],
    asked: '/api/v1/detail?sdus={first}&fields=name,socials,website',
    answer: {
      name: 'mkorn',
      website: 'https://mia.example',
      socials: { github: { handle: 'mkorn', followers: 1204 }, twitter: { handle: 'miakorn' } },
    },
  },
  'a list of accounts of Kaggle': {
    file: 'kaggle.csv',
    more: [
      '  sdu: { key: channel_info }',
      '  name: channel_info',
      '  topics: { value: Instagram }',
      '  socials.instagram: channel_info',
      '  socials.instagram.followers: followers',
    ],
    asked: '/api/v1/match?handles=instagram:bella.bee&fields=name,country_name,topic,rank',
    answer: { name: 'bella.bee', country_name: 'Spain', topic: 'Instagram', rank: 1 },
  },
}

function parquetOf([header = [], ...rows]: readonly string[][]): Buffer {
  const columnData = header.map((name, column) => ({
    ...{ name, data: rows.map((row) => row[column]!), type: 'STRING' as const },
  }))
  return Buffer.from(parquetWriteBuffer({ columnData }))
}

const forms = ['csv', 'parquet'] as const

describe.each(Object.entries(tables))('%s', (_, table) => {
  it.each(forms)('is synced with two commands as %s', async (form) => {
    const directory = temporaryDirectory()
    const [file, map] = [join(directory, `people.${form}`), join(directory, 'map.yaml')]
    const csv = readFileSync(join(import.meta.dirname, 'public-tables', table.file), 'utf8')
    const rows: string[][] = parse(csv)
    writeFileSync(file, form === 'csv' ? csv : parquetOf(rows))
    const words = ['--source', file, '--snapshots', join(directory, 'snapshots')]

    const looked = await run(['sync', '--check', '--json', ...words])
    const proposed: string = JSON.parse(looked.stdout).proposedMap
    expect(proposed).toMatch(/^authorities:\n/)
    writeFileSync(map, mapOf(proposed, table.more))

    const mapped = [...words, '--map', map]
    const checked = await run(['sync', '--check', ...mapped])
    const counted = `authorities: ${rows.length - 1} read, 0 rejected`
    expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(counted) })
    const synced = await run(['sync', '--json', ...mapped])
    expect(synced.exitCode, synced.stderr).toBe(0)
    expect(JSON.parse(synced.stdout)).toMatchObject({ published: true, rejects: 0 })

    const path = table.asked.replace('{first}', await firstSdu(words.slice(2)))
    const { stdout } = await run(['get', path, ...words.slice(2)])
    expect(JSON.parse(stdout).results).toMatchObject([table.answer])
  })
})

async function firstSdu(snapshots: readonly string[]): Promise<string> {
  const { stdout } = await run(['get', '/api/v1/index?query=Software', ...snapshots])
  return JSON.parse(stdout).results[0]?.sdu ?? ''
}

/** What is proposed, with the lines of a person in the place of those for the same fields. */
function mapOf(proposed: string, more: readonly string[]): string {
  const fieldIn = (line: string) => line.trim().replace(/:.*/, '')
  const replaced = new Set(more.map(fieldIn))
  const kept = proposed.split('\n').filter((line) => line !== '' && !replaced.has(fieldIn(line)))
  return `${[...kept, ...more].join('\n')}\n`
}
