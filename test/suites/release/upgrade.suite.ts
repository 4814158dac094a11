/**
 * One service, from the version before to this one and back, on one data directory and one directory of snapshots:
 * what each reads of the other, and what it says of what it cannot read.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { announcedId } from '../../../src/snapshot/store/directory.ts'
import { bothVersions, hasBefore, priceUsd, type Version, type Versions } from './versions.ts'

/** An operator's directories, copied for each test from what the version before has left. */
interface Operated {
  readonly data: string
  readonly snapshots: string
  readonly source: string
  /** Words of `serve`. */
  readonly places: readonly string[]
}

function operatedIn(directory: string): Operated {
  const [data, snapshots, source] = ['data', 'snapshots', 'source'].map((name) =>
    join(directory, name),
  )
  const places = ['--data', data!, '--snapshots', snapshots!]
  return { data: data!, snapshots: snapshots!, source: source!, places }
}

/** Who is removed in the version before: anybody of the default records. */
const forgotten = '22779958488140763'

/** What the account has: its opening balance and a top-up. */
const creditUsd = 60

describe.runIf(hasBefore)('a service of the version before', () => {
  let versions: Versions
  let template: string
  let key = ''
  let sold = 0

  /** Sells some queries; each has to be answered. */
  async function sell(serving: { sell: (of: string) => Promise<number> }, count: number) {
    for (let done = 0; done < count; done += 1) expect(await serving.sell(key)).toBe(200)
    return count
  }

  /** What the version before has left, in directories of a test's own. */
  function left(): Operated {
    const directory = mkdtempSync(join(tmpdir(), 'upgrade-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    cpSync(template, directory, { recursive: true })
    return operatedIn(directory)
  }

  async function booksOf(version: Version, { data }: Operated) {
    const [accounts, keys, statement] = await Promise.all([
      version.json('account', 'list', '--data', data),
      version.json('key', 'list', '--data', data),
      version.json('account', 'statement', 'ann', '--data', data),
    ])
    return { accounts, keys, statement }
  }

  async function expectBalance(
    version: Version,
    { data }: Operated,
    queries: number,
    creditedUsd = creditUsd,
  ) {
    const accounts = await version.json('account', 'list', '--data', data)
    const ann = accounts.find(({ account }: { account: string }) => account === 'ann')
    expect(ann.balance_usd).toBeCloseTo(creditedUsd - queries * priceUsd, 6)
    const { exitCode, stdout } = await version.run('ledger', 'verify', '--data', data)
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('the books balance')])
  }

  /** Has this version make its snapshot from the same records, without --force. */
  /** As docs/data.md says for the way back: the version before reads a list with its key inside only. */
  function putKeyBack({ snapshots }: Operated): void {
    const list = join(snapshots, 'REMOVED')
    const { removals } = JSON.parse(readFileSync(list, 'utf8'))
    const key = readFileSync(`${snapshots}.removal-key`, 'utf8').trim()
    writeFileSync(list, JSON.stringify({ key, removals }))
  }

  async function syncNow({ snapshots, source }: Operated) {
    const { exitCode, stderr } = await versions.now.run(
      'sync',
      '--snapshots',
      snapshots,
      '--source',
      source,
    )
    expect(exitCode, stderr).toBe(0)
    return announcedId(snapshots)!
  }

  beforeAll(async () => {
    versions = bothVersions()
    const { before } = versions
    template = mkdtempSync(join(tmpdir(), 'upgrade-'))
    const { data, snapshots, source, places } = operatedIn(template)
    cpSync(join(before.root, 'snapshots', 'source'), source, { recursive: true })
    const sync = ['sync', '--snapshots', snapshots, '--source', source]
    expect((await before.run(...sync)).exitCode).toBe(0)
    const reason = ['--reason', 'asked for it', '--snapshots', snapshots]
    expect((await before.run('forget', forgotten, ...reason)).exitCode).toBe(0)
    expect((await before.run(...sync)).exitCode).toBe(0)
    for (const words of [
      ['account', 'create', 'ann'],
      ['account', 'top-up', 'ann', '10', '--reference', 'first'],
      ['account', 'create', 'bob'],
      ['account', 'suspend', 'bob'],
    ]) {
      expect((await before.run(...words, '--data', data)).exitCode).toBe(0)
    }
    const issued = await before.json(
      'key',
      'issue',
      '--account',
      'ann',
      '--label',
      'old',
      '--data',
      data,
    )
    key = issued.key
    const serving = await before.serve(...places)
    sold = await sell(serving, 20)
    await serving.stop()
  })

  afterEach(() => versions.end())
  afterAll(() => rmSync(template, { recursive: true, force: true }))

  it('leaves a ledger of which this version reads every account, key, credit and charge', async () => {
    const operated = left()
    const before = await booksOf(versions.before, operated)
    expect(before.statement.charges).not.toEqual([])
    // This version may tell more of an account or a key, and tells the same of what both tell.
    expect(await booksOf(versions.now, operated)).toMatchObject(before)
    await expectBalance(versions.now, operated, sold)
  })

  it('leaves a snapshot that this version serves, or refuses in one line that names the command', async () => {
    const operated = left()
    const id = announcedId(operated.snapshots)!
    const file = join(operated.snapshots, `${id}.msgpack`)
    const { exitCode } = await versions.now.run('snapshot', 'verify', file)
    if (exitCode === 0) {
      const serving = await versions.now.serve(...operated.places)
      expect(serving.snapshotId).toBe(id)
      return
    }
    const ended = await versions.now.run('serve', '--port', '0', ...operated.places)
    expect(ended.exitCode).toBe(1)
    const last = ended.stderr.trim().split('\n').at(-1)
    expect(last).toMatch(
      /no snapshot to serve: .* is of version \d+, and this program reads \d+.*authority-index sync/,
    )
  })

  it('is followed by this version after one sync, which compares and needs no --force', async () => {
    const operated = left()
    const id = await syncNow(operated)
    const serving = await versions.now.serve(...operated.places)
    expect(serving.snapshotId).toBe(id)
    expect(serving.log()).not.toMatch(/refused|fallback|broken/)
    const more = await sell(serving, 10)
    const headers = { authorization: `Bearer ${key}` }
    const gone = await fetch(`${serving.address}/api/v1/detail?sdu=${forgotten}`, { headers })
    expect(await gone.json()).toMatchObject({ results: [] })
    await serving.stop()
    // A detail that finds nobody costs nothing or its price: the statement says which.
    const { statement } = await booksOf(versions.now, operated)
    const charged = statement.charges.reduce(
      (sum: number, { queries }: { queries: number }) => sum + queries,
      0,
    )
    expect(charged - sold - more).toBeLessThanOrEqual(1)
    await expectBalance(versions.now, operated, charged)
  })

  it('goes on with its snapshot while this version announces one beside it', async () => {
    const operated = left()
    const old = announcedId(operated.snapshots)!
    const serving = await versions.before.serve(...operated.places)
    const id = await syncNow(operated)
    await expect
      .poll(
        async () => {
          const { snapshot_id: served, refusals } = await serving.readiness()
          return served === id || Number(refusals) > 0
        },
        { timeout: 20_000 },
      )
      .toBe(true)
    expect(await serving.readiness()).toMatchObject({ ready: true })
    expect([old, id]).toContain((await serving.readiness()).snapshot_id)
    await sell(serving, 5)
    await serving.stop()
    await expectBalance(versions.now, operated, sold + 5)
  })

  it('can be gone back to: it serves what it can read, and has what this version sold', async () => {
    const operated = left()
    const old = announcedId(operated.snapshots)!
    const id = await syncNow(operated)
    const between = await versions.now.serve(...operated.places)
    await sell(between, 10)
    const { data } = operated
    await versions.now.run('account', 'top-up', 'ann', '1', '--reference', 'second', '--data', data)
    const issued = await versions.now.json('key', 'issue', '--account', 'ann', '--data', data)
    await between.stop()
    putKeyBack(operated)

    const again = await versions.before.serve(...operated.places)
    expect([old, id]).toContain(again.snapshotId)
    if (again.snapshotId === old) expect(again.log()).toContain(`ATTENTION: serving ${old}`)
    await sell(again, 5)
    expect(await again.sell(issued.key)).toBe(200)
    await again.stop()
    await expectBalance(versions.before, operated, sold + 16, creditUsd + 1)
    // This version may tell more of an account or a key than the one before, and the same of what both tell.
    const before = await booksOf(versions.before, operated)
    expect(await booksOf(versions.now, operated)).toMatchObject(before)
  })

  it('can be gone back to after this version was killed, and charges no query twice', async () => {
    const operated = left()
    await syncNow(operated)
    const killed = await versions.now.serve(...operated.places, '--commit-window', '10')
    await sell(killed, 10)
    await killed.stop('SIGKILL')
    putKeyBack(operated)
    const again = await versions.before.serve(...operated.places)
    await sell(again, 5)
    await again.stop()
    const { statement } = await booksOf(versions.before, operated)
    const charged = statement.charges.reduce(
      (sum: number, { queries }: { queries: number }) => sum + queries,
      0,
    )
    expect(charged).toBeLessThanOrEqual(sold + 15)
    expect(charged).toBeGreaterThanOrEqual(sold + 5)
    await expectBalance(versions.now, operated, charged)
  })

  it('syncs again after this version only with --force, and says so', async () => {
    const operated = left()
    const { snapshots, source } = operated
    const id = await syncNow(operated)
    const verified = await versions.before.run(
      'snapshot',
      'verify',
      join(snapshots, `${id}.msgpack`),
    )
    putKeyBack(operated)
    const sync = ['sync', '--snapshots', snapshots, '--source', source]
    const { exitCode, stderr } = await versions.before.run(...sync)
    if (verified.exitCode === 0) return expect([0, stderr]).toEqual([exitCode, stderr])
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('use --force; nothing was published'),
    ])
    expect(announcedId(snapshots)).toBe(id)
    expect((await versions.before.run(...sync, '--force')).exitCode).toBe(0)
    const serving = await versions.before.serve(...operated.places)
    expect(serving.snapshotId).toBe(announcedId(snapshots))
    expect(readdirSync(snapshots)).toContain('REMOVED')
  })
})
