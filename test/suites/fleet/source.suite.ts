/** Records from a real PostgreSQL: the same as from files, of one moment, in constant memory. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { SnapshotHeader } from '../../../src/snapshot/header.ts'
import { loadStored } from '../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../src/snapshot/store/states.ts'
import { recordTables } from '../../../src/source/postgresql/record-tables.ts'
import type { Batches } from '../../../src/source/source.ts'
import { openSource } from '../../../src/source/uri.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { defaultSnapshots, endOf, run, start } from '../../support/program.ts'
import { withDatabases } from '../../support/servers/ledger-databases.ts'
import {
  ask,
  isPostgresqlInstalled,
  type PostgresqlServer,
} from '../../support/servers/postgresql-server.ts'
import { connectionsOf, entriesOf } from '../../support/source-folder.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** The tables as the document makes them. */
const [, schema = ''] = /```sql\n(CREATE TABLE[\s\S]*?)```/.exec(
  readFileSync(join(root, 'docs', 'data.md'), 'utf8'),
)!

const ann = { sdu: '1', name: 'Ann', topics: ['Rust'], socials: { x: { handle: 'Ann' } } }
const bob = { sdu: '2', name: 'Bob', topics: ['Go'], socials: { x: { handle: 'bob' } } }
const follows = { from: '1', to: '2', kind: 'follows' }

type Rows = Readonly<Record<string, readonly object[]>>

describe.runIf(isPostgresqlInstalled())('a database as a source', () => {
  let server: PostgresqlServer
  const newDatabase = withDatabases('records')

  /** A new database with the documented tables, and rows in them. */
  async function databaseOf(rows: Rows): Promise<string> {
    const database = await newDatabase()
    server = database.server
    const address = database.ledger
    await ask(address, schema)
    for (const [table, records] of Object.entries(rows)) await insert(address, table, records)
    return address
  }

  it('gives the default records the snapshot that their files have, but for the fingerprint', async () => {
    const address = await databaseOf(defaultRecords())
    const header = await syncedHeader(address)
    const own = await headerIn(defaultSnapshots)
    expect(header.counts).toEqual(own.counts)
    expect(header.sections).toEqual(own.sections)
  })

  it('gives the same id as the files whose lines its rows are, in whatever order they lie', async () => {
    const records = defaultRecords()
    const address = await databaseOf(records)
    const { id } = await syncedHeader(address)
    expect((await syncedHeader(await folderOfLines(address))).id).toBe(id)
    const reversed = Object.fromEntries(
      Object.entries(records).map(([table, rows]) => [table, rows.toReversed()]),
    )
    expect((await syncedHeader(await databaseOf(reversed))).id).toBe(id)
  })

  it('rejects what files reject, by the keys of the rows', async () => {
    const rows = {
      authorities: [
        ann,
        bob,
        { ...ann, sdu: 'x' },
        { ...ann, sdu: '3', name: ' ' },
        { ...ann, sdu: '4', topics: [] },
        { ...ann, sdu: '5', topics: ['Go', 'go'] },
        { ...ann, sdu: '6', socials: { x: { handle: '@ann' } } },
        { ...ann, sdu: '7', bio: 'x'.repeat(2 << 20) },
        { ...ann, sdu: '8', socials: {}, updated_at: '2026-11-01T12:00:00Z' },
      ],
      connections: [
        follows,
        { ...follows, kind: 'loves' },
        { ...follows, weight: 0 },
        { ...follows, to: '404' },
        { ...follows, to: 'nobody' },
      ],
      topics: [{ topic: 'Rust', aliases: ['rustlang', '!!'] }],
      corrections: [
        { sdu: '1', set: { name: 'Anna' }, source: 'x', date: '2026-11-02' },
        { sdu: '1', set: { name: 'Anne' }, source: 'x', date: '2026-11-01' },
        { sdu: '1', set: { eyes: 'blue' }, source: 'x', date: '2026-11-03' },
      ],
    }
    const address = await databaseOf(rows)
    const fromTables = await rejectsOf(address)
    const fromFiles = await rejectsOf(folderOfRecords(rows))
    const withoutPlace = ({ field, reason }: Rejected) =>
      `${field} ${reason.replaceAll(/authorities(?:\.ndjson:\d+|\[sdu=\d+\])/g, 'authorities')}`
    expect(fromTables.map(withoutPlace).sort()).toEqual(fromFiles.map(withoutPlace).sort())
    expect(fromTables.map(({ position }) => position)).toEqual([
      'corrections[date=2026-11-03,sdu=1]',
      ...['3', '4', '5', '7', 'x'].map((sdu) => `authorities[sdu=${sdu}]`).sort(),
      // Who claims one handle is known when all authorities were read.
      'authorities[sdu=1]',
      'authorities[sdu=6]',
      'topics[topic=Rust]',
      'connections[from=1,to=2,kind=follows]',
      'connections[from=1,to=2,kind=loves]',
      'connections[from=1,to=404,kind=follows]',
      'connections[from=1,to=nobody,kind=follows]',
    ])
  })

  it('may hold what only json can hold: a NUL is a reject, a line end is none', async () => {
    const address = await databaseOf({ authorities: [ann, bob] })
    await ask(
      address,
      `UPDATE authorities SET topics = '["a\\u0000"]' WHERE sdu = '1';
       UPDATE authorities SET topics = E'[\n"Go"\r\n]' WHERE sdu = '2'`,
    )
    const reading = await openSource(address).read()
    const entries = await entriesOf(reading.authorities)
    reading.close()
    expect(entries).toMatchObject([
      { field: 'topics.0', position: 'authorities[sdu=1]' },
      { value: { topics: [{ topic: 'Go' }] } },
    ])
  })

  it('is read as it was when the reading began, whatever is written meanwhile', async () => {
    const address = await databaseOf({ authorities: [ann, bob], connections: [follows] })
    const source = openSource(address)
    const before = await source.fingerprint()
    const reading = await source.read()
    await entriesOf(reading.corrections)
    await ask(address, "UPDATE authorities SET name = 'Eve'; DELETE FROM connections")
    const names = (await entriesOf(reading.authorities)).map(({ value }) => value?.name)
    await entriesOf(reading.topics)
    const connections = await connectionsOf(reading.connections)
    expect([names, connections.length]).toEqual([['Ann', 'Bob'], 1])
    expect([await reading.isSteady(), reading.fingerprint()]).toEqual([true, before])
    expect(await entriesOf(reading.connectionsAt(Uint32Array.of(1)))).toMatchObject([
      { position: 'connections[from=1,to=2,kind=follows]', value: { to: '2' } },
    ])
    reading.close()
    expect(await source.fingerprint()).not.toBe(before)
  })

  it('is read in memory that does not grow with it: a million people, slowly', async () => {
    const address = await databaseOf({})
    await ask(address, millionPeople)
    const reading = await openSource(address).read()
    const { records, bytes, grewBytes } = await streamed(reading.authorities)
    reading.close()
    expect(records).toBe(1_000_000)
    expect(bytes).toBeGreaterThan(400_000_000)
    expect(grewBytes).toBeLessThan(bytes / 8)
  })

  it('is not read again while its watermark is the same, and is when it is another', async () => {
    const address = await databaseOf({ authorities: [ann, bob], watermark: [{ version: 1 }] })
    const snapshots = temporaryDirectory()
    expect(await publishedBy(address, snapshots)).toBe(true)
    await insert(address, 'authorities', [{ ...ann, sdu: '3', name: 'Cleo Clay', socials: {} }])
    expect(await publishedBy(address, snapshots)).toBe(false)
    await ask(address, 'UPDATE watermark SET version = version + 1')
    expect(await publishedBy(address, snapshots)).toBe(true)
    expect(await publishedBy(address, snapshots)).toBe(false)
  })

  it('without a watermark is compared by its records', async () => {
    const address = await databaseOf({ authorities: [ann, bob] })
    const snapshots = temporaryDirectory()
    const seen = [await publishedBy(address, snapshots), await publishedBy(address, snapshots)]
    await insert(address, 'authorities', [{ ...ann, sdu: '3', name: 'Cleo Clay', socials: {} }])
    expect([...seen, await publishedBy(address, snapshots)]).toEqual([true, false, true])
  })

  it.each([
    ['with a watermark', [{ version: 1 }]],
    ['without one', undefined],
  ])('is watched: what is committed is published, %s', async (_, watermark) => {
    const address = await databaseOf({ authorities: [ann, bob], ...(watermark && { watermark }) })
    const snapshots = temporaryDirectory()
    const words = ['--watch', '--force', '--snapshots', snapshots, '--source', address]
    const child = start(['sync', ...words])
    const ended = endOf(child)
    const first = await announcedOtherThan(undefined, snapshots)
    await ask(
      address,
      `UPDATE authorities SET name = 'Eve' WHERE sdu = '1'; UPDATE watermark SET version = 2`,
    )
    expect(await announcedOtherThan(first, snapshots)).not.toBe(first)
    child.kill('SIGTERM')
    expect((await ended).exitCode).toBe(0)
  })

  it('may be views, of which other columns are ignored, with numbers for SDUs', async () => {
    const address = await databaseOf({})
    await ask(
      address,
      `DROP TABLE authorities, connections, topics, corrections;
       CREATE TABLE people (id bigint, called text, about text[], secret text);
       INSERT INTO people VALUES (7, 'Ann', '{Rust,Go}', 'x');
       CREATE VIEW authorities AS SELECT id AS sdu, called AS name, about AS topics, secret FROM people`,
    )
    const reading = await openSource(address).read()
    const [entry] = await entriesOf(reading.authorities)
    reading.close()
    expect(entry).toMatchObject({
      position: 'authorities[sdu=7]',
      raw: '{"sdu":"7","name":"Ann","topics":["Rust","Go"]}',
      value: { sdu: '7', name: 'Ann' },
    })
  })

  it('is read over TLS as sslmode says', async () => {
    const address = await databaseOf({ authorities: [ann] })
    const named = address.replace('127.0.0.1', 'localhost')
    const root = `sslrootcert=${server.certificate}`
    for (const parameters of ['sslmode=disable', 'sslmode=require', `sslmode=verify-ca&${root}`]) {
      await openSource(`${address}?${parameters}`).stamp()
    }
    await openSource(`${named}?sslmode=verify-full&${root}`).stamp()
    await expect(openSource(`${named}?sslmode=verify-full`).stamp()).rejects.toMatchObject({
      code: 'source-unreadable',
    })
    expect(() => openSource(`${address}?sslmode=prefer`)).toThrow('sslmode is one of')
  })

  it('is refused in one line where it cannot be read, and no line holds the password', async () => {
    const address = (await databaseOf({ authorities: [ann] })).replace(
      '//postgres',
      '//postgres:s3cr3t',
    )
    const refusalOf = async (uri: string) => {
      const { exitCode, stderr } = await run([
        'sync',
        '--source',
        uri,
        '--snapshots',
        temporaryDirectory(),
      ])
      expect([exitCode, stderr.includes('s3cr3t')]).toEqual([1, false])
      return stderr.trimEnd().split('\n').at(-1)
    }
    expect(await refusalOf(address.replace(/\d+$/, 'gone'))).toContain('cannot be read: database')
    expect(await refusalOf(address.replace(/:\d+\//, ':1/'))).toContain('ECONNREFUSED')
    await ask(address, 'ALTER TABLE authorities DROP COLUMN topics')
    expect(await refusalOf(address)).toContain('authorities has no column topics')
    await ask(address, 'DROP TABLE authorities')
    expect(await refusalOf(address)).toContain('has no table or view authorities')
  })

  it('that goes away while it is read is refused, and nothing is published', async () => {
    const address = await databaseOf({})
    await ask(address, millionPeople.replace('1000000', '100000'))
    const reading = await openSource(address).read()
    const taking = async () => {
      for await (const _ of reading.authorities) {
        await ask(
          server.address,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'authority-index sync'`,
        )
      }
    }
    await expect(taking()).rejects.toMatchObject({ code: 'source-unreadable' })
    reading.close()
  })
})

const millionPeople = `
  INSERT INTO authorities (sdu, name, bio, topics)
  SELECT n, 'Person ' || n, repeat('About ' || n || '. ', 32), '["Rust", "Go"]'
  FROM generate_series(1, 1000000) n`

function defaultRecords(): Rows {
  const files = ['authorities', 'connections', 'topics'].map((table) => {
    const text = readFileSync(join(root, 'snapshots', 'source', `${table}.ndjson`), 'utf8')
    const lines = text.split('\n').filter((line) => line !== '')
    return [table, lines.map((line) => JSON.parse(line))]
  })
  return Object.fromEntries(files)
}

async function insert(address: string, table: string, records: readonly object[]): Promise<void> {
  const query = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`
  await ask(address, query, [JSON.stringify(records)])
}

function folderOfRecords(rows: Rows): string {
  const directory = temporaryDirectory()
  for (const [table, records] of Object.entries(rows)) {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`)
    writeFileSync(join(directory, `${table}.ndjson`), lines.join(''))
  }
  return directory
}

/** A folder of files whose lines are the rows of a database, as they are read. */
async function folderOfLines(address: string): Promise<string> {
  const directory = join(temporaryDirectory(), 'source')
  mkdirSync(directory)
  const reading = await openSource(address).read()
  for (const { name, file } of recordTables) {
    const all = name === 'connections' ? undefined : reading[name as 'authorities']
    const count = Uint32Array.from({ length: 100_000 }, (_, index) => index + 1)
    const entries = await entriesOf<unknown>(all ?? reading.connectionsAt(count))
    writeFileSync(join(directory, file), entries.map(({ raw }) => `${raw}\n`).join(''))
  }
  reading.close()
  return directory
}

async function syncedHeader(source: string): Promise<SnapshotHeader> {
  const snapshots = temporaryDirectory()
  expect(await publishedBy(source, snapshots)).toBe(true)
  return headerIn(snapshots)
}

async function headerIn(snapshots: string): Promise<SnapshotHeader> {
  const id = readPointer(snapshots, 'CURRENT') ?? ''
  return loadStored(snapshots, id).header
}

async function publishedBy(source: string, snapshots: string): Promise<boolean> {
  const gates = ['--gate', 'authorities-change-max=1', '--gate', 'profiles-change-max=1']
  const words = ['--json', '--source', source, '--snapshots', snapshots, ...gates]
  const { stdout, stderr } = await run(['sync', ...words])
  expect(stdout, stderr).toContain('"published"')
  return JSON.parse(stdout).published
}

interface Rejected {
  readonly position: string
  readonly field: string
  readonly reason: string
}

async function rejectsOf(source: string): Promise<Rejected[]> {
  const snapshots = temporaryDirectory()
  const shares = ['--gate', 'reject-share-max=1', '--gate', 'dangling-share-max=1']
  const { exitCode, stderr } = await run([
    'sync',
    '--source',
    source,
    '--snapshots',
    snapshots,
    ...shares,
  ])
  expect(exitCode, stderr).toBe(0)
  const text = readFileSync(join(snapshots, 'rejects.ndjson'), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Takes records one batch after the other, resting between them; how much memory that took. */
async function streamed(batches: Batches<unknown>) {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const memory = () => process.memoryUsage.rss()
  collectGarbage()
  const before = memory()
  let [records, bytes, most] = [0, 0, before]
  for await (const batch of batches) {
    records += batch.length
    for (const { raw } of batch) bytes += raw.length
    // Garbage is nothing that grows: what a busy machine has not collected yet does not count.
    if (memory() > most) collectGarbage()
    most = Math.max(most, memory())
    if (records < 20_000) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { records, bytes, grewBytes: most - before }
}

async function announcedOtherThan(before: string | undefined, snapshots: string): Promise<string> {
  for (;;) {
    const id = readPointer(snapshots, 'CURRENT')
    if (id !== undefined && id !== before) return id
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
