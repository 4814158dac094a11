/** Sources that DuckDB reads: Parquet with `--engine duckdb`, and a file of DuckDB. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSource } from '../../../../src/source/uri.ts'
import { checkSource } from '../../../../src/sync/check.ts'
import type { SyncOptions } from '../../../../src/sync/sync.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { connectedSource } from '../../../support/connected-source.ts'
import { runInDuckDb } from '../../../support/duckdb-files.ts'
import { SyncedInProcess } from '../../../support/synced-in-process.ts'

const loose = {
  ...{ rejectShareMax: 1, fileRejectShareMax: 1, danglingShareMax: 1 },
  ...{ createdAt: '2026-01-01T00:00:00Z', force: true, keep: 1 },
} satisfies Partial<SyncOptions>
const outOfCore = { ...loose, engine: 'duckdb', engineMemory: 256 << 20 } as const

/** Columns of the tables; the members of a struct are those that the records have. */
const columns = {
  authorities: {
    ...{ sdu: 'VARCHAR', name: 'VARCHAR', topics: 'VARCHAR[]', verified: 'BOOLEAN' },
    ...{ verified_by: 'VARCHAR', authority_score: 'DOUBLE' },
    socials:
      'STRUCT(twitter STRUCT(handle VARCHAR, followers BIGINT), github STRUCT(handle VARCHAR, followers BIGINT))',
  },
  connections: { from: 'VARCHAR', to: 'VARCHAR', weight: 'DOUBLE', kind: 'VARCHAR' },
} as const
const tables = ['authorities', 'connections'] as const

/** A random source as rows that DuckDB can read: connections that are no connections are rows, too. */
function rowsOf(seed: number): string {
  const { authorities = [], connections = [] } = connectedSource(seed)
  const directory = temporaryDirectory()
  const right = connections.filter((line) => typeof line === 'object')
  const wrong = [
    { from: '1' },
    { from: '1', to: '2', weight: -1 },
    { from: '2', to: '1', kind: 'no' },
  ]
  const lines = { authorities: [...authorities, authorities[0]], connections: [...right, ...wrong] }
  for (const table of tables) {
    const text = lines[table].map((line) => JSON.stringify(line)).join('\n')
    writeFileSync(join(directory, `${table}.json`), text)
  }
  return directory
}

/** The query of a table of such rows. */
function queryOf(directory: string, table: (typeof tables)[number]): string {
  const types = Object.entries(columns[table]).map(([name, type]) => `"${name}": '${type}'`)
  const path = join(directory, `${table}.json`)
  return `SELECT * FROM read_ndjson('${path}', columns = {${types.join(', ')}})`
}

async function databaseOf(directory: string, order = ''): Promise<string> {
  const path = join(temporaryDirectory(), 'records.duckdb')
  const statements = tables.map(
    (table) => `CREATE TABLE ${table} AS ${queryOf(directory, table)} ${order}`,
  )
  await runInDuckDb(statements, path)
  return path
}

/** What a sync published and rejected. */
async function synced(source: string, more: Partial<SyncOptions>) {
  const place = new SyncedInProcess()
  const result = await place.sync({}, { ...more, source })
  if (result.refusal !== undefined) throw new Error(result.refusal)
  const rejects = readFileSync(join(place.snapshots, 'rejects.ndjson'), 'utf8')
  return { bytes: readFileSync(result.path), rejects, names: readdirSync(place.snapshots) }
}

async function refusalOf(source: string): Promise<string> {
  const place = new SyncedInProcess()
  return String((await place.sync({}, { ...outOfCore, source })).refusal)
}

describe('a sync of Parquet with --engine duckdb', () => {
  it('makes the same bytes and rejects as without', async () => {
    for (let seed = 1; seed <= 2; seed += 1) {
      const rows = rowsOf(seed)
      const folder = temporaryDirectory()
      const copies = tables.map((table) => {
        const path = join(folder, `${table}.parquet`)
        return `COPY (${queryOf(rows, table)}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`
      })
      await runInDuckDb(copies)
      const plain = await synced(folder, loose)
      const scanned = await synced(folder, outOfCore)
      expect(scanned.bytes.equals(plain.bytes), `seed ${seed}`).toBe(true)
      expect(scanned.rejects).toBe(plain.rejects)
      expect(plain.rejects).toContain('connections.parquet row ')
      expect(scanned.names.filter((name) => name.includes('.tmp'))).toEqual([])
    }
  })
})

describe('a file of DuckDB as a source', () => {
  it('makes the snapshot of its lines in files, whatever order its rows lie in', async () => {
    const rows = rowsOf(1)
    const path = await databaseOf(rows)
    const folder = temporaryDirectory()
    const reading = await openSource(`duckdb://${path}`).read()
    const lines: string[] = []
    for await (const batch of reading.authorities) lines.push(...batch.map(({ raw }) => raw))
    writeFileSync(join(folder, 'authorities.ndjson'), `${lines.join('\n')}\n`)
    const connections: string[] = []
    const numbers = new Uint32Array(5_000).map((_, index) => index + 1)
    for await (const batch of reading.connectionsAt(numbers)) {
      connections.push(...batch.map(({ raw }) => raw))
    }
    reading.close()
    writeFileSync(join(folder, 'connections.ndjson'), `${connections.join('\n')}\n`)
    const expected = await synced(folder, loose)
    const shuffled = await databaseOf(rows, 'ORDER BY hash(columns(*)::VARCHAR)')
    for (const source of [path, shuffled]) {
      for (const options of [loose, outOfCore]) {
        const result = await synced(`duckdb://${source}`, options)
        expect(result.bytes.equals(expected.bytes)).toBe(true)
        expect(result.rejects).toContain('"position":"authorities[sdu=1]"')
        expect(result.names.filter((name) => name.includes('.tmp'))).toEqual([])
      }
    }
  })

  it('reads columns of any type, in the order of the fields, and ignores others', async () => {
    const path = join(temporaryDirectory(), 'records.duckdb')
    await runInDuckDb(
      [
        `CREATE TYPE chamber AS ENUM ('house', 'senate')`,
        `CREATE TABLE people (id HUGEINT, "Name" VARCHAR, topics JSON, score DECIMAL(5, 2),
           identifiers MAP(VARCHAR, VARCHAR), since TIMESTAMP_NS, chamber chamber, secret BLOB)`,
        `INSERT INTO people VALUES (170141183460469231731687303715884105727, 'Ann',
           '[{"topic": "AI", "weight": 0.5}]', 12.50, MAP {'wikidata': 'Q42'},
           '2026-01-02 03:04:05.678901234', 'senate', 'x'::BLOB)`,
        `CREATE VIEW authorities AS SELECT "Name", id % 10000000000 AS sdu, topics,
           score AS authority_score, identifiers, since AS updated_at,
           chamber AS "attributes.chamber", secret FROM people`,
      ],
      path,
    )
    const reading = await openSource(`duckdb://${path}`).read()
    const raws: string[] = []
    for await (const batch of reading.authorities) raws.push(...batch.map(({ raw }) => raw))
    reading.close()
    expect(raws).toEqual([
      '{"sdu":"5884105727","name":"Ann","topics":[{"topic":"AI","weight":0.5}],' +
        '"authority_score":12.5,"identifiers":{"wikidata":"Q42"},' +
        '"updated_at":"2026-01-02T03:04:05.678Z","attributes":{"chamber":["senate"]}}',
    ])
  })

  it('is checked without a sync', async () => {
    const place = new SyncedInProcess()
    const source = `duckdb://${await databaseOf(rowsOf(2))}`
    const progress = { phase: () => {}, update: () => {}, note: () => {}, stop: () => {} }
    const settings = { ...loose, map: '', snapshots: place.snapshots, lookalikes: 'off' }
    const { counts } = await checkSource({ ...settings, source, progress })
    expect(counts.authorities.rejects).toBe(1)
    expect(existsSync(place.snapshots)).toBe(false)
  })

  it('has another stamp once it is written', async () => {
    const path = await databaseOf(rowsOf(1))
    const source = openSource(`duckdb://${path}`)
    const before = await source.stamp()
    expect(await source.stamp()).toEqual(before)
    await runInDuckDb(['CREATE TABLE more AS SELECT i FROM range(1000) r(i)'], path)
    expect((await source.stamp()).version).not.toBe(before.version)
  })

  it.each([
    ['no file', () => {}, 'is not there'],
    [
      'no database',
      (path: string) => writeFileSync(path, 'sdu,name\n'),
      'is no database of DuckDB',
    ],
    ['a directory', (path: string) => mkdirSync(path), 'Is a directory'],
    [
      'no table',
      (path: string) => runInDuckDb(['CREATE TABLE t (i INT)'], path),
      'has no table or view authorities',
    ],
    [
      'no column',
      (path: string) => runInDuckDb(['CREATE TABLE authorities (sdu INT, name VARCHAR)'], path),
      'authorities has no column topics',
    ],
    [
      'a view of another file',
      (path: string) =>
        runInDuckDb(
          [
            `CREATE VIEW authorities AS SELECT * FROM read_csv('${import.meta.filename}', columns = {'sdu': 'VARCHAR'}, auto_detect = false)`,
          ],
          path,
        ),
      `has a view of "${import.meta.filename}": a view may read its own file only`,
    ],
  ])('is refused where there is %s', async (_, make, reason) => {
    const path = join(temporaryDirectory(), 'records.duckdb')
    await make(path)
    const refusal = await refusalOf(`duckdb://${path}`)
    expect(refusal).toContain(path)
    expect(refusal).toContain(reason)
  })

  it('is refused while another process has it open for writing, which is named', async () => {
    const path = await databaseOf(rowsOf(1))
    const program = `
      const { DuckDBInstance } = await import('@duckdb/node-api')
      const instance = await DuckDBInstance.create(process.argv[1])
      console.log('open')
      setInterval(() => instance, 1000)`
    const args = ['--input-type=module', '-e', program, path]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    expect(await refusalOf(`duckdb://${path}`)).toBe(
      `${path} cannot be read: process ${child.pid} has it open for writing; end that, or give a copy of the file`,
    )
  })

  it('is not blamed for a place that DuckDB cannot use', async () => {
    const place = new SyncedInProcess()
    const source = `duckdb://${await databaseOf(rowsOf(2))}`
    await place.sync({}, { ...loose, source })
    writeFileSync(join(place.source, 'file'), '')
    const engineTemp = join(place.source, 'file')
    const { refusal } = await place.sync({}, { ...loose, source, engineTemp, force: false })
    expect(refusal).toContain(`${engineTemp}/authority-index-`)
    expect(refusal).toContain('DuckDB cannot work there')
  })

  it('takes neither a map nor a path that is not absolute', () => {
    expect(() => openSource('duckdb:///x.duckdb', 'map.yaml')).toThrow('in a database use a view')
    expect(() => openSource('duckdb://x.duckdb')).toThrow('duckdb:///')
  })
})
