/** The outbox: what was sold is there after a crash, in order, until the database has it. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Outbox } from '../../../../src/ledger/leases/outbox/outbox.ts'
import { salesOf, startMs, temporaryDirectory } from '../../../support/ledger-fixture.ts'

const charges = [{ accountNumber: 1, keyId: 'key_1', sales: salesOf({ search: 2 }) }]
const database = '00000000-0000-4000-8000-00000000000d'

function opened(directory = temporaryDirectory()) {
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  const outbox = new Outbox({ directory, clock: () => startMs, report })
  onTestFinished(() => outbox.close())
  return { outbox, directory, lines }
}

/** An outbox that was closed, with so many windows. */
async function closedWith(windows: number) {
  const { outbox, directory } = opened()
  outbox.begin('a', database)
  for (let number = 1; number <= windows; number += 1) outbox.add({ number, charges }, 0)
  await outbox.close()
  return { directory, path: join(directory, 'outbox.mdb') }
}

function setAside(directory: string): string[] {
  return readdirSync(directory).filter((name) => /^outbox-.*\.mdb$/.test(name))
}

describe('an outbox', () => {
  it('holds windows in their order, also for who opens it next', async () => {
    const { outbox, directory } = opened()
    expect(outbox.session).toBeUndefined()
    outbox.begin('a', database)
    outbox.add({ number: 9, charges }, 0)
    outbox.add({ number: 10, charges }, 0)
    await outbox.close()
    const { outbox: second, lines } = opened(directory)
    expect([second.session, second.database]).toEqual(['a', database])
    expect(second.windows()).toEqual([
      { number: 9, charges },
      { number: 10, charges },
    ])
    expect(lines).toEqual([])
  })

  it('of another form is refused, with what to do, and keeps its windows', async () => {
    const { directory, path } = await closedWith(2)
    const file = open({ path, maxDbs: 3 })
    file.openDB<number, string>('form', {}).putSync('form', 5)
    await file.close()
    expect(() => opened(directory)).toThrow(
      `the outbox in ${directory} has form 5, and this version reads form 11 only: start the version that wrote it once more`,
    )
    expect(setAside(directory)).toEqual([])
    const same = open({ path, maxDbs: 3 })
    expect(same.openDB('windows', {}).getKeysCount()).toBe(2)
    await same.close()
  })

  it('forgets what was told, and everything with another session', () => {
    const { outbox } = opened()
    outbox.begin('a', database)
    outbox.add({ number: 1, charges }, 0)
    outbox.add({ number: 2, charges }, 0)
    outbox.add({ number: 4, charges }, 2)
    expect(outbox.windows().map(({ number }) => number)).toEqual([4])
    outbox.begin('b', database)
    expect([outbox.session, outbox.windows()]).toEqual(['b', []])
  })

  it('is left to another database as a file with what was not told, and begins empty', async () => {
    const { outbox, directory, lines } = opened()
    outbox.begin('a', database)
    outbox.add({ number: 1, charges }, 0)
    outbox.add({ number: 2, charges }, 0)
    await outbox.leave('it is for another', 1)
    expect([outbox.session, outbox.windows()]).toEqual([undefined, []])
    expect(setAside(directory)).toHaveLength(1)
    expect(lines).toEqual([
      expect.stringMatching(
        /^it is for another; it is set aside as .*\.mdb, .*: 1 windows of session a could be read, 0\.002 USD of 1 accounts$/,
      ),
    ])
  })

  it('is not left as a file where everything was told', async () => {
    const { outbox, directory, lines } = opened()
    outbox.begin('a', database)
    outbox.add({ number: 1, charges }, 0)
    await outbox.leave('it is for another', 1)
    expect([setAside(directory), lines]).toEqual([[], []])
  })

  it.each([
    ['is empty', (path: string) => truncateSync(path, 0), 0],
    ['is cut off behind its heads', (path: string) => truncateSync(path, 8_192), 0],
    ['holds something else', (path: string) => writeFileSync(path, 'garbage'.repeat(5_000)), 0],
    ['has one damaged page', (path: string) => damageLeaf(path), 1],
  ])('that %s is set aside with a report of what could be read', async (_, damage, least) => {
    const { directory, path } = await closedWith(300)
    damage(path)
    const { outbox, lines } = opened(directory)
    expect([outbox.session, outbox.windows()]).toEqual([undefined, []])
    expect(setAside(directory)).toHaveLength(1)
    expect(lines).toHaveLength(1)
    const read = Number(/: (\d+) windows .* could be read/.exec(lines[0]!)?.[1])
    expect(read).toBeGreaterThanOrEqual(least)
    expect(read).toBeLessThan(300)
    outbox.begin('b', database)
    expect(outbox.session).toBe('b')
  })
})

/** Changes the page number of the leaf that holds the session's last windows, which LMDB would crash on. */
function damageLeaf(path: string): void {
  const file = readFileSync(path)
  const pageBytes = 4_096
  const leaves = Array.from({ length: file.length / pageBytes }, (_, page) => page).filter(
    (page) => page >= 2 && file.readUInt16LE(page * pageBytes + 18) === 2,
  )
  for (const page of leaves.slice(0, leaves.length / 2)) file[page * pageBytes]! ^= 0xff
  writeFileSync(path, file)
}
