/** Cells as members of records: lists as text, words for nothing, times; and maps that say what a cell cannot. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BasicType, parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { openSource } from '../../../../src/source/uri.ts'
import { entriesOf, folderOf } from '../../../support/source-folder.ts'
import { tableAt } from '../../../support/table-sections.ts'

const rowsOf = tableAt(new URL('cell-values.tsv', import.meta.url))

async function readFrom(files: Record<string, string | Uint8Array>, map?: string) {
  const folder = folderOf(files)
  if (map !== undefined) writeFileSync(join(folder, 'map.yaml'), map)
  const reading = await openSource(folder, map && join(folder, 'map.yaml')).read()
  return entriesOf(reading.authorities)
}

/** A table of one person with this cell in a column, parted by tabs. */
async function cellOf(column: string, cell: string, map?: string) {
  const name = column === 'name' ? '' : 'name\t'
  const person = column === 'name' ? '' : 'Ann\t'
  const topics = column === 'topics' ? '' : '\tAI'
  const header = `sdu\t${name}${column}${topics === '' ? '' : '\ttopics'}`
  const quoted = /["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  const [entry] = await readFrom(
    { 'authorities.tsv': `${header}\n1\t${person}${quoted}${topics}\n` },
    map,
  )
  return entry!
}

describe('a list that is written as a text', () => {
  it.each(rowsOf('lists'))('%s is a list in every form', async (text, expected) => {
    const topics = JSON.parse(expected)
    const labels = (entry: Awaited<ReturnType<typeof cellOf>>) =>
      entry.value?.topics.map(({ topic }) => topic)
    expect(labels(await cellOf('topics', text))).toEqual(topics)
    const line = JSON.stringify({ sdu: '1', name: 'Ann', topics: text })
    const column = (name: string, value: string) => ({
      name,
      data: [value],
      type: 'STRING' as BasicType,
    })
    const columnData = [column('sdu', '1'), column('name', 'Ann'), column('topics', text)]
    const forms = [
      { 'authorities.ndjson': line },
      { 'authorities.parquet': Buffer.from(parquetWriteBuffer({ columnData })) },
    ]
    for (const form of forms) expect(labels((await readFrom(form))[0]!)).toEqual(topics)
  })

  it.each(['AI, Robotics', 'AI，Robotics', "[{'topic': 'AI'}]"])(
    '%s is reported with the column and the option',
    async (text) => {
      const map = 'authorities: { topics: Fields }'
      const [entry] = await readFrom(
        { 'authorities.tsv': `sdu\tname\tFields\n1\tAnn\t${text}\n` },
        map,
      )
      expect(entry).toMatchObject({
        value: undefined,
        field: 'topics',
        position: 'authorities.tsv row 1',
      })
      expect((entry as { reason: string }).reason).toContain(
        '`topics: { column: Fields, separator: "," }`',
      )
    },
  )

  it('is read with the separator of the map, and may be other names and attributes', async () => {
    const parted = await cellOf(
      'topics',
      'AI, Robotics',
      'authorities: { topics: { column: topics, separator: "," } }',
    )
    expect(parted.value?.topics.map(({ topic }) => topic)).toEqual(['AI', 'Robotics'])
    expect((await cellOf('also_known_as', "['Lee, Ann', 'A. Lee']")).value?.alsoKnownAs).toEqual([
      'Lee, Ann',
      'A. Lee',
    ])
    expect((await cellOf('also_known_as', 'Lee, Ann')).value?.alsoKnownAs).toEqual(['Lee, Ann'])
    expect(
      (await cellOf('attributes.party', '{Left,Right}')).value?.attributes.map(
        ({ value }) => value,
      ),
    ).toEqual(['Left', 'Right'])
  })
})

describe('a word for nothing', () => {
  const words = [
    ...['None', 'nan', 'NaN', '<NA>', 'NaT', 'NULL', 'null', 'NA', '\\N', 'N/A', '#N/A', '-nan'],
    ...['(null)', 'undefined', 'n/a', '-', '—', '...', '?'],
  ]

  it.each(words)(
    '%s says nothing in every field of every form, and stays in a name',
    async (word) => {
      const silent = {
        ...{ bio: '', socials: [], website: null, identifiers: [], attributes: [] },
        ...{ alsoKnownAs: [], updatedAt: null, licence: null, verified: true },
        authorityScore: undefined,
      }
      const plain = ['bio', 'website', 'also_known_as', 'updated_at', 'authority_score', 'licence']
      const fields = [...plain, 'verified', 'socials.x', 'identifiers.orcid', 'attributes.party']
      const csv = `sdu,name,topics,${fields.join()}\n1,Ann,AI,${fields.map(() => word).join()}\n`
      const members = { x: { handle: word }, github: word }
      const line = {
        ...{ sdu: '1', name: 'Ann', topics: ['AI', word], verified: word, socials: members },
        ...Object.fromEntries(plain.map((name) => [name, word])),
        identifiers: { orcid: word },
        attributes: { party: word, chamber: [word] },
      }
      for (const files of [
        { 'authorities.csv': csv },
        { 'authorities.ndjson': JSON.stringify(line) },
      ]) {
        const [entry] = await readFrom(files)
        expect(entry).not.toHaveProperty('complaints')
        expect(entry?.value).toMatchObject({ topics: [{ topic: 'AI' }], ...silent })
      }
      if (/^\w+$/.test(word)) expect((await cellOf('name', word)).value?.name).toBe(word)
      expect((await cellOf('country_name', word)).value?.countryName).toBe(
        word === 'NA' ? 'Namibia' : '',
      )
      expect((await cellOf('topics', word)).value).toBeUndefined()
    },
  )

  it('is also what a map says, and a number that is none', async () => {
    const map = 'authorities: { country_name: { column: country_name, missing: NA } }'
    expect((await cellOf('country_name', 'NA', map)).value?.countryName).toBe('')
    const text =
      '{"sdu":"1","name":"NaN","topics":["AI"],"authority_score":NaN,"bio":"a NaN","socials":{"x":{"handle":"ann","followers":-Infinity}}}'
    const [ann] = await readFrom({ 'authorities.ndjson': text })
    expect(ann?.value).toMatchObject({
      name: 'NaN',
      bio: 'a NaN',
      authorityScore: undefined,
      socials: [{ followers: 0 }],
    })
  })

  it('is a column of floating-point numbers without a number', async () => {
    const numbers = (name: string) => ({
      name,
      data: [Number.NaN, Number.NaN],
      type: 'DOUBLE' as BasicType,
    })
    const texts = (name: string, data: string[]) => ({ name, data, type: 'STRING' as BasicType })
    const fields = ['bio', 'website', 'authority_score', 'socials.x', 'country_name', 'updated_at']
    const columnData = [
      ...[texts('sdu', ['1', '2']), texts('name', ['Ann', 'Bob']), texts('topics', ['AI', 'AI'])],
      ...fields.map(numbers),
    ]
    const entries = await readFrom({
      'authorities.parquet': Buffer.from(parquetWriteBuffer({ columnData })),
    })
    for (const entry of entries) {
      expect(entry).not.toHaveProperty('complaints')
      expect(entry.value).toMatchObject({
        bio: '',
        website: null,
        socials: [],
        countryName: '',
        updatedAt: null,
      })
    }
  })
})

describe('a time', () => {
  it.each(rowsOf('times'))('%s is read as %s', async (written, read) => {
    expect((await cellOf('updated_at', written)).value?.updatedAt).toBe(read)
  })

  it.each([
    ['dmy', '1/2/2024 3:04', '2024-02-01T03:04:00Z'],
    ['mdy', '1/2/2024', '2024-01-02'],
    ['excel', '45293', '2024-01-02'],
    ['excel', '45293.5', '2024-01-02T12:00:00.000Z'],
  ])('is read by the map in the order %s: %s', async (dates, written, read) => {
    const without = await cellOf('updated_at', written)
    expect(without.value?.updatedAt).toBeNull()
    expect('complaints' in without && without.complaints?.[0]?.reason).toMatch(
      /--map `dates: |`dates: excel` in --map/,
    )
    const map = `authorities: { updated_at: { column: updated_at, dates: ${dates} } }`
    expect((await cellOf('updated_at', written, map)).value?.updatedAt).toBe(read)
  })
})

describe('a file whose name is of no form', () => {
  it.each(rowsOf('files of no form'))(
    '%s is refused with what it looks like',
    async (name, content, what) => {
      const folder = folderOf({ [name]: Buffer.from(content, 'latin1') })
      await expect(openSource(join(folder, name)).read()).rejects.toThrow(`looks like ${what}`)
    },
  )

  it.each(['people.tsv', 'people.tab', 'people.txt', 'PEOPLE.TSV'])(
    '%s is a table',
    async (name) => {
      const folder = folderOf({ [name]: 'sdu\tname\ttopics\n1\tAnn\tAI\n' })
      const { authorities } = await openSource(join(folder, name)).read()
      expect((await entriesOf(authorities)).map(({ value }) => value?.name)).toEqual(['Ann'])
    },
  )
})
