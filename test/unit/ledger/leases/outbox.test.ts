/** The outbox: what was sold is there after a crash, in order, until the database has it. */
import { readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Outbox } from '../../../../src/ledger/leases/outbox.ts'
import { ledgerForm } from '../../../../src/ledger/sql/form.ts'
import { SqliteFile } from '../../../../src/ledger/sql/sqlite/driver.ts'
import { chargeOf, startMs, temporaryDirectory } from '../../../support/ledger-fixture.ts'

const charges = [chargeOf(1, 'key_1', 2)]
const database = '00000000-0000-4000-8000-00000000000d'

async function opened(directory = temporaryDirectory()) {
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  const outbox = await Outbox.open({ directory, clock: () => startMs, report })
  onTestFinished(() => outbox.close().catch(() => {}))
  return { outbox, directory, lines }
}

/** An outbox that was closed, with so many windows. */
async function closedWith(windows: number) {
  const { outbox, directory } = await opened()
  outbox.begin('a', database, 0)
  for (let number = 1; number <= windows; number += 1) outbox.add({ number, charges }, 0)
  await outbox.close()
  return { directory, path: join(directory, 'outbox.db') }
}

function setAside(directory: string): string[] {
  return readdirSync(directory).filter((name) => /^outbox-.*\.db$/.test(name))
}

describe('an outbox', () => {
  it('holds windows in their order, also for who opens it next', async () => {
    const { outbox, directory } = await opened()
    expect(outbox.session).toBeUndefined()
    outbox.begin('a', database, 0)
    outbox.add({ number: 9, charges }, 0)
    outbox.add({ number: 10, charges }, 0)
    await outbox.close()
    const { outbox: second, lines } = await opened(directory)
    expect([second.session, second.database]).toEqual(['a', database])
    expect(second.windows()).toEqual([
      { number: 9, charges },
      { number: 10, charges },
    ])
    expect(lines).toEqual([])
  })

  it('of another form is refused, with what to do, and keeps its windows', async () => {
    const { directory, path } = await closedWith(2)
    const setForm = async (form: number) => {
      const file = new SqliteFile({ path, isService: true, clock: Date.now })
      file.transact((run) => run('update outbox set form = $1', [form]))
      await file.close()
    }
    await setForm(5)
    await expect(opened(directory)).rejects.toThrow(
      `the outbox in ${directory} has form 5, and this version reads form ${ledgerForm} only: start the version that wrote it once more`,
    )
    expect(setAside(directory)).toEqual([])
    await setForm(ledgerForm)
    expect((await opened(directory)).outbox.windows()).toHaveLength(2)
  })

  it('acknowledges nothing where its file was moved, and goes on when it is back', async () => {
    const { outbox, directory } = await opened()
    outbox.begin('a', database, 0)
    outbox.add({ number: 1, charges }, 0)
    const path = join(directory, 'outbox.db')
    renameSync(path, `${path}-moved`)
    expect(() => outbox.add({ number: 2, charges }, 0)).toThrow(/outbox\.db is gone/)
    renameSync(`${path}-moved`, path)
    outbox.add({ number: 3, charges }, 0)
    expect(outbox.windows().map(({ number }) => number)).toEqual([1, 3])
  })

  it('forgets what was told, and leaves the rest to the next session', async () => {
    const { outbox } = await opened()
    outbox.begin('a', database, 0)
    outbox.add({ number: 1, charges }, 0)
    outbox.add({ number: 2, charges }, 0)
    outbox.add({ number: 4, charges }, 2)
    expect(outbox.windows().map(({ number }) => number)).toEqual([4])
    outbox.add({ number: 5, charges }, 2)
    outbox.begin('b', database, 4)
    expect([outbox.session, outbox.windows()]).toEqual(['b', [{ number: 5, charges }]])
  })

  it('is left to another database as a file with what was not told, and begins empty', async () => {
    const { outbox, directory, lines } = await opened()
    outbox.begin('a', database, 0)
    outbox.add({ number: 1, charges }, 0)
    outbox.add({ number: 2, charges }, 0)
    await outbox.leave('it is for another', 1)
    expect([outbox.session, outbox.windows()]).toEqual([undefined, []])
    expect(setAside(directory)).toHaveLength(1)
    expect(lines).toEqual([
      expect.stringMatching(
        /^it is for another; it is set aside as .*\.db, .*: 1 windows of session a, 0\.002 USD$/,
      ),
    ])
  })

  it('is not left as a file where everything was told', async () => {
    const { outbox, directory, lines } = await opened()
    outbox.begin('a', database, 0)
    outbox.add({ number: 1, charges }, 0)
    await outbox.leave('it is for another', 1)
    expect([setAside(directory), lines]).toEqual([[], []])
  })

  it.each([
    ['is empty', (path: string) => truncateSync(path, 0)],
    ['is cut off', (path: string) => truncateSync(path, 8_192)],
    ['holds something else', (path: string) => writeFileSync(path, 'garbage'.repeat(5_000))],
    ['is written over in its second half', (path: string) => damageHalf(path)],
  ])('that %s is set aside with a report', async (_, damage) => {
    const { directory, path } = await closedWith(300)
    damage(path)
    const { outbox, lines } = await opened(directory)
    expect([outbox.session, outbox.windows()]).toEqual([undefined, []])
    expect(setAside(directory)).toHaveLength(1)
    expect(lines).toEqual([expect.stringMatching(/outbox\.db is [\s\S]*; it is set aside as/)])
    outbox.begin('b', database, 0)
    expect(outbox.session).toBe('b')
  })
})

/** Damages the second half of the pages, but for the first bytes of the file, which say where the tables begin. */
function damageHalf(path: string): void {
  const file = readFileSync(path)
  file.fill(0xff, Math.floor(file.length / 2))
  writeFileSync(path, file)
}
