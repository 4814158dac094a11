/**
 * A source with many connections: people as `generate` writes them, and connections in a Parquet file that DuckDB
 * writes, a hundred times as fast. The same options give the same connections.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadDuckDb } from '../../src/duckdb/module.ts'
import { mix } from '../../test/support/random.ts'
import { generate, generatedKinds, sduOf } from '../shared/data/source.ts'

/** What to write. */
interface LargeOptions {
  readonly people: number
  readonly connections: number
  readonly directory: string
}

const seed = 1
const bioWordsMax = 8

/** Writes the source if it is not there. @throws what DuckDB throws, such as a full disk. */
export async function writeLargeSource(options: LargeOptions): Promise<void> {
  const { people, directory } = options
  const connections = join(directory, 'connections.parquet')
  if (existsSync(connections)) return
  mkdirSync(directory, { recursive: true })
  generate({ authorities: people, directory, seed, connectionsPer: 0, bioWordsMax })
  rmSync(join(directory, 'connections.ndjson'))
  // Under its name only once it is whole.
  const written = `${connections}.tmp`
  await writeConnections(options, written)
  renameSync(written, connections)
}

async function writeConnections({ people, connections }: LargeOptions, path: string) {
  const { DuckDBInstance } = await loadDuckDb()
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    for (const macro of macros(people)) await connection.run(`CREATE MACRO ${macro}`)
    const [first] = (await connection.runAndReadAll(`SELECT sdu_of(${people - 1})`)).getRows()
    if (first![0] !== sduOf(seed, people - 1)) throw new Error('SQL and generate differ in an SDU')
    await connection.run(
      `COPY (${rows(people, connections)}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`,
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Macros of SQL: the numbers and SDUs of `generate`, and ranks by Zipf's law. */
function macros(people: number): string[] {
  const bits32 = '4294967295::UBIGINT'
  const step = (by: number, factor: number) =>
    `(xor(h, h >> ${by}) * ${factor}::UBIGINT) & ${bits32}`
  // A prime has no factor in common with the number of people, so that each rank is another person.
  const person = (prime: number) => `(rank * ${prime} + ${prime}) % ${people}`
  return [
    `first_mixed(h) AS ${step(16, 0x85eb_ca6b)}`,
    `second_mixed(h) AS ${step(13, 0xc2b2_ae35)}`,
    `last_mixed(h) AS xor(h, h >> 16)`,
    `mixed(start, number) AS last_mixed(second_mixed(first_mixed(xor(start::UBIGINT, number::UBIGINT))))`,
    `sdu_of(number) AS (1 + mixed(${startOf(seed)}, number) % 999999999)::VARCHAR ||
      lpad(((number::UBIGINT * ${3 ** 12}) % 1000000000)::VARCHAR, 9, '0')`,
    `fraction(start, number) AS mixed(start, number) / 4294967296.0`,
    `zipf_rank(fraction, count, rest) AS
      floor(pow((pow(count, rest) - 1) * fraction + 1, 1 / rest))::UBIGINT - 1`,
    `source_of(rank) AS ${person(1_000_003)}`,
    `target_of(rank) AS ${person(999_983)}`,
  ]
}

/** Where `mix(start, number)` begins. */
function startOf(start: number): number {
  return Math.imul(start, 0x9e37_79b1) >>> 0
}

/** The statement of all rows: both ends by Zipf's law; three ends in a hundred are handles that nobody owns. */
function rows(people: number, connections: number): string {
  const ghosts = Math.max(10, Math.floor(people / 20))
  const drawn = (draw: number) => `fraction(${mix(seed, 100 + draw)}, number)`
  const end = (person: string, isHandle: number, ghost: number) =>
    `if(${drawn(isHandle)} < 0.03, 'mastodon:ghost' || zipf_rank(${drawn(ghost)}, ${ghosts}, 0.15), sdu_of(${person}))`
  let below = 0
  const kind = generatedKinds.map(({ kind: name, share }) => {
    below += share / 100
    return `WHEN kind_drawn < ${below} THEN '${name}'`
  })
  const weighted = generatedKinds.filter((each) => each.weighted).map((each) => `'${each.kind}'`)
  const drawnRows = `SELECT number, source_of(zipf_rank(${drawn(0)}, ${people}, 0.5)) AS source,
      target_of(zipf_rank(${drawn(1)}, ${people}, 0.15)) AS target, ${drawn(7)} AS kind_drawn
    FROM (SELECT range AS number FROM range(${connections}))`
  const named = `SELECT number, source, if(target = source, (target + 1) % ${people}, target) AS target,
      CASE ${kind.join(' ')} ELSE '${generatedKinds[0]!.kind}' END AS kind
    FROM (${drawnRows})`
  return `SELECT ${end('source', 2, 3)} AS "from", ${end('target', 4, 5)} AS "to",
      if(kind IN (${weighted.join(', ')}), 1 + floor(9 * pow(${drawn(6)}, 4))::INTEGER, NULL) AS weight, kind
    FROM (${named})`
}
