/** Everything that writes a file, on a disk that is full or fails: it says why, or goes on; nothing is lost. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadStored } from '../../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { chargeOf, newBooks, newSession } from '../../support/ledger-fixture.ts'
import { until } from '../../support/operated.ts'
import { copyDefaultSnapshot, type Ended, run, start } from '../../support/program.ts'
import { syncWords } from '../../support/synced.ts'
import { isFull } from './support/counts.ts'
import { type Fault, FaultyDisk, lackOfDisks, lackOfFaults, SmallDisk } from './support/disk.ts'
import { startOutside } from './support/service.ts'

const beside = { serviceHost: '127.0.0.1', besideService: [], besideClients: [] }

/** One line that says what is wrong, without a stack. */
function expectClear({ exitCode, signal, stderr }: Ended, cause: RegExp): void {
  expect({ signal, hasFailed: exitCode !== 0 }).toEqual({ signal: null, hasFailed: true })
  expect(stderr).toMatch(cause)
  expect(stderr).not.toMatch(/^ {4}at /m)
}

function linesOf(text: string): number {
  return text.split('\n').filter((line) => line !== '').length
}

const causes = { EIO: /EIO|i\/o error/i, ENOSPC: /ENOSPC|no space/i, EROFS: /EROFS|read-only/i }

function leftovers(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /tmp|partial/.test(name),
  )
}

function current(snapshots: string): string {
  return readFileSync(join(snapshots, 'CURRENT'), 'utf8').trim()
}

function writeSource(directory: string, people: number): void {
  const lines = Array.from({ length: people }, (_, index) =>
    JSON.stringify({ sdu: String(index + 1), name: `Person ${index + 1}`, topics: ['Rust'] }),
  )
  writeFileSync(join(directory, 'authorities.ndjson'), `${lines.join('\n')}\n{"sdu":"no record"}\n`)
}

/** A source that was synced once, and has one person more since. */
async function synced(snapshots = join(temporaryDirectory(), 'snapshots')) {
  const source = temporaryDirectory()
  writeSource(source, 200)
  const words = [...syncWords(source, snapshots), '--keep', '9']
  expect(await run(words)).toMatchObject({ exitCode: 0 })
  const first = current(snapshots)
  writeSource(source, 201)
  return { snapshots, words, first }
}

/** What the sync works with has these names: the snapshot, the pointer, the changes, the rejects. */
const ofSync: readonly Fault[] = [
  { calls: 'write', error: 'ENOSPC', file: 'profiles.tmp' },
  { calls: 'open', error: 'EROFS', file: 'profiles.tmp' },
  { calls: 'read', error: 'EIO', file: 'profiles.tmp' },
  { calls: 'write', error: 'ENOSPC', file: '.msgpack.tmp' },
  { calls: 'write', error: 'ENOSPC', file: '.msgpack.tmp', from: 8_192 },
  { calls: 'sync', error: 'EIO', file: '.msgpack.tmp' },
  { calls: 'open', error: 'EROFS', file: '.msgpack.tmp' },
  { calls: 'rename', error: 'EIO', file: '.msgpack' },
  { calls: 'read', error: 'EIO', file: '.msgpack.tmp' },
  { calls: 'write', error: 'ENOSPC', file: 'CURRENT.tmp' },
  { calls: 'sync', error: 'EIO', file: 'CURRENT.tmp' },
  { calls: 'open', error: 'ENOSPC', file: 'CURRENT.tmp' },
  { calls: 'rename', error: 'EIO', file: 'CURRENT' },
  { calls: 'write', error: 'ENOSPC', file: 'rejects.ndjson' },
  { calls: 'any', error: 'EIO', file: '/changes/' },
  { calls: 'write', error: 'ENOSPC', file: '/changes/' },
  { calls: 'sync', error: 'EIO', file: '/changes/' },
  { calls: 'rename', error: 'ENOSPC', file: '/changes/' },
  { calls: 'open', error: 'ENOSPC', file: '/changes/' },
  { calls: 'any', error: 'ENOSPC', file: '/snapshots/' },
  { calls: 'any', error: 'EIO', file: '/snapshots/' },
]
/** Without `OUTSIDE=full`, one of each file. */
const isFirst = ({ file }: Fault, index: number) =>
  index === ofSync.findIndex((each) => each.file === file)
const chosen = ofSync.filter((fault, index) => isFull || isFirst(fault, index))

const faultLack = lackOfFaults()
if (faultLack !== undefined) console.warn(`not tried: ${faultLack}`)
const diskLack = lackOfDisks()
if (diskLack !== undefined) console.warn(`not tried: ${diskLack}`)

describe.skipIf(faultLack !== undefined)('a sync whose disk fails', () => {
  test.each(chosen)(
    'by $error of $calls on $file says so, leaves all as it was, and heals',
    async (fault) => {
      const { snapshots, words, first } = await synced()
      const disk = FaultyDisk.make()
      disk.fail(fault)
      expectClear(await run(words, { variables: disk.variables }), causes[fault.error])
      expect(current(snapshots)).toBe(first)
      expect(leftovers(snapshots)).toEqual([])
      expect(() => loadStored(snapshots, first)).not.toThrow()
      disk.heal()
      const again = await run(words, { variables: disk.variables })
      expect(again).toMatchObject({ exitCode: 0 })
      expect(current(snapshots)).not.toBe(first)
    },
  )

  test('while it watches says that it tries again, and publishes when the disk is well', async () => {
    const { snapshots, words, first } = await synced()
    const disk = FaultyDisk.make()
    disk.fail({ calls: 'any', error: 'ENOSPC', file: '/snapshots/' })
    const child = start([...words, '--watch', '--interval', '1'], { variables: disk.variables })
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    child.stderr!.on('data', (text: string) => {
      said += text
    })
    await until(() => /ENOSPC.*; trying again until it works"/.test(said))
    expect([child.exitCode, current(snapshots)]).toEqual([null, first])
    disk.heal()
    await until(() => current(snapshots) !== first)
  })
})

describe.skipIf(diskLack !== undefined)('a disk that is full', () => {
  test('refuses a sync with a line; what is served stays, and a sync works when there is room', async () => {
    const disk = SmallDisk.mount(8 << 20)
    const { snapshots, words, first } = await synced(join(disk.directory, 'snapshots'))
    disk.fill()
    expectClear(await run(words), causes.ENOSPC)
    expect(current(snapshots)).toBe(first)
    expect(leftovers(snapshots)).toEqual([])
    disk.empty()
    expect(await run(words)).toMatchObject({ exitCode: 0 })
    expect(current(snapshots)).not.toBe(first)
  })

  test('refuses pinning, and forgets nobody by half', async () => {
    const disk = SmallDisk.mount(8 << 20)
    const { snapshots, words, first } = await synced(join(disk.directory, 'snapshots'))
    const places = ['--snapshots', snapshots]
    const [, , source = ''] = words
    const forget = ['forget', '7', '--reason', 'asked', '--source', source, ...places]
    disk.fill()
    for (const command of [['snapshot', 'pin', first, ...places], forget]) {
      expectClear(await run(command), causes.ENOSPC)
    }
    expect(existsSync(join(snapshots, 'PINNED'))).toBe(false)
    expect(leftovers(snapshots)).toEqual([])
    disk.empty()
    expect(await run(['snapshot', 'pin', first, ...places])).toMatchObject({ exitCode: 0 })
    expect(await run(['snapshot', 'unpin', ...places])).toMatchObject({ exitCode: 0 })
    expect(await run(forget)).toMatchObject({ exitCode: 0 })
  })

  test('refuses each command that writes the books with a line, and changes none of them', async () => {
    const disk = SmallDisk.mount(4 << 20)
    const data = join(disk.directory, 'data')
    const at = ['--data', data]
    expect(await run(['account', 'create', 'alice', ...at])).toMatchObject({ exitCode: 0 })
    const before = await run(['admin', 'getStatement', 'account=alice', '--json', ...at])
    disk.fill()
    const above = join(disk.directory, 'backups')
    const commands = [
      ['key', 'issue', '--account', 'alice', ...at],
      ['account', 'top-up', 'alice', '5', '--reference', 'paid', ...at],
      ['account', 'create', 'bob', ...at],
      ['ledger', 'backup', join(above, 'today'), ...at],
    ]
    for (const command of commands) {
      const ended = await run(command)
      expectClear(ended, causes.ENOSPC)
      expect([ended.exitCode, ended.stdout, linesOf(ended.stderr)]).toEqual([1, '', 1])
    }
    expect(existsSync(above)).toBe(false)
    // SQLite has no room for the memory that its processes share, either: it reads nothing then.
    disk.empty()
    expect(await run(['ledger', 'verify', ...at])).toMatchObject({ exitCode: 0 })
    expect((await run(['admin', 'getStatement', 'account=alice', '--json', ...at])).stdout).toBe(
      before.stdout,
    )
    disk.empty()
    for (const command of commands) expect(await run(command)).toMatchObject({ exitCode: 0 })
    expect(await run(['ledger', 'verify', ...at])).toMatchObject({ exitCode: 0 })
  })

  test('refuses a large batch of charges, and charges it once when there is room', async () => {
    const disk = SmallDisk.mount(60 << 20)
    const books = await newBooks(undefined, join(disk.directory, 'data'))
    const numbers = Array.from({ length: 500 }, (_, index) => index + 1)
    for (const number of numbers) await books.createAccount(`a${number}`)
    // A service that ends leaves a -wal without room.
    await (await newSession(books.place)).session.close()
    const { session } = await newSession(books.place)
    const charges = numbers.flatMap((number) => [
      chargeOf(number, 'key_1', 3),
      chargeOf(number, 'key_1', 1, 'match'),
    ])
    const charge = () => session.commit({ number: 1, charges })
    disk.fill()
    await expect(charge()).rejects.toThrow(/no space/)
    expect(await books.audit()).toMatchObject({ rows: 500, contradictions: [] })
    disk.empty()
    await charge()
    expect(await books.audit()).toMatchObject({ rows: 1_500, contradictions: [] })
  })

  test('keeps a service from its first start with a line, and a later start works', async () => {
    const disk = SmallDisk.mount(4 << 20)
    const snapshots = copyDefaultSnapshot(join(temporaryDirectory(), 'snapshots'))
    const data = join(disk.directory, 'data')
    const words = ['--snapshots', snapshots, '--data', data]
    disk.fill()
    expectClear(await run(['serve', '--port', '0', ...words]), causes.ENOSPC)
    disk.empty()
    const service = await startOutside(beside, temporaryDirectory(), { snapshots, data })
    expect((await service.books()).queriesCharged).toBe(0)
  })
})
