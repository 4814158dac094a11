/** A ledger's SQL in a file of SQLite: transactions, processes beside each other, and files that are not left alone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Contradiction } from '../../../../src/ledger/sql/port.ts'
import { SqliteFile } from '../../../../src/ledger/sql/sqlite/driver.ts'
import { isSound } from '../../../../src/process/sqlite.ts'
import { temporaryDirectory } from '../../../support/ledger-fixture.ts'
import { compiled } from '../../../support/processes/compiled.ts'

const writer = compiled(join(import.meta.dirname, 'writer.ts'))
const table = 'create table item (n bigint primary key check (n > 0), at_ms bigint not null)'
const add = 'insert into item (n, at_ms) select coalesce(max(n), 0) + 1, now_ms() from item'

type Options = Partial<ConstructorParameters<typeof SqliteFile>[0]>

/** A file with an empty table, open as that of a service. */
async function newFile() {
  const path = join(temporaryDirectory(), 'ledger.db')
  const sql = open(path, { create: true })
  await sql.transaction((query) => query(table))
  return { path, sql }
}

function open(path: string, options: Options = {}): SqliteFile {
  const sql = new SqliteFile({ path, isService: true, clock: () => 1_700, ...options })
  onTestFinished(() => sql.close().catch(() => {}))
  return sql
}

function start(...words: string[]): ChildProcess {
  const child = spawn(process.execPath, [writer, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

function ask<R extends object>(sql: SqliteFile, text: string, values: readonly unknown[] = []) {
  return sql.snapshot((query) => query<R>(text, values))
}

async function countOf(sql: SqliteFile): Promise<number> {
  return (await ask<{ count: number }>(sql, 'select count(*) as count from item'))[0]!.count
}

test.each([
  ['3.51.2', false],
  ['3.51.3', true],
  ['3.52.0', false],
  ['3.52.1', true],
  ['3.53.0', true],
  ['4.0.0', true],
  ['3.49.1', false],
  ['3.6.23', false],
])('SQLite %s is sound: %s', (version, sound) => {
  expect(isSound(version)).toBe(sound)
})

describe('a file of SQLite', () => {
  test('is on the disk with each commit, on each of its connections', async () => {
    const { sql } = await newFile()
    for (const asked of [
      (text: string) => ask(sql, text),
      (text: string) => sql.transaction((query) => query(text)),
    ]) {
      expect(await asked('pragma synchronous')).toEqual([{ synchronous: 2 }])
      expect(await asked('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }])
      expect(await asked('pragma wal_autocheckpoint')).toEqual([{ wal_autocheckpoint: 0 }])
    }
  })

  test('spells the tokens of statements, and keeps whole numbers whole', async () => {
    const { sql } = await newFile()
    await sql.transaction(async (query) => {
      const items = [
        [1, 10],
        [2, 9_007_199_254_740_991],
      ]
      await query(
        'insert into item (n, at_ms) select n, at_ms from rows($1 as n bigint, at_ms bigint) as new',
        [items],
      )
      await query('select 1 from item where n = $1 for update', [1])
    })
    expect(await ask(sql, 'select n, at_ms, n / $1 as half from item order by n', [2])).toEqual([
      { n: 1, at_ms: 10, half: 0 },
      { n: 2, at_ms: 9_007_199_254_740_991, half: 1 },
    ])
    const some = 'select n from item where n in list($1 as bigint) for update skip locked'
    expect(await ask(sql, some, [[2, 3]])).toEqual([{ n: 2 }])
    expect(await ask(sql, 'select now_ms() as now, typeof(now_ms()) as type')).toEqual([
      { now: 1_700, type: 'integer' },
    ])
  })

  test('takes a transaction whole or not at all, and one after the other', async () => {
    const { sql } = await newFile()
    const failed = sql.transaction(async (query) => {
      await query(add)
      await sleep(5)
      throw new Error('not today')
    })
    const done = sql.transaction((query) => query(`${add} returning n`))
    await expect(failed).rejects.toThrow('not today')
    expect(await done).toEqual([{ n: 1 }])
    await expect(
      sql.transaction((query) => query('insert into item values (0, 0)')),
    ).rejects.toThrow(Contradiction)
    expect(await countOf(sql)).toBe(1)
  })

  test('shows one moment to a look, while it is written to', async () => {
    const { sql } = await newFile()
    await sql.transaction((query) => query(add))
    const counts = await sql.snapshot(async (query) => {
      const count = async () =>
        (await query<{ count: number }>('select count(*) as count from item'))[0]!.count
      const before = await count()
      await sql.transaction((write) => write(add))
      return [before, await count()]
    })
    expect([counts, await countOf(sql)]).toEqual([[1, 1], 2])
  })
})

describe('another process', () => {
  test('that writes is waited for without blocking this one', async () => {
    const { path, sql } = await newFile()
    const other = start(path, 'hold', '400')
    await once(createInterface({ input: other.stdout! }), 'line')
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 10)
    await sql.transaction((query) => query(add))
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(10)
    expect(await countOf(sql)).toBe(2)
  })

  test('that has the whole file is waited for when it is opened', async () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const other = start(path, 'whole', '300')
    await once(createInterface({ input: other.stdout! }), 'line')
    expect(await countOf(open(path))).toBe(0)
  })

  test('that writes for too long is a refusal that changes nothing, and reads go on', async () => {
    const { path, sql } = await newFile()
    const other = start(path, 'hold', '60000')
    await once(createInterface({ input: other.stdout! }), 'line')
    await expect(sql.transaction((query) => query(add))).rejects.toMatchObject({
      code: 'ledger-refused',
      message: expect.stringContaining('database is locked'),
    })
    expect(await countOf(sql)).toBe(0)
  })

  test('that is killed again and again loses nothing that it acknowledged', async () => {
    const { path, sql } = await newFile()
    for (let round = 0; round < 10; round += 1) {
      const other = start(path, 'rows')
      let acknowledged = 0
      const lines = createInterface({ input: other.stdout! })
      lines.on('line', (line) => {
        acknowledged = Number(line)
      })
      await once(lines, 'line')
      for (let own = 0; own < 20; own += 1) await sql.transaction((query) => query(add))
      const closed = once(lines, 'close')
      other.kill('SIGKILL')
      await closed
      expect(await countOf(sql)).toBeGreaterThanOrEqual(acknowledged)
    }
    expect(await ask(sql, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })
})

describe('a commit is not acknowledged', () => {
  const faults: readonly (readonly [string, string, (path: string) => void])[] = [
    ['the file was deleted', 'ledger.db is gone', (path) => rmSync(path)],
    ['the file was moved', 'ledger.db is gone', (path) => renameSync(path, `${path}-away`)],
    [
      'a copy took its place',
      'ledger.db was moved or replaced',
      (path) => {
        copyFileSync(path, `${path}-copy`)
        renameSync(`${path}-copy`, path)
      },
    ],
    ['the file was cut off', 'ledger.db was cut off', (path) => truncateSync(path, 4_096)],
    [
      'the file was written over',
      'ledger.db was written over',
      (path) => writeFileSync(path, Buffer.alloc(statSync(path).size), { flag: 'r+' }),
    ],
    ['its -wal was deleted', '-wal is gone', (path) => rmSync(`${path}-wal`)],
    ['its -wal was cut off', '-wal was cut off', (path) => truncateSync(`${path}-wal`, 32)],
    ['its -shm was deleted', '-shm is gone', (path) => rmSync(`${path}-shm`)],
  ]

  test.each(faults)('where %s', async (_, says, fault) => {
    const { path, sql } = await newFile()
    // More than one page in the file, and something in the -wal.
    await sql.transaction((query) => query('create index item_at on item (at_ms)'))
    await sql.close()
    const again = open(path)
    await again.transaction((query) => query(add))
    fault(path)
    await expect(again.transaction((query) => query(add))).rejects.toThrow(says)
  })

  test('where its file was moved within the transaction', async () => {
    const { path, sql } = await newFile()
    const done = sql.transaction(async (query) => {
      await query(add)
      renameSync(path, `${path}-away`)
    })
    await expect(done).rejects.toThrow('is gone')
  })
})

test('the service checkpoints, and takes what it wrote for its own', async () => {
  const { path, sql } = await newFile()
  await sql.transaction((query) => query('create table large (content text not null)'))
  const bytes = statSync(path).size
  const content = 'x'.repeat(1_000_000)
  for (let times = 0; times < 8; times += 1) {
    await sql.transaction((query) => query('insert into large (content) values ($1)', [content]))
  }
  expect(statSync(path).size).toBeGreaterThan(bytes + 4_000_000)
  expect(statSync(`${path}-wal`).size).toBeLessThan(6_000_000)
  expect(sql.checkpointFailures).toBe(0)
})
