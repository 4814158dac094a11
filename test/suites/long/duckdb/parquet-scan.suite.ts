/** Files of Parquet that DuckDB scans: each row is the line that the other reader makes of it. */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type BasicType, parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { parquetScan } from '../../../../src/duckdb/parquet-scan.ts'
import { linesOf } from '../../../../src/source/ndjson/files.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { runInDuckDb } from '../../../support/duckdb-files.ts'
import { Random } from '../../../support/random.ts'

const memoryBytes = 256 << 20

/** The lines of a file, or the message of what ends them. */
async function linesIn(path: string, scanBytes?: number): Promise<string> {
  const file = {
    ...({
      name: 'authorities.ndjson',
      form: 'parquet',
      path,
      gzipped: false,
      version: '',
    } as const),
    sizeBytes: statSync(path).size,
    ...(scanBytes !== undefined && { scanBytes }),
  }
  const chunks: Buffer[] = []
  try {
    for await (const chunk of linesOf(file).chunks(undefined)) chunks.push(chunk)
  } catch (error) {
    chunks.push(Buffer.from((error as Error).message))
  }
  return Buffer.concat(chunks).toString()
}

/** Number of rows that DuckDB itself reads. */
async function scanned(path: string, columns: number): Promise<number> {
  let rows = 0
  for await (const piece of parquetScan(path, columns, memoryBytes)) rows += piece.length
  return rows
}

type Literal = (random: Random) => string

const letters = [
  'a',
  'Zoë',
  '\ufeffmark',
  '李',
  ' ',
  'NULL',
  '1,234',
  "O'Brien",
  '["x"]',
  '{"a":1}',
  '😀',
]
const text: Literal = (random) =>
  `'${letters[random.below(letters.length)]!.replaceAll("'", "''")}'`
const micros: Literal = (random) => `${(random.below(2 ** 31) - 2 ** 30) * 1_000_003}`
const listOf =
  (item: Literal): Literal =>
  (random) =>
    `[${itemsOf(item, random).join(', ')}]`
const itemsOf = (item: Literal, random: Random) =>
  Array.from({ length: random.below(4) }, () => orNull(item)(random))
const orNull =
  (item: Literal): Literal =>
  (random) =>
    random.below(4) === 0 ? 'NULL' : item(random)
const structOf =
  (members: Readonly<Record<string, Literal>>): Literal =>
  (random) =>
    `{${Object.entries(members).map(([name, member]) => `'${name}': ${orNull(member)(random)}`)}}`

/** Literals by the type that they have. */
const literals: Readonly<Record<string, Literal>> = {
  VARCHAR: text,
  BIGINT: (random) => `${random.below(2 ** 31)}${random.below(2 ** 31)}`.slice(0, 18),
  UBIGINT: () => '18446744073709551615',
  INTEGER: (random) => `${random.below(2 ** 31) - 2 ** 30}`,
  UTINYINT: (random) => `${random.below(256)}`,
  DOUBLE: (random) => `${random.below(2 ** 31) / 7}`,
  FLOAT: (random) => `${random.below(1000) / 7}`,
  BOOLEAN: (random) => `${random.below(2) === 0}`,
  DATE: (random) => `make_date(${random.below(80_000) - 30_000})`,
  TIMESTAMP: (random) => `make_timestamp(${micros(random)})`,
  TIMESTAMP_NS: (random) => `make_timestamp_ns(${micros(random)}001)`,
  'TIMESTAMP WITH TIME ZONE': (random) => `make_timestamptz(${micros(random)})`,
  'VARCHAR[]': listOf(text),
  'BIGINT[]': listOf((random) => `${random.below(2 ** 31)}${random.below(2 ** 20)}`),
  'VARCHAR[][]': listOf(listOf(text)),
  'STRUCT(handle VARCHAR, followers BIGINT)': structOf({ handle: text, followers: micros }),
  'STRUCT(topic VARCHAR, weight DOUBLE)[]': listOf(structOf({ topic: text, weight: () => '0.5' })),
  'STRUCT(twitter STRUCT(handle VARCHAR, names VARCHAR[]), day DATE)': structOf({
    twitter: structOf({ handle: text, names: listOf(text) }),
    day: (random) => `make_date(${random.below(20_000)})`,
  }),
}
/** Types that DuckDB reads, and that are not scanned because the other reader gives other values. */
const unscanned: Readonly<Record<string, Literal>> = {
  'DECIMAL(10,2)': () => '12.5',
  JSON: () => `'{"twitter": {"handle": "ann"}}'`,
  BLOB: () => `'ab'::BLOB`,
  UUID: () => `'00000000-0000-0000-0000-000000000001'`,
  'MAP(VARCHAR, VARCHAR)': () => `MAP {'wikidata': 'Q1'}`,
}
const fields = [
  ...['sdu', 'name', 'topics', 'also_known_as', 'bio', 'country_name', 'socials', 'website'],
  ...['verified', 'authority_score', 'identifiers', 'attributes', 'updated_at', 'Notes'],
]

/** A file of random columns; its path. */
async function randomFile(seed: number, types = literals): Promise<string> {
  const random = new Random(seed, 1)
  const names = Object.keys(types)
  const columns = fields.map((field) => ({ field, type: names[random.below(names.length)]! }))
  const rows = Array.from({ length: 1 + random.below(30) }, () => {
    const cells = columns.map(({ type }) => `${orNull(types[type]!)(random)}::${type}`)
    return `(${cells.join(', ')})`
  })
  const path = join(temporaryDirectory(), 'authorities.parquet')
  const list = columns.map(({ field }) => `"${field}"`).join(', ')
  const codec = ['zstd', 'snappy', 'gzip', 'uncompressed'][seed % 4]
  await runInDuckDb([
    `COPY (SELECT * FROM (VALUES ${rows.join(', ')}) t(${list})) TO '${path}'
     (FORMAT parquet, COMPRESSION ${codec})`,
  ])
  return path
}

describe('a Parquet file that DuckDB scans', () => {
  it('gives the lines of the other reader, whatever its columns hold', async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const path = await randomFile(seed)
      const plain = await linesIn(path)
      expect(plain.split('\n').length, `seed ${seed}`).toBeGreaterThan(1)
      expect(await linesIn(path, memoryBytes), `seed ${seed}`).toBe(plain)
      expect(await scanned(path, fields.length), `seed ${seed}`).toBeGreaterThan(0)
    }
  })

  it.each(Object.entries(unscanned))(
    'is left to the other reader for %s',
    async (type, literal) => {
      const path = await randomFile(7, { ...{ [type]: literal } })
      expect(await scanned(path, fields.length)).toBe(0)
      expect(await linesIn(path, memoryBytes)).toBe(await linesIn(path))
    },
  )

  it('gives the same of what another program wrote, in the order of its row groups', async () => {
    const path = join(temporaryDirectory(), 'authorities.parquet')
    const data = Array.from({ length: 5_000 }, (_, row) => row)
    const columnData = [
      { name: 'sdu', data: data.map(BigInt), type: 'INT64' as BasicType },
      { name: 'name', data: data.map((row) => `Person ${row}`), type: 'STRING' as BasicType },
      { name: 'topics', data: data.map((row) => `AI;Topic ${row}`), type: 'STRING' as BasicType },
      { name: 'Name', data: data.map(String), type: 'STRING' as BasicType },
    ]
    writeFileSync(path, Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 700 })))
    expect(await scanned(path, columnData.length)).toBe(5_000)
    const plain = await linesIn(path)
    expect(plain.split('\n')[4_999]).toContain('"Person 4999"')
    expect(await linesIn(path, memoryBytes)).toBe(plain)
  })

  it('is read on by the other reader from the row at which DuckDB ends', async () => {
    const path = join(temporaryDirectory(), 'authorities.parquet')
    const data = Array.from({ length: 60_000 }, (_, row) => row)
    const names = data.map((row) => `Person ${String(row).padStart(5, '0')}`)
    const columnData = [
      { name: 'sdu', data: data.map(String), type: 'STRING' as BasicType },
      { name: 'name', data: names, type: 'STRING' as BasicType },
      { name: 'topics', data: data.map(() => 'AI'), type: 'STRING' as BasicType },
    ]
    const options = { columnData, rowGroupSize: 20_000, codec: 'UNCOMPRESSED' as const }
    const bytes = Buffer.from(parquetWriteBuffer(options))
    // No UTF-8: DuckDB refuses it, and the other reader shows it as an unknown character.
    bytes[bytes.indexOf('Person 50000')] = 0xff
    writeFileSync(path, bytes)
    const read = await scanned(path, columnData.length)
    expect(read).toBeGreaterThan(2_000)
    expect(read).toBeLessThan(50_000)
    const plain = await linesIn(path)
    expect(plain.split('\n')[50_000]).toContain('\ufffderson 50000')
    expect(await linesIn(path, memoryBytes)).toBe(plain)
  })

  it('is never another file, whatever its path looks like to DuckDB', async () => {
    const other = await randomFile(3)
    const path = join(dirname(other), '[abc]', 'authorities.parquet')
    mkdirSync(dirname(path))
    mkdirSync(join(dirname(other), 'a'))
    await runInDuckDb([
      `COPY (SELECT 1 AS sdu, 'Stranger' AS name, 'AI' AS topics)
       TO '${join(dirname(other), 'a', basename(path))}' (FORMAT parquet)`,
      `COPY (SELECT 2 AS sdu, 'Ann' AS name, 'AI' AS topics)
       TO '${join(dirname(other), 'own.parquet')}' (FORMAT parquet)`,
    ])
    copyFileSync(join(dirname(other), 'own.parquet'), path)
    expect(await linesIn(path, memoryBytes)).toBe('{"sdu":"2","name":"Ann","topics":["AI"]}\n')
  })

  it('that is damaged is refused with the same message', async () => {
    const path = await randomFile(5)
    const bytes = readFileSync(path)
    for (let start = 4; start < bytes.length - 200; start += 499) {
      const damaged = join(temporaryDirectory(), 'authorities.parquet')
      writeFileSync(damaged, Buffer.from(bytes).fill(0xff, start, start + 60))
      const shown = (lines: string) => digestOf(lines.replaceAll(damaged, ''))
      const expected = shown(await linesIn(damaged))
      expect(shown(await linesIn(damaged, memoryBytes)), `from ${start}`).toBe(expected)
    }
  })
})

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
