/** Tables as sources: the same records as lines of JSON, and clear words for whatever does not fit. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type BasicType, type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { openSource } from '../../../../src/source/uri.ts'
import { connectionsOf, entriesOf, folderOf } from '../../../support/source-folder.ts'
import { tableAt } from '../../../support/table-sections.ts'

const rowsOf = tableAt(new URL('tables.tsv', import.meta.url))

const header = 'sdu,name,bio,Country Name,topics,socials.github,socials.github.followers,website'
const ann = '007,"Ann ""A."" Lee",,France,Rust;Go,@ann,"1,234",https://ann.example/'
const bob = '8,Bob,"Writes, a lot.\nReads.",,AI,,9,'
const records = [
  {
    sdu: '007',
    name: 'Ann "A." Lee',
    country_name: 'France',
    topics: ['Rust', 'Go'],
    socials: { github: { handle: '@ann', followers: 1234 } },
    website: 'https://ann.example/',
  },
  { sdu: '8', name: 'Bob', bio: 'Writes, a lot.\nReads.', topics: ['AI'], socials: {} },
]
const lines = records.map((record) => JSON.stringify(record)).join('\n')

async function authoritiesOf(path: string, map?: string) {
  const reading = await openSource(path, map).read()
  return entriesOf(reading.authorities)
}

/** What is left of the records is read by the same schema whatever form they lie in. */
async function valuesOf(path: string, map?: string) {
  return (await authoritiesOf(path, map)).map(({ value }) => value)
}

function csvOf(rows: readonly string[], more: Record<string, string | Buffer> = {}): string {
  return folderOf({ 'authorities.csv': [header, ...rows].join('\n'), ...more })
}

function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no refusal',
    (error: Error) => error.message,
  )
}

const people = [
  { name: 'sdu', data: ['1', '2', '3'], type: 'STRING' as BasicType },
  { name: 'name', data: ['Ann', 'Bob', 'Cat'], type: 'STRING' as BasicType },
  { name: 'topics', data: [['Rust', 'Go'], ['AI'], ['AI']], type: 'JSON' as BasicType },
  { name: 'authority_score', data: [1.5, 2, null], type: 'DOUBLE' as BasicType, nullable: true },
  { name: 'verified', data: [true, true, true], type: 'BOOLEAN' as BasicType },
  {
    name: 'updated_at',
    data: [new Date('2026-01-02'), new Date('2026-01-02T03:04:05Z'), new Date('2026-01-03')],
    type: 'TIMESTAMP' as BasicType,
  },
]

function parquetOf(columns: readonly ColumnSource[] = people, rowGroupSize = 2): Buffer {
  return Buffer.from(parquetWriteBuffer({ columnData: [...columns], rowGroupSize }))
}

describe('a CSV file as a source', () => {
  it('gives the records that lines of JSON give, with the rows as positions', async () => {
    const [csv, ndjson] = [csvOf([ann, bob]), folderOf({ 'authorities.ndjson': lines })]
    const expected = await valuesOf(ndjson)
    expect(expected).not.toContain(undefined)
    expect(await valuesOf(csv)).toEqual(expected)
    const positions = (await authoritiesOf(csv)).map(({ position }) => position)
    expect(positions).toEqual(['authorities.csv row 1', 'authorities.csv row 2'])
  })

  it('may be gzipped', async () => {
    const text = [header, ann].join('\n')
    const folder = folderOf({ 'authorities.csv.gz': gzipSync(text) })
    expect(await valuesOf(folder)).toEqual(await valuesOf(csvOf([ann])))
  })

  it('may begin with blank lines and what a spreadsheet writes for itself', async () => {
    const text = '\ufeffsep=;\r\n\r\n;;\r\nsdu;name;topics\r\n1;Lee, Ann;Rust|Go\r\n'
    expect(await valuesOf(folderOf({ 'authorities.csv': text }))).toMatchObject([
      { name: 'Lee, Ann', topics: [{ topic: 'Rust' }, { topic: 'Go' }] },
    ])
  })

  it('takes a number that JSON does not have as none, wherever it stands in a cell', async () => {
    const text =
      'sdu,name,topics,authority_score,socials.github,socials.github.followers,socials\n' +
      '1,Ann,AI,1e999,,,"{""x"":{""handle"":""ann"",""followers"":1e999}}"\n2,Bob,AI,-0,,,\n'
    const [ann, bob] = await authoritiesOf(folderOf({ 'authorities.csv': text }))
    expect(ann).not.toHaveProperty('complaints')
    expect(ann?.value).toMatchObject({ authorityScore: undefined, socials: [{ followers: 0 }] })
    expect(bob?.value?.authorityScore).toBe(0)
  })

  it('passes over rows without any text, which count as rows', async () => {
    const text = 'sdu,name,topics\n\n,,\n1,Ann,AI\n , ,\n2,,AI\n'
    const entries = await authoritiesOf(folderOf({ 'authorities.csv': text }))
    expect(entries.map(({ position }) => position)).toEqual(
      [3, 5].map((row) => `authorities.csv row ${row}`),
    )
    expect(entries[1]).toMatchObject({ field: 'name', reason: 'is missing' })
  })

  it.each(rowsOf('followers'))('reads followers written as %s', async (written, followers) => {
    const text = `sdu\tname\ttopics\tsocials.github\tsocials.github.followers\n1\tAnn\tAI\tann\t${written}`
    const [ann] = await authoritiesOf(folderOf({ 'authorities.csv': text }))
    expect([ann?.value?.socials[0]?.followers, ann && 'complaints' in ann]).toEqual([
      Number(followers),
      false,
    ])
  })

  it('is a source by its own path, of authorities alone', async () => {
    const folder = folderOf({ 'people.csv': 'sdu,name,topics\n1,Ann,AI', 'connections.csv': 'x' })
    expect(await valuesOf(join(folder, 'people.csv'))).toMatchObject([{ name: 'Ann' }])
  })

  it('may have tables of connections, topics and corrections beside it', async () => {
    const folder = csvOf([ann, bob], {
      'connections.csv': 'from,to,weight\n7,8,2.5\nx,8,\n',
      'topics.csv': 'topic,aliases\nAI,"ML; machine learning"\n',
      'corrections.csv':
        'sdu,set,source,date\n8,"{""name"": ""Bob""}",https://bob.example,2026-01-01\n',
    })
    const reading = await openSource(folder).read()
    const topics = await entriesOf(reading.topics)
    const corrections = await entriesOf(reading.corrections)
    const connections = await connectionsOf(reading.connections)
    expect(topics.map(({ value }) => value)).toEqual([
      { topic: 'AI', aliases: ['ML', 'machine learning'] },
    ])
    expect(corrections.map(({ value }) => value?.fields)).toEqual([{ name: 'Bob' }])
    expect(connections[0]).toEqual({ from: '7', to: '8', weight: 2.5, kind: 'follows' })
  })

  it('rejects a row of another length by itself, and says how long it is', async () => {
    const entries = await authoritiesOf(csvOf([ann, '9,Cat,France', '10,Dan,,,AI,,,,,', bob]))
    expect(entries.map(({ value }) => value?.sdu)).toEqual(['007', undefined, '10', '8'])
    expect(entries[1]).toMatchObject({
      field: 'line',
      reason: 'has 3 cells where the header has 8',
      raw: '["9","Cat","France"]',
    })
  })

  it('is parted by what its header has most of', async () => {
    for (const delimiter of [',', ';', '\t', '|']) {
      const rows = [
        ['sdu', 'name', 'topics', 'bio'],
        ['1', 'Ann', 'AI', 'a; b, c'],
      ]
      const quoted = rows.map((row) => row.map((cell) => `"${cell}"`).join(delimiter))
      const [ann] = await authoritiesOf(folderOf({ 'authorities.csv': `${quoted.join('\n')}\n` }))
      expect(ann?.value).toMatchObject({ sdu: '1', name: 'Ann', bio: 'a; b, c' })
    }
  })

  it.each([
    ['Parquet', parquetOf(), /looks like Parquet, not like CSV: let its name end in .parquet/],
    ['a page', '<!DOCTYPE html><html>', /looks like a page of HTML, not like CSV/],
    ['nothing', '', /authorities.csv is empty/],
    ['no SDU', 'id,name,topics\n1,Ann,AI', /has no column sdu; .*--map.*it has id, name, topics/],
    ['a column twice', 'sdu,sdu,name,topics\n1,1,Ann,AI', /has two columns called sdu/],
  ])('of %s is refused with what is wrong', async (_, content, message) => {
    const work = valuesOf(folderOf({ 'authorities.csv': content }))
    expect(await messageOf(work)).toMatch(message)
  })

  it('is refused beside another form of the same records', async () => {
    const folder = csvOf([ann], { 'authorities.ndjson': lines })
    expect(await messageOf(valuesOf(folder))).toMatch('authorities.csv too: keep one')
  })

  it('keeps whatever a column is called out of the objects of the program', async () => {
    const text = 'sdu,name,topics,socials.__proto__,attributes.constructor\n1,Ann,AI,ann,x'
    const [record] = await valuesOf(folderOf({ 'authorities.csv': text }))
    expect(record?.attributes).toEqual([{ key: 'constructor', value: 'x' }])
    expect(Object.hasOwn(Object.prototype, 'handle')).toBe(false)
  })

  it('has another fingerprint with another record or another map, and the same otherwise', async () => {
    const folder = csvOf([ann, bob])
    const map = mapOf(folder, 'authorities: { bio: name }')
    const fingerprints = [
      openSource(folder).fingerprint(),
      openSource(csvOf([ann, bob])).fingerprint(),
      openSource(csvOf([ann])).fingerprint(),
      openSource(folder, map).fingerprint(),
    ]
    const [first, again, shorter, mapped] = await Promise.all(fingerprints)
    expect(first).toBe(again)
    expect(new Set([first, shorter, mapped]).size).toBe(3)
  })
})

function mapOf(folder: string, text: string): string {
  const path = join(folder, 'map.yaml')
  writeFileSync(path, text)
  return path
}

describe('the map of a table', () => {
  const text = 'id,Full Name,Field,Lang,tw\nQ1,Ann,Bees/Honey,fr,@ann\nQ2,Bob,Bees,,\n,Cat,AI,,\n'
  const wanted = `
authorities:
  sdu: { key: id }
  name: Full Name
  topics: { column: Field, separator: / }
  socials.twitter: tw
  attributes.language: Lang
  licence: { value: CC0-1.0 }
`

  it('says which columns are which fields, and makes SDUs of keys', async () => {
    const folder = folderOf({ 'authorities.csv': text })
    const [ann, bob, none] = await authoritiesOf(folder, mapOf(folder, wanted))
    expect(ann?.value).toMatchObject({
      name: 'Ann',
      topics: [{ topic: 'Bees' }, { topic: 'Honey' }],
      socials: [{ platform: 'twitter', handle: '@ann' }],
      attributes: [{ key: 'language', value: 'fr' }],
      licence: 'CC0-1.0',
    })
    expect(ann?.value?.sdu).toMatch(/^\d{10,20}$/)
    expect(bob?.value?.sdu).not.toBe(ann?.value?.sdu)
    expect(none).toMatchObject({ value: undefined, field: 'sdu' })
  })

  it('makes the same SDUs for the ends of connections', async () => {
    const folder = folderOf({ 'authorities.csv': text, 'connections.csv': 'a,b\nQ1,Q2\n' })
    const map = mapOf(folder, `${wanted}connections: { from: { key: a }, to: { key: b } }`)
    const reading = await openSource(folder, map).read()
    const [ann, bob] = await entriesOf(reading.authorities)
    const [connection] = await connectionsOf(reading.connections)
    expect([connection?.from, connection?.to]).toEqual([ann?.value?.sdu, bob?.value?.sdu])
  })

  it.each(rowsOf('maps that are refused'))(
    '%s is refused with what is wrong',
    async (map, message) => {
      const folder = folderOf({ 'authorities.csv': text })
      expect(await messageOf(valuesOf(folder, mapOf(folder, map)))).toMatch(message)
    },
  )

  it('is refused where there is no table for it, and where it is not there', async () => {
    const folder = folderOf({ 'authorities.ndjson': lines })
    const map = mapOf(folder, wanted)
    expect(await messageOf(valuesOf(folder, map))).toMatch('has no table that a map could be of')
    expect(await messageOf(valuesOf(folder, `${map}.no`))).toMatch('map.yaml.no cannot be read')
    expect(() => openSource('postgres://u@h/d', map)).toThrow('in a database use a view')
  })
})

async function proposedFor(folder: string): Promise<readonly string[] | undefined> {
  return (await openSource(folder).tables?.())?.[0]?.proposed
}

describe('the map that is proposed for a table', () => {
  it.each([
    [
      'Full Name;Country;Expertise;Twitter handle;Twitter: followers;ORCID iD;E-Mail\n' +
        'Ann Lee;DE;AI, Bees;@ann;1.5k;0000-0002-1825-0097;a@x.example\n',
      [
        '  sdu: { key: E-Mail }',
        '  name: Full Name',
        '  topics: { column: Expertise, separator: "," }',
        '  country_name: Country',
        '  socials.twitter: Twitter handle',
        '  socials.twitter.followers: "Twitter: followers"',
        '  identifiers.orcid: ORCID iD',
      ],
      [
        {
          ...{ name: 'Ann Lee', countryName: 'Germany' },
          topics: [{ topic: 'AI' }, { topic: 'Bees' }],
          socials: [{ platform: 'twitter', handle: '@ann', followers: 1500 }],
          identifiers: [{ scheme: 'orcid', value: '0000-0002-1825-0097' }],
        },
      ],
    ],
    [
      'row,First name,Last name,Born,Twitter,Subjects\n' +
        '1,Ann,Lee,1990,@ann,"AI, Bees"\n1,Ann,Lee,1980,,AI\n1,Bob,Lee,1990,,AI\n',
      [
        '  sdu: { key: [ First name, Last name, Born ] }',
        '  topics: { column: Subjects, separator: "," }',
        '  name: { columns: [ First name, Last name ] }',
        '  socials.twitter: Twitter',
      ],
      [{ name: 'Ann Lee' }, { name: 'Ann Lee' }, { name: 'Bob Lee' }],
    ],
  ])('is read back as the map that it shows: %s', async (text, proposed, people) => {
    const folder = folderOf({ 'authorities.csv': text })
    const lines = await proposedFor(folder)
    expect(lines).toEqual(['authorities:', ...proposed])
    const read = await valuesOf(folder, mapOf(folder, lines!.join('\n')))
    expect(read).toMatchObject(people)
    expect(new Set(read.map((person) => person?.sdu)).size).toBe(people.length)
  })

  it('leaves open what no column looks like, and says nothing where all is read', async () => {
    expect(await proposedFor(folderOf({ 'authorities.csv': 'itemLabel,mood\nAnn,good' }))).toEqual([
      ...['authorities:', '  sdu: { key: itemLabel }'],
      ...['  topics: { value: People } # or a column', '  name: itemLabel'],
    ])
    expect(await proposedFor(csvOf([ann]))).toEqual([])
  })
})

describe('a Parquet file as a source', () => {
  it('gives the records that lines of JSON give, from every row group', async () => {
    const rows = [
      ['1', 'Ann', ['Rust', 'Go'], 1.5, '2026-01-02'],
      ['2', 'Bob', ['AI'], 2, '2026-01-02T03:04:05.000Z'],
      ['3', 'Cat', ['AI'], null, '2026-01-03'],
    ]
    const json = rows.map(([sdu, name, topics, authority_score, updated_at]) =>
      JSON.stringify({ sdu, name, topics, authority_score, verified: true, updated_at }),
    )
    const folder = folderOf({ 'authorities.parquet': parquetOf() })
    const expected = await valuesOf(folderOf({ 'authorities.ndjson': json.join('\n') }))
    expect(expected).not.toContain(undefined)
    expect(await valuesOf(folder)).toEqual(expected)
  })

  it.each([
    ['GZIP', gzipSync],
    ['BROTLI', brotliCompressSync],
  ] as const)(
    'gives the same compressed by %s, and refuses a page longer than it says',
    async (codec, compress) => {
      const plain = await valuesOf(folderOf({ 'authorities.parquet': parquetOf() }))
      const compressedBy = (packed: (page: Uint8Array) => Uint8Array) => {
        const compressors = { [codec]: packed }
        const bytes = parquetWriteBuffer({ columnData: [...people], codec, compressors })
        return folderOf({ 'authorities.parquet': Buffer.from(bytes) })
      }
      expect(await valuesOf(compressedBy((page) => compress(page)))).toEqual(plain)
      const longer = (page: Uint8Array) => compress(Buffer.concat([page, page]))
      expect(await valuesOf(compressedBy(longer))).toEqual(plain.map(() => undefined))
    },
  )

  it('gives lists, structs, maps, days, decimals and whole numbers of 64 bits, as other programs write them', async () => {
    const bytes = readFileSync(new URL('nested-zstd.parquet', import.meta.url))
    const read = await authoritiesOf(folderOf({ 'authorities.parquet': bytes }))
    expect(read.map(({ raw }) => raw)).toEqual([
      '{"sdu":"9007199254740993","name":"Ann","topics":["Rust","Go"],' +
        '"socials":{"twitter":{"handle":"ann","followers":12}},"updated_at":"2026-01-02",' +
        '"authority_score":12.5,"identifiers":{"wikidata":"Q42"},' +
        '"attributes":{"numbers":[1,"9007199254740993"]}}',
      '{"sdu":"2","name":"Zoë 李","topics":["AI"]}',
      '{"sdu":"3","topics":["AI"],"socials":{"twitter":{"handle":null,"followers":3}},' +
        '"updated_at":"2026-01-03","authority_score":3,"attributes":{"numbers":[]}}',
    ])
    expect(read.map(({ value }) => value !== undefined)).toEqual([true, true, false])
  })

  it('may have a table of connections beside it, whose rejects are told by their rows', async () => {
    const connections = parquetOf([
      { name: 'from', data: ['1', '2', '3', '1'], type: 'STRING' },
      { name: 'to', data: ['2', 'twitter:ann', '1', '3'], type: 'STRING' },
      { name: 'weight', data: [2.5, null, -1, 1], type: 'DOUBLE', nullable: true },
      { name: 'kind', data: ['mentions', null, null, 'likes'], type: 'STRING', nullable: true },
    ])
    const folder = folderOf({
      'authorities.parquet': parquetOf(),
      'connections.parquet': connections,
    })
    const reading = await openSource(folder).read()
    expect(await connectionsOf(reading.connections)).toMatchObject([
      { from: '1', to: '2', weight: 2.5, kind: 'mentions' },
      { from: '2', to: 'twitter:ann', weight: 1, kind: 'follows' },
      undefined,
      undefined,
    ])
    const read = await entriesOf(reading.connectionsAt(Uint32Array.of(3, 4)))
    expect(read.map(({ position }) => position)).toEqual([
      'connections.parquet row 3',
      'connections.parquet row 4',
    ])
  })

  it('may have SDUs that are numbers', async () => {
    const [, ...others] = people
    const sdu = { name: 'sdu', data: [1n, 2n, 3n], type: 'INT64' as BasicType }
    const folder = folderOf({ 'authorities.parquet': parquetOf([sdu as never, ...others]) })
    expect((await valuesOf(folder)).map((record) => record?.sdu)).toEqual(['1', '2', '3'])
  })

  it('rejects an SDU that is a number which may stand for another, also as a key', async () => {
    const [, ...others] = people
    const data = [2 ** 53, 2 ** 53 + 2, 3]
    const sdu = { name: 'sdu', data, type: 'DOUBLE' as BasicType }
    const folder = folderOf({ 'authorities.parquet': parquetOf([sdu as never, ...others]) })
    const read = await authoritiesOf(folder)
    expect(read.map((entry) => [entry.value?.sdu, 'field' in entry && entry.field])).toEqual([
      [undefined, 'sdu'],
      [undefined, 'sdu'],
      ['3', false],
    ])
    const map = mapOf(folder, 'authorities: { sdu: { key: sdu } }')
    const keyed = await authoritiesOf(folder, map)
    expect(keyed.map(({ value }) => value !== undefined)).toEqual([false, false, true])
  })

  it.each([
    ['no Parquet', Buffer.from('sdu,name,topics\n1,Ann,AI\n')],
    ['an empty file', Buffer.alloc(0)],
    ['half a file', parquetOf().subarray(0, 200)],
  ])('of %s is refused', async (_, content) => {
    const work = valuesOf(folderOf({ 'authorities.parquet': content }))
    expect(await messageOf(work)).toMatch(/authorities.parquet cannot be read/)
  })
})
