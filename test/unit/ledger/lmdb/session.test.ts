/** A service's session with a ledger on the disk: one at a time, what it reads, what it writes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isWellFormedKey, keyHash } from '../../../../src/ledger/key.ts'
import { createAccount, resume, suspend, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import {
  Environment,
  openEnvironment,
  withEnvironment,
} from '../../../../src/ledger/lmdb/environment.ts'
import { issueKey, listKeys, revokeKey, rotateKey } from '../../../../src/ledger/lmdb/keys.ts'
import { LmdbSession, openSession } from '../../../../src/ledger/lmdb/session.ts'
import { withAdministration } from '../../../../src/ledger/open-administration.ts'
import type { ChargeBatch } from '../../../../src/ledger/port.ts'
import {
  HandClock,
  newEnvironment,
  salesOf,
  stubLock,
  temporaryDirectory,
} from '../../../support/ledger-fixture.ts'
import { compiled } from '../../../support/processes/compiled.ts'

/** A ledger with one account, and a session with it. */
function newSession() {
  const clock = new HandClock()
  const environment = newEnvironment(clock.read)
  createAccount(environment, 'first')
  return { clock, environment, session: new LmdbSession(environment, stubLock()) }
}

function batch(number: number, queries: number): ChargeBatch {
  const charges = [{ accountNumber: 1, keyId: 'key_1', sales: salesOf({ search: queries }) }]
  return { number, charges, holdings: undefined }
}

/** The file of a descriptor of this process; undefined for one that was closed meanwhile. */
function linkOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return undefined
  }
}

const opening = { accountNumber: 1, grantedMicroUsd: 50_000_000, spentMicroUsd: 0 }

describe('a session', () => {
  test('is refused a directory that another one has, until that one is closed', async () => {
    const directory = temporaryDirectory()
    const first = await openSession(directory, Date.now)
    await expect(openSession(directory, Date.now)).rejects.toThrow(
      expect.objectContaining({ code: 'already-running' }),
    )
    await first.close()
    await (await openSession(directory, Date.now)).close()
  })

  test('has the key of cursors that the first session of its ledger made, and another ledger has another', async () => {
    const keysOf = async (directory: string) => {
      const session = await openSession(directory, Date.now)
      const key = Buffer.from(await session.cursorKey())
      await session.close()
      return key
    }
    const directory = temporaryDirectory()
    const first = await keysOf(directory)
    expect(first.length).toBe(32)
    expect(await keysOf(directory)).toEqual(first)
    expect(await keysOf(temporaryDirectory())).not.toEqual(first)
  })

  test('gives the lock back when the ledger cannot be opened', async () => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'ledger.mdb'), 'not a ledger'.repeat(1_000))
    for (let i = 0; i < 2; i++) {
      await expect(openSession(directory, Date.now)).rejects.toThrow(
        expect.objectContaining({ code: 'ledger-corrupt' }),
      )
    }
  })

  test('is refused a directory that cannot be made', async () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    const opened = openSession(join(file, 'below'), Date.now)
    await expect(opened).rejects.toThrow(/^the ledger in .* could not be locked: /)
  })

  test('makes the first account with a key where there is none, and only there', async () => {
    const directory = temporaryDirectory()
    const session = await openSession(directory, Date.now)
    const text = await session.createFirstAccount()
    expect(isWellFormedKey(text!)).toBe(true)
    await session.firstKeyShown()
    expect(await session.createFirstAccount()).toBeUndefined()
    session.seek(keyHash(text!))
    const { funds, keys } = await session.readChanges(undefined)
    expect(funds).toEqual([opening])
    expect(keys).toMatchObject([{ hash: keyHash(text!), accountNumber: 1, expiresAtMs: Infinity }])
    await session.close()
    const environment = openEnvironment({ directory, clock: Date.now })
    onTestFinished(() => environment.close())
    expect(audit(environment)).toMatchObject({ accounts: 1, keys: 1, contradictions: [] })
  })

  test('makes the key of the first account anew until it was shown, and revokes what nobody saw', async () => {
    const environment = newEnvironment(new HandClock().read)
    const open = () => new LmdbSession(environment, stubLock())
    const [lost, text] = [await open().createFirstAccount(), await open().createFirstAccount()]
    expect(text).not.toBe(lost)
    const session = open()
    for (const each of [lost, text]) session.seek(keyHash(each!))
    const { funds, keys } = await session.readChanges(undefined)
    expect(funds).toEqual([opening])
    expect(keys).toMatchObject([{ hash: keyHash(text!) }])
    await open().firstKeyShown()
    expect(await open().createFirstAccount()).toBeUndefined()
    const listed = listKeys(environment)
    expect(listed.map(({ state }) => state).sort()).toEqual(['active', 'revoked'])
    expect(JSON.stringify(listed)).not.toContain('unshown')
    expect(audit(environment)).toMatchObject({ accounts: 1, keys: 2, contradictions: [] })
  })

  test('makes no key for whoever has revoked or rotated the one that was not shown', async () => {
    for (const change of [revokeKey, (at: Environment, id: string) => rotateKey(at, id, 1_000)]) {
      const environment = newEnvironment(new HandClock().read)
      const session = new LmdbSession(environment, stubLock())
      await session.createFirstAccount()
      change(environment, listKeys(environment)[0]!.id)
      expect(await session.createFirstAccount()).toBeUndefined()
    }
  })

  test('reads everything at first, and then what changed', async () => {
    const { environment, session } = newSession()
    const first = await session.readChanges(undefined)
    expect(first).toMatchObject({ funds: [opening], keys: [] })
    const { cursor } = first
    const none = { funds: [], changedKeys: [], keys: [], badKeys: [] }
    expect(await session.readChanges(cursor)).toEqual({ cursor, ...none })
    topUp(environment, 'first', 5, 'paid')
    const second = await session.readChanges(cursor)
    expect(second).toMatchObject({ funds: [{ grantedMicroUsd: 50_000_005 }], keys: [] })
    const { record } = issueKey(environment, { account: 'first', label: null, expiresAtMs: null })
    session.seek(record.secrets[0]!.hash)
    const third = await session.readChanges(second.cursor)
    expect(third).toMatchObject({ funds: [], keys: [{ id: record.id }] })
  })

  test('reads the keys that are good, and when they end', async () => {
    const { clock, environment, session } = newSession()
    const issue = (expiresAtMs: number | null) =>
      issueKey(environment, { account: 'first', label: null, expiresAtMs }).record
    const [revoked, expired, ending] = [null, clock.nowMs + 1, clock.nowMs + 2].map(issue)
    revokeKey(environment, revoked!.id)
    clock.nowMs = expired!.expiresAtMs!
    const { id, secrets, accountNumber, expiresAtMs } = ending!
    for (const key of [revoked, expired, ending]) session.seek(key!.secrets[0]!.hash)
    const { keys, badKeys } = await session.readChanges(undefined)
    expect(badKeys).toEqual([revoked, expired].map((key) => key!.secrets[0]!.hash))
    expect(keys).toEqual([{ id, hash: secrets[0]!.hash, accountNumber, expiresAtMs }])
  })

  test('reads no key of an account that is suspended, and reads them again when it is resumed', async () => {
    const { environment, session } = newSession()
    const { record } = issueKey(environment, { account: 'first', label: null, expiresAtMs: null })
    const { hash } = record.secrets[0]!
    session.seek(hash)
    const { cursor, keys } = await session.readChanges(undefined)
    expect(keys).toHaveLength(1)
    suspend(environment, 'first')
    session.seek(hash)
    const changes = await session.readChanges(cursor)
    expect(changes).toMatchObject({ funds: [], changedKeys: 'all', keys: [], badKeys: [hash] })
    resume(environment, 'first')
    session.seek(hash)
    expect((await session.readChanges(changes.cursor)).keys).toEqual(keys)
  })

  test('charges a batch once that is sent twice, and returns what is left each time', async () => {
    const { environment, session } = newSession()
    const spent = [{ ...opening, spentMicroUsd: 3_000 }]
    expect(await session.commit(batch(1, 3))).toEqual(spent)
    expect(await session.commit(batch(1, 3))).toEqual(spent)
    expect(await session.commit(batch(2, 1))).toEqual([{ ...opening, spentMicroUsd: 4_000 }])
    expect(audit(environment)).toMatchObject({ rows: 3, contradictions: [] })
  })

  test('takes no batch of another session for its own', async () => {
    const { environment, session } = newSession()
    await session.commit(batch(1, 3))
    await new LmdbSession(environment, stubLock()).commit(batch(1, 3))
    expect(audit(environment)).toMatchObject({ rows: 3, balanceMicroUsd: 49_994_000n })
  })

  test('forgets readers that were killed, so that the file does not grow for them', async () => {
    const directory = temporaryDirectory()
    const session = await openSession(directory, Date.now)
    onTestFinished(() => session.close())
    const holder = compiled(join(import.meta.dirname, 'holder.ts'))
    const child = spawn(process.execPath, [holder, directory, 'read'])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const forget = vi.spyOn(Environment.prototype, 'forgetDeadReaders')
    onTestFinished(() => forget.mockRestore())
    const forgotten = () => forget.mock.results.map(({ value }) => value)
    // One that lives is not forgotten.
    await expect.poll(forgotten, { timeout: 10_000 }).not.toEqual([])
    expect(new Set(forgotten())).toEqual(new Set([0]))
    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect.poll(forgotten, { timeout: 10_000 }).toContain(1)
  })

  describe('whose file', () => {
    /** A session that has charged once, another ledger, and where the file of the session lies. */
    async function soldOnce() {
      const directory = temporaryDirectory()
      const session = await openSession(directory, Date.now)
      onTestFinished(() => session.close())
      await session.createFirstAccount()
      await session.readChanges(undefined)
      await session.commit(batch(1, 1))
      const other = temporaryDirectory()
      await withEnvironment({ directory: other, clock: Date.now, create: true }, (environment) => {
        createAccount(environment, 'other')
      })
      return {
        session,
        directory,
        path: join(directory, 'ledger.mdb'),
        other: join(other, 'ledger.mdb'),
      }
    }

    /** The refusal that an operator's command gets. */
    const asked = (directory: string, create = false) =>
      withAdministration({ data: directory, ledger: null, clock: Date.now, create }, (books) =>
        books.accounts(),
      )

    const ways: [string, (path: string, other: string) => void, RegExp][] = [
      ['is moved away', (path) => renameSync(path, `${path}-away`), /was moved or removed/],
      [
        'has another put in its place',
        (path, other) => {
          renameSync(path, `${path}-away`)
          copyFileSync(other, path)
        },
        /is another file now/,
      ],
      [
        'has a copy of itself put in its place',
        (path) => {
          renameSync(path, `${path}-away`)
          copyFileSync(`${path}-away`, path)
        },
        /is another file now/,
      ],
    ]

    test.each(ways)(
      '%s sells nothing until it is back, and commands refuse the other',
      async (...way) => {
        const [, change, reason] = way
        const { session, directory, path, other } = await soldOnce()
        change(path, other)
        await expect(session.commit(batch(2, 1))).rejects.toThrow(reason)
        await expect(session.readChanges(undefined)).rejects.toThrow('put back the file')
        for (const create of [false, true]) {
          await expect(asked(directory, create)).rejects.toThrow(
            /process \d+ on .* put back the file/,
          )
        }
        renameSync(`${path}-away`, path)
        await session.commit(batch(2, 1))
        expect(await asked(directory)).toMatchObject([{ name: 'default', chargedMicroUsd: 2_000 }])
      },
    )

    test('is written over sells nothing, and commands say so', async () => {
      const { session, directory, path, other } = await soldOnce()
      copyFileSync(other, path)
      await expect(session.commit(batch(2, 1))).rejects.toThrow('was written over')
      await expect(asked(directory)).rejects.toThrow(/was written over; put back the file/)
    })

    test('is written over with an earlier copy of itself sells nothing', async () => {
      const { session, path } = await soldOnce()
      copyFileSync(path, `${path}-copy`)
      await session.commit(batch(2, 1))
      copyFileSync(`${path}-copy`, path)
      await expect(session.commit(batch(3, 1))).rejects.toThrow('was written over')
    })

    test('is written over with what is no ledger sells nothing until it is put back', async () => {
      const { session, path } = await soldOnce()
      const bytes = readFileSync(path)
      writeFileSync(path, Buffer.alloc(bytes.length, 'x'))
      await expect(session.commit(batch(2, 1))).rejects.toThrow('was written over')
      await expect(session.readChanges(undefined)).rejects.toThrow('was written over')
      await expect(session.cursorKey()).rejects.toThrow('was written over')
      writeFileSync(path, bytes)
      expect(await session.cursorKey()).toHaveLength(32)
      await session.commit(batch(2, 1))
    })

    test('is cut off sells nothing', async () => {
      const { session, path } = await soldOnce()
      truncateSync(path, 4_096)
      await expect(session.commit(batch(2, 1))).rejects.toThrow('was written over')
    })

    test('is removed sells nothing', async () => {
      const { session, path } = await soldOnce()
      rmSync(path)
      await expect(session.commit(batch(2, 1))).rejects.toThrow('was moved or removed')
      await expect(session.readChanges(undefined)).rejects.toThrow('was moved or removed')
    })

    test('has its directory moved sells nothing any more, since its lock has gone with it', async () => {
      const { session, directory } = await soldOnce()
      renameSync(directory, `${directory}-away`)
      await expect(session.commit(batch(2, 1))).rejects.toThrow('another process took the lock')
      renameSync(`${directory}-away`, directory)
      await expect(session.commit(batch(2, 1))).rejects.toThrow('another process took the lock')
    })

    test('has its directory moved, under a lock elsewhere, sells nothing until it is back', async () => {
      const { environment, session } = newSession()
      const { directory } = environment
      await session.commit(batch(1, 1))
      renameSync(directory, `${directory}-away`)
      await expect(session.commit(batch(2, 1))).rejects.toThrow('was moved or removed')
      await expect(session.readChanges(undefined)).rejects.toThrow('put back the file')
      renameSync(`${directory}-away`, directory)
      await session.commit(batch(2, 1))
      expect(audit(environment)).toMatchObject({ balanceMicroUsd: 49_998_000n, contradictions: [] })
    })

    test('is looked at through one descriptor, which ends with the session', async () => {
      const { session, path } = await soldOnce()
      const open = () =>
        readdirSync('/proc/self/fd').filter((descriptor) => linkOf(descriptor) === path).length
      const before = open()
      for (let number = 2; number < 5; number += 1) await session.commit(batch(number, 1))
      expect(open()).toBe(before)
      await session.close()
      expect(open()).toBe(0)
    })

    test('was removed is made anew by no command, until the service has ended', async () => {
      const { session, directory, path } = await soldOnce()
      rmSync(path)
      await expect(asked(directory, true)).rejects.toThrow('ledger.mdb is not there')
      await session.close()
      expect(await asked(directory, true)).toEqual([])
    })
  })

  test('charges nothing after another service took its lock', async () => {
    const { environment } = newSession()
    const session = new LmdbSession(environment, { isHeld: () => false, release: () => {} })
    await expect(session.commit(batch(1, 1))).rejects.toThrow('another process took the lock')
    await expect(session.readChanges(undefined)).rejects.toThrow('stop this service')
    expect(audit(environment)).toMatchObject({ rows: 1 })
  })

  test('reads keys again when the clock was ahead and is put right', async () => {
    const { clock, environment, session } = newSession()
    const day = 86_400_000
    const expiresAtMs = clock.read() + day
    const { record } = issueKey(environment, { account: 'first', label: null, expiresAtMs })
    const seek = () => session.seek(record.secrets[0]!.hash)
    clock.nowMs += 2 * day
    seek()
    const { cursor, keys } = await session.readChanges(undefined)
    expect(keys).toEqual([])
    seek()
    expect((await session.readChanges(cursor)).keys).toEqual([])
    clock.nowMs -= 2 * day
    seek()
    expect((await session.readChanges(cursor)).keys).toHaveLength(1)
    expect(session.nowMs()).toBe(clock.read())
  })
})
