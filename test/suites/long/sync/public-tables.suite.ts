/**
 * Tables as well-known places publish them, with rows made up: each is synced with two commands, by the map that the
 * first one proposes where it proposes a whole one, as CSV and as Parquet.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { run } from '../../../support/program.ts'

interface PublicTable {
  readonly header: string
  readonly rows: readonly string[]
  /** Lines of the map that a person writes under those that are proposed. */
  readonly more: readonly string[]
  /** Rows whose person is rejected. */
  readonly rejected: number
  readonly asked: string
  readonly answer: object
}

const tables: Readonly<Record<string, PublicTable>> = {
  'the answer of a query of Wikidata': {
    header: 'item,itemLabel,itemDescription,countryLabel,occupations,twitter,orcid,website',
    rows: [
      'http://www.wikidata.org/entity/Q900001,Ada Quill,British beekeeper,United Kingdom,beekeeper|writer,adaquill,0000-0002-1825-0097,https://ada.example/',
      'http://www.wikidata.org/entity/Q900002,"Őz, Béla",,Magyarország,chemist,,,',
      'http://www.wikidata.org/entity/Q900003,Q900003,,,painter,,0000-0000-0000-0000,béla.example',
    ],
    more: [],
    rejected: 0,
    asked: '/api/v1/match?handles=@adaquill',
    answer: { name: 'Ada Quill', country_name: 'United Kingdom', topic: 'beekeeper' },
  },
  'users of GitHub': {
    header:
      'login,id,node_id,avatar_url,html_url,type,name,company,blog,location,email,bio,twitter_username,public_repos,followers,following,created_at,updated_at',
    rows: [
      'mkorn,900001,MDQ6=,https://avatars.example/1,https://github.com/mkorn,User,Mia Korn,@bees,mia.example,"Berlin, Germany",,"Compilers,\nand ""bees""",miakorn,12,"1,204",3,2011-01-25T18:44:36Z,2026-01-02T03:04:05Z',
      'zed,900002,MDQ7=,,https://github.com/zed,User,,,,,,,,0,0,0,2012-01-01T00:00:00Z,2026-01-02T03:04:05Z',
    ],
    more: [
      '  topics: { value: Software }',
      '  name: login',
      '  socials.github: login',
      '  socials.github.followers: followers',
      '  attributes.company: company',
    ],
    rejected: 0,
    asked: '/api/v1/detail?sdus={first}&fields=name,socials,website',
    answer: {
      name: 'mkorn',
      website: 'https://mia.example',
      socials: { github: { handle: 'mkorn', followers: 1204 }, twitter: { handle: 'miakorn' } },
    },
  },
  'a list of accounts of Kaggle': {
    header:
      'rank,channel_info,influence_score,posts,followers,avg_likes,60_day_eng_rate,new_post_avg_like,total_likes,country',
    rows: [
      '1,bella.bee,92,3.3k,475.8m,8.7m,1.39%,6.5m,29.0b,Spain',
      '2,mo_moth,91,6.9k,1.2k,8.3m,1.62%,5.9m,57.4b,',
      '3,n.a.m,90,0.89k,,6.8m,1.24%,4.4m,6.0b,united states',
    ],
    more: [
      '  sdu: { key: channel_info }',
      '  name: channel_info',
      '  topics: { value: Instagram }',
      '  socials.instagram: channel_info',
      '  socials.instagram.followers: followers',
    ],
    rejected: 0,
    asked: '/api/v1/match?handles=instagram:bella.bee&fields=name,country_name,topic,rank',
    answer: { name: 'bella.bee', country_name: 'Spain', topic: 'Instagram', rank: 1 },
  },
}

/** The cells of a row: none of the rows above has a quote that is not at the edge of a cell or doubled. */
function cellsOf(row: string): string[] {
  return [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  )
}

function parquetOf({ header, rows }: PublicTable): Buffer {
  const cells = rows.map(cellsOf)
  const columnData = header.split(',').map((name, column) => ({
    name,
    data: cells.map((row) => row[column]!),
    type: 'STRING' as const,
  }))
  return Buffer.from(parquetWriteBuffer({ columnData }))
}

const forms = ['csv', 'parquet'] as const

describe.each(Object.entries(tables))('%s', (_, table) => {
  it.each(forms)('is synced with two commands as %s', async (form) => {
    const directory = temporaryDirectory()
    const [file, map] = [join(directory, `people.${form}`), join(directory, 'map.yaml')]
    const csv = [table.header, ...table.rows].join('\n')
    writeFileSync(file, form === 'csv' ? csv : parquetOf(table))
    const words = ['--source', file, '--snapshots', join(directory, 'snapshots')]

    const looked = await run(['sync', '--check', '--json', ...words])
    const proposed: string = JSON.parse(looked.stdout).proposedMap
    expect(proposed).toMatch(/^authorities:\n/)
    writeFileSync(map, mapOf(proposed, table.more))

    const limits = [
      '--map',
      map,
      '--gate',
      'reject-share-max=0.4',
      '--gate',
      'file-reject-share-max=0.4',
    ]
    const checked = await run(['sync', '--check', ...words, ...limits])
    const counted = `authorities: ${table.rows.length} read, ${table.rejected} rejected`
    expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(counted) })
    const synced = await run(['sync', '--json', ...words, ...limits])
    expect(synced.exitCode, synced.stderr).toBe(0)
    expect(JSON.parse(synced.stdout)).toMatchObject({ published: true, rejects: table.rejected })

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
