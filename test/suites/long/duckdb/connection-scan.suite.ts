/** Connections in Parquet that DuckDB scans: the lines that it writes are those that are made of cells. */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectionScan } from '../../../../src/duckdb/connection-scan.ts'
import { ReadyLines } from '../../../../src/duckdb/ready-lines.ts'
import { linesOf } from '../../../../src/source/ndjson/files.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { runInDuckDb } from '../../../support/duckdb-files.ts'
import { Random } from '../../../support/random.ts'

const memoryBytes = 256 << 20

/** The lines of a file, or of the parts of a folder. */
async function linesIn(paths: readonly string[], scanBytes?: number): Promise<string> {
  const form = { name: 'connections.ndjson', form: 'parquet', gzipped: false, version: '' } as const
  const files = paths.map((path) => ({ ...form, path, sizeBytes: statSync(path).size }))
  const scan = scanBytes === undefined ? {} : { scanBytes }
  const file = files.length === 1 ? files[0]! : { ...files[0]!, parts: files }
  const chunks: Buffer[] = []
  for await (const chunk of linesOf({ ...file, ...scan }).chunks(undefined)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Rows that are lines already, and all rows. */
async function scanned(path: string, columns: readonly string[]) {
  let [ready, rows] = [0, 0]
  for await (const piece of connectionScan(path, columns, memoryBytes)) {
    rows += piece.length
    if (piece instanceof ReadyLines) ready += piece.length - piece.others.length
  }
  return { ready, rows }
}

async function newFile(
  statement: string,
  path = join(temporaryDirectory(), 'connections.parquet'),
) {
  await runInDuckDb([`COPY (${statement}) TO '${path}' (FORMAT parquet)`])
  return path
}

type Literal = (random: Random) => string

const odd = [
  '',
  ' 7',
  '007',
  '+7',
  '1e3',
  '-1',
  '7.0',
  'NULL',
  'n/a',
  'github:ann',
  'x:"ann"',
  'x:ann\\\\lee',
  ' x:ann',
  'x:ann lee',
  'x:ann\tlee',
  'X:Ann',
  'x:ännchen',
  'x:',
  ':x',
  '18446744073709551615',
  '18446744073709551616',
  '٣',
  '\ufeff7',
  'a"b',
]
const sdu: Literal = (random) => `'${1 + random.below(2 ** 31)}${random.below(2 ** 31)}'`
const oddEnd: Literal = (random) => `'${odd[random.below(odd.length)]}'`
const bounds = [
  '0',
  '9',
  '999999999',
  '1000000000',
  '1000000001',
  '999999999999999999',
  '1000000000000000000',
]
const bound: Literal = (random) => `'${bounds[random.below(bounds.length)]}'`
const end: Literal = (random) => [sdu, sdu, sdu, sdu, sdu, bound, oddEnd][random.below(7)]!(random)
const wholeNumber: Literal = (random) =>
  ['0', '1', '7', '-3', '1000000000', '1000000001'][random.below(6)]!
const number: Literal = (random) =>
  ['0.5', '1', '-0.0', '1e-7', '0.30000000000000004', `'nan'`, `'inf'`, '1e21'][random.below(8)]!
const kind: Literal = (random) =>
  `'${['follows', 'mentions', 'co_membership', 'collaborates', 'Follows', ' follows', 'likes'][random.below(7)]}'`

/** Types of columns, with values that they have. */
const ends: Readonly<Record<string, Literal>> = {
  VARCHAR: end,
  UBIGINT: (random) => `${random.below(2 ** 31)}${random.below(2 ** 31)}`.slice(0, 18),
  BIGINT: (random) => `${random.below(2 ** 31) - 2 ** 30}`,
  INTEGER: (random) => `${random.below(2 ** 31) - 5}`,
}
const weights: Readonly<Record<string, Literal>> = {
  INTEGER: wholeNumber,
  BIGINT: (random) => `${random.below(2) === 0 ? random.below(9) : '9007199254740993'}`,
  DOUBLE: number,
  FLOAT: number,
  VARCHAR: (random) => `'${random.below(9)}'`,
}
const kinds: Readonly<Record<string, Literal>> = { VARCHAR: kind }

const orNull = (literal: Literal, random: Random) =>
  random.below(6) === 0 ? 'NULL' : literal(random)

/** A file of random types and values, whose columns stand in any order. */
async function randomFile(seed: number) {
  const random = new Random(seed, 1)
  const among = (types: Readonly<Record<string, Literal>>) => {
    const all = Object.entries(types)
    return all[random.below(3) > 0 ? 0 : random.below(all.length)]!
  }
  const columns = [
    { name: 'from', of: among(ends) },
    { name: 'to', of: among(ends) },
    ...(seed % 3 === 0 ? [] : [{ name: 'weight', of: among(weights) }]),
    ...(seed % 5 === 0 ? [] : [{ name: 'kind', of: among(kinds) }]),
  ].sort(() => random.below(3) - 1)
  const rows = Array.from({ length: 1 + random.below(200) }, () => {
    const cells = columns.map(({ of: [type, literal] }) => `${orNull(literal, random)}::${type}`)
    return `(${cells.join(', ')})`
  })
  const names = columns.map(({ name }) => name)
  const list = names.map((name) => `"${name}"`).join(', ')
  const path = await newFile(`SELECT * FROM (VALUES ${rows.join(', ')}) t(${list})`)
  return { path, names }
}

describe('connections in Parquet', () => {
  it('are the same lines, whatever stands in which column', async () => {
    let ready = 0
    for (let seed = 1; seed <= 18; seed += 1) {
      const { path, names } = await randomFile(seed)
      expect(await linesIn([path], memoryBytes), `seed ${seed}`).toBe(await linesIn([path]))
      ready += (await scanned(path, names)).ready
    }
    expect(ready).toBeGreaterThan(90)
  })

  it('keep their order over texts, statements and parts, those that are lines and those that are not', async () => {
    const directory = join(temporaryDirectory(), 'connections.parquet')
    mkdirSync(directory)
    const rows = 270_000
    const statement = (first: number) => `
      SELECT CASE WHEN i % 50000 < 3 THEN '00' || i ELSE (${first} + i)::VARCHAR END AS "from",
        CASE WHEN i % 7 = 0 THEN 'github:user' || i ELSE (i * 7)::VARCHAR END AS "to",
        i % 5 AS weight, CASE WHEN i % 2 = 0 THEN 'mentions' END AS kind
      FROM range(1, ${rows + 1}) t(i) ORDER BY i`
    const lineOf = (first: number, i: number) => {
      const from = i % 50_000 < 3 ? `00${i}` : `${first + i}`
      const to = i % 7 === 0 ? `github:user${i}` : `${i * 7}`
      return JSON.stringify({ from, to, weight: i % 5, ...(i % 2 === 0 && { kind: 'mentions' }) })
    }
    const firsts = [0, 1_000_000]
    const parts = firsts.map((first) => join(directory, `part-${first}.parquet`))
    for (const [part, path] of parts.entries()) await newFile(statement(firsts[part]!), path)
    expect(await scanned(parts[0]!, ['from', 'to', 'weight', 'kind'])).toEqual({
      rows,
      ready: rows - 17,
    })
    const all = (await linesIn(parts, memoryBytes)).split('\n')
    const numbers = Array.from({ length: rows }, (_, index) => index + 1)
    const expected = firsts.flatMap((first) => numbers.map((i) => lineOf(first, i)))
    expect(all.pop()).toBe('')
    expect(all.findIndex((each, index) => each !== expected[index])).toBe(-1)
    expect(all.length).toBe(expected.length)
  })

  it('of other columns are made of cells', async () => {
    const path = await newFile(`SELECT '1' AS "From", '2' AS "to", 'x' AS note`)
    expect(await scanned(path, ['From', 'to', 'note'])).toEqual({ rows: 1, ready: 0 })
    expect(await linesIn([path], memoryBytes)).toBe('{"from":"1","to":"2"}\n')
  })

  it('without an end are refused with the same message', async () => {
    const path = await newFile(`SELECT '1' AS "from", 3 AS weight`)
    const message = (read: Promise<string>) => read.catch((error: Error) => error.message)
    const said = await message(linesIn([path]))
    expect(said).toContain('to')
    expect(await message(linesIn([path], memoryBytes))).toBe(said)
  })
})
