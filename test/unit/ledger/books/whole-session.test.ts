/** A service that holds a ledger, where something goes wrong: with its accounts, its place, its file. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFirstAccount } from '../../../../src/ledger/books/first-account.ts'
import { keyHash } from '../../../../src/ledger/books/key.ts'
import { openBooks } from '../../../../src/ledger/books/open-books.ts'
import { selectCursorKey } from '../../../../src/ledger/books/session-rows.ts'
import { openWholeSession } from '../../../../src/ledger/leases/whole-session.ts'
import {
  askLedger,
  batchOf,
  booksWith,
  chargeOf,
  damageLedger,
  newBooks,
  newSession as newSessionBeside,
  temporaryDirectory,
} from '../../../support/ledger-fixture.ts'
import { compiled } from '../../../support/processes/compiled.ts'

const openedMicroUsd = 50_000_000

const charge = (account: number, queries: number) => chargeOf(account, `key_${account}`, queries)

interface More {
  readonly accountsMax?: number
  readonly clock?: () => number
}

async function newSession(directory = temporaryDirectory(), more: More = {}) {
  const lines: string[] = []
  const report = (line: string) => lines.push(line)
  const options = { directory, node: 'test', clock: Date.now, report }
  const session = await openWholeSession({ ...options, ...more })
  onTestFinished(() => session.close().catch(() => {}))
  return { directory, path: join(directory, 'ledger.db'), session, lines }
}

const booksIn = (data: string, ...accounts: readonly string[]) =>
  booksWith(accounts, Date.now, data)

describe('a ledger of more accounts than a service holds', () => {
  async function customers(...names: string[]) {
    const directory = temporaryDirectory()
    const first = await newSession(directory)
    await first.session.close()
    const books = await booksIn(directory)
    const hashes: string[] = []
    for (const account of names) {
      await books.createAccount(account)
      const { text } = await books.issueKey({ account })
      hashes.push(keyHash(text))
    }
    return { books, hashes, ...(await newSession(directory, { accountsMax: 2 })) }
  }

  test('is held as keys are sent, up to its room, and the others are not said to be bad', async () => {
    const { books, hashes, session, lines } = await customers('alice', 'bob', 'carol')
    expect(await session.readChanges()).toMatchObject({ funds: [], keys: [] })
    for (const hash of [hashes[2]!, 'none']) session.seek(hash)
    const found = await session.readChanges()
    const funds = [{ accountNumber: 3, grantedMicroUsd: openedMicroUsd, spentMicroUsd: 0 }]
    expect(found).toMatchObject({ funds, keys: [{ accountNumber: 3 }], badKeys: ['none'] })
    for (const hash of hashes) session.seek(hash)
    const full = await session.readChanges()
    expect(full.keys.map(({ accountNumber }) => accountNumber)).toHaveLength(2)
    expect([full.badKeys, lines]).toEqual([
      [],
      [expect.stringContaining('has sold to 2 accounts since its start')],
    ])
    for (const name of ['alice', 'bob', 'carol']) await books.topUp(name, 5, `for ${name}`)
    const credited = await session.readChanges()
    expect(credited.funds.map((each) => each.grantedMicroUsd - openedMicroUsd)).toEqual([5, 5])
  })
})

describe('an account', () => {
  test('that does not cover its part, and of which nothing was taken back, keeps no other from its own', async () => {
    const { directory, session, lines } = await newSession()
    const books = await booksIn(directory)
    await books.createAccount('alice', 2_000)
    await books.createAccount('bob')
    const sold = batchOf(1, charge(1, 3), charge(2, 2))
    for (let times = 0; times < 2; times += 1) {
      expect(await session.commit(sold)).toEqual([
        { accountNumber: 1, grantedMicroUsd: 2_000, spentMicroUsd: 0 },
        { accountNumber: 2, grantedMicroUsd: openedMicroUsd, spentMicroUsd: 2_000 },
      ])
    }
    expect(session.givenAwayMicroUsd()).toBe(3_000)
    expect(lines).toEqual([expect.stringContaining('0.003 USD cannot be charged')])
    const given = 'select batch, account, queries, amount from given_away'
    expect(await askLedger(directory, given)).toEqual([
      { batch: 1, account: 1, queries: 3, amount: 3_000 },
    ])
    expect(await books.audit()).toMatchObject({ contradictions: [] })
  })

  test('that the ledger does not have is given away, and named', async () => {
    const { directory, session, lines } = await newSession()
    const books = await booksIn(directory, 'alice')
    const sold = batchOf(1, charge(1, 1), charge(7, 4))
    for (let times = 0; times < 2; times += 1) {
      expect(await session.commit(sold)).toMatchObject([{ accountNumber: 1, spentMicroUsd: 1_000 }])
    }
    expect(session.givenAwayMicroUsd()).toBe(4_000)
    expect(lines).toHaveLength(2)
    expect(lines.join()).toMatch(/lost accounts .*: 7 \(1 in all\).*0\.004 USD/)
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('that the ledger has lost reaches no cap: nobody is told of it, and nothing counts as spent', async () => {
    const { directory, session } = await newSession()
    const books = await booksIn(directory, 'alice')
    const cap = { amountMicroUsd: 2_000, period: 'total' } as const
    const order = { account: 'alice', cap }
    const keyId = (await books.issueKey(order)).record.id
    const reaching = { ...charge(1, 2), keyId, isCapped: true } as const
    damageLedger(directory, 'update account set id = 2')
    await session.commit(batchOf(1, reaching))
    expect(await books.events({ after: 0, limit: 9 })).toEqual([])
    expect(await askLedger(directory, 'select spent from key_cap')).toEqual([{ spent: 0 }])
    damageLedger(directory, 'update account set id = 1')
    await session.commit(batchOf(2, reaching))
    expect(await books.events({ after: 0, limit: 9 })).toMatchObject([{ kind: 'cap.reached' }])
  })

  test.each([
    { queries: 0, amountMicroUsd: 1 },
    { queries: 0.5, amountMicroUsd: 1 },
    { queries: 1, amountMicroUsd: -1 },
    { queries: 1, amountMicroUsd: Number.NaN },
    { queries: 1, amountMicroUsd: 0.1 },
  ])('with a sale of %j charges nobody', async (sale) => {
    const { directory, session } = await newSession()
    const books = await booksIn(directory, 'alice', 'bob')
    const wrong = { ...charge(1, 1), ...sale }
    await expect(session.commit(batchOf(1, wrong, charge(2, 1)))).rejects.toThrow()
    expect(await books.audit()).toMatchObject({ rows: 2, contradictions: [] })
    await session.commit(batchOf(1, charge(2, 1)))
    expect(await books.audit()).toMatchObject({ rows: 3, contradictions: [] })
  })
})

describe('a service', () => {
  test('that starts while a command has the lock for a moment waits for it', async () => {
    const directory = temporaryDirectory()
    const holder = compiled(join(import.meta.dirname, '../../process/lock-holder.ts'))
    const command = fork(holder, [join(directory, 'serve.lock'), '200'], { execArgv: [] })
    onTestFinished(() => void command.kill('SIGKILL'))
    expect(await once(command, 'message')).toEqual(['held', undefined])
    expect((await newSession(directory)).lines).toEqual([])
  })

  test('whose place another took while it stood still sells nothing more, and the other sells', async () => {
    const { directory, session } = await newSession()
    const books = await booksIn(directory, 'alice')
    await session.commit(batchOf(1, charge(1, 1)))
    const other = await newSessionBeside(directory, Date.now)
    const late = session.commit(batchOf(2, charge(1, 1)))
    await expect(late).rejects.toMatchObject({ code: 'already-running' })
    await other.session.commit(batchOf(1, charge(1, 1)))
    expect(await books.accountNamed('alice')).toMatchObject({ chargedMicroUsd: 2_000 })
  })

  test('sells nothing from a copy of its file, nor from another, and no command works on one', async () => {
    const { directory, path, session } = await newSession()
    renameSync(path, `${path}-away`)
    copyFileSync(`${path}-away`, path)
    await expect(booksIn(directory)).rejects.toThrow(
      'ledger.db there is not the file that it holds',
    )
    await expect(session.commit(batchOf(1))).rejects.toThrow('was moved or replaced')
    await expect(booksIn(directory)).rejects.toThrow('was moved or replaced')
    rmSync(path)
    renameSync(`${path}-away`, path)
    await session.commit(batchOf(1))
    await booksIn(directory)
    renameSync(path, `${path}-away`)
    writeFileSync(path, '')
    await expect(session.readChanges()).rejects.toThrow('was moved or replaced')
  })
})

describe('a service that is alone', () => {
  test('has the key of cursors that the first one of its ledger made, and another ledger has another', async () => {
    const keysOf = async (directory: string) => {
      const { session } = await newSession(directory)
      const key = Buffer.from(await session.atStart(selectCursorKey))
      await session.close()
      return key
    }
    const directory = temporaryDirectory()
    const first = await keysOf(directory)
    expect(first.length).toBe(32)
    expect(await keysOf(directory)).toEqual(first)
    expect(await keysOf(temporaryDirectory())).not.toEqual(first)
  })

  test('revokes a first key that nobody saw, and makes none for whoever has revoked or rotated it', async () => {
    const { directory, session } = await newSession()
    const books = await booksIn(directory)
    const first = (of: typeof session) => of.atStart((query) => createFirstAccount(query, 0))
    for (let times = 0; times < 2; times += 1) await first(session)
    const listed = await books.listKeys()
    expect(listed.map(({ state }) => state).sort()).toEqual(['active', 'revoked'])
    expect(JSON.stringify(listed)).not.toContain('unshown')
    await books.revokeKey(listed.find(({ state }) => state === 'active')!.id)
    expect(await first(session)).toBeUndefined()
    const other = await newSession()
    await first(other.session)
    const theirs = await booksIn(other.directory)
    await theirs.rotateKey((await theirs.listKeys())[0]!.id, 1_000)
    expect(await first(other.session)).toBeUndefined()
  })

  test('reads the keys that are good and when they end, also when the clock was ahead and is put right', async () => {
    let nowMs = Date.UTC(2026, 6, 28)
    const { directory, session } = await newSession(undefined, { clock: () => nowMs })
    const books = await newBooks(() => nowMs, directory)
    await books.createAccount('alice')
    const lives = [null, 1, 2]
    const expiresAtMs = nowMs + 2
    const issued = await Promise.all(
      lives.map((lifeMs) => books.issueKey({ account: 'alice', lifeMs })),
    )
    await books.revokeKey(issued[0]!.record.id)
    const hashes = issued.map(({ text }) => keyHash(text))
    const seek = () => {
      for (const hash of hashes) session.seek(hash)
    }
    nowMs += 1
    seek()
    const { keys, badKeys } = await session.readChanges()
    const { id } = issued[2]!.record
    expect(badKeys).toEqual(hashes.slice(0, 2))
    expect(keys).toEqual([{ id, hash: hashes[2], accountNumber: 1, expiresAtMs }])
    nowMs -= 1
    seek()
    const again = (await session.readChanges()).keys.map((key) => key.id)
    expect(again.sort()).toEqual([issued[1]!.record.id, id].sort())
  })

  test('sells nothing any more once another process may have its lock, as where its directory was moved', async () => {
    const { directory, session } = await newSession()
    await booksIn(directory, 'alice')
    renameSync(directory, `${directory}-away`)
    const taken = 'was removed or replaced'
    await expect(session.commit(batchOf(1, charge(1, 1)))).rejects.toThrow(taken)
    renameSync(`${directory}-away`, directory)
    await expect(session.commit(batchOf(1, charge(1, 1)))).rejects.toThrow(taken)
    await expect(session.readChanges()).rejects.toThrow('stop this service')
  })

  test('whose file was removed has it made anew by no command until it ends', async () => {
    const { directory, path, session } = await newSession()
    rmSync(path)
    const place = { data: directory, ledger: null, clock: Date.now, create: true }
    await expect(openBooks(place)).rejects.toThrow('ledger.db is not there')
    await session.close().catch(() => {})
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
    expect(await (await newBooks(Date.now, directory)).accounts()).toEqual([])
  })
})

test('a directory of which no service may be made is refused, and its lock is given back', async () => {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'ledger.db'), 'not a ledger'.repeat(1_000))
  for (let times = 0; times < 2; times += 1) {
    await expect(newSession(directory)).rejects.toMatchObject({ code: 'ledger-corrupt' })
  }
})
