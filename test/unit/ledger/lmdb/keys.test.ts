/** Keys in the ledger: their state, their rotation, and that their text is nowhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keyHash } from '../../../../src/ledger/key.ts'
import { goodKeysOf } from '../../../../src/ledger/keys/key-changes.ts'
import { createAccount } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import type { Environment } from '../../../../src/ledger/lmdb/environment.ts'
import {
  issueKey,
  listKeys,
  revokeKey,
  rotateKey,
  withdrawKey,
} from '../../../../src/ledger/lmdb/keys.ts'
import { Refusal } from '../../../../src/problems.ts'
import { HandClock, newEnvironment, startMs } from '../../../support/ledger-fixture.ts'

const hourMs = 3_600_000

function environmentWithAccount(clock = new HandClock()): Environment {
  const environment = newEnvironment(clock.read)
  createAccount(environment, 'first')
  return environment
}

function issue(environment: Environment, expiresAtMs: number | null = null) {
  return issueKey(environment, { account: 'first', label: 'ranker', expiresAtMs })
}

/** The times of its secrets, and when the key ends. */
function endsOf(environment: Environment, id: string) {
  const { secrets, expiresAtMs } = listKeys(environment).find((key) => key.id === id)!
  return [...secrets.map(({ endsAtMs }) => endsAtMs), expiresAtMs]
}

function stateOfKey(environment: Environment, id: string) {
  return listKeys(environment).find((key) => key.id === id)?.state
}

describe('a key', () => {
  test('is listed with its account, label, times and state, without its text or hash', () => {
    const environment = environmentWithAccount()
    const { text, record } = issue(environment)
    expect(listKeys(environment)).toEqual([
      {
        id: record.id,
        account: 'first',
        label: 'ranker',
        state: 'active',
        createdAtMs: startMs,
        expiresAtMs: null,
        revokedAtMs: null,
        secrets: [{ createdAtMs: startMs, endsAtMs: null }],
        spentMicroUsd: 0,
      },
    ])
    expect(JSON.stringify([listKeys(environment), record])).not.toContain(text)
  })

  test('is nowhere in the files of the ledger', () => {
    const environment = environmentWithAccount()
    const { text } = issue(environment)
    for (const name of readdirSync(environment.directory)) {
      expect(readFileSync(join(environment.directory, name), 'latin1')).not.toContain(
        text.slice(4, 34),
      )
    }
  })

  test('expires at its time, not before', () => {
    const clock = new HandClock()
    const environment = environmentWithAccount(clock)
    const { record } = issue(environment, startMs + hourMs)
    clock.nowMs = startMs + hourMs - 1
    expect(stateOfKey(environment, record.id)).toBe('active')
    clock.nowMs = startMs + hourMs
    expect(stateOfKey(environment, record.id)).toBe('expired')
  })

  test('is revoked once and for ever', () => {
    const environment = environmentWithAccount()
    const { record } = issue(environment)
    expect(revokeKey(environment, record.id)).toBe(true)
    expect(revokeKey(environment, record.id)).toBe(false)
    expect(stateOfKey(environment, record.id)).toBe('revoked')
    expect(() => rotateKey(environment, record.id, hourMs)).toThrow(`key ${record.id} is revoked`)
  })

  test('is refused for an unknown account, and for a label that is none or holds a key', () => {
    const environment = environmentWithAccount()
    const { text } = issue(environment)
    const order = { account: 'first', label: null, expiresAtMs: null }
    expect(() => issueKey(environment, { ...order, account: 'nobody' })).toThrow(
      "no account 'nobody'",
    )
    for (const label of ['', 'a\u0007b', 'x'.repeat(65), `for ${text}`]) {
      expect(() => issueKey(environment, { ...order, label })).toThrow(
        new Refusal('wrong-usage', 'a label is 1 to 64 printable characters'),
      )
    }
    expect(listKeys(environment)).toHaveLength(1)
  })

  test('is not repeated by the refusal when it is typed in the place of an id', () => {
    const environment = environmentWithAccount()
    const { text } = issue(environment)
    const refusal = new Refusal('ledger-refused', 'that is not a key id', 'not-there')
    expect(() => revokeKey(environment, text)).toThrow(refusal)
    expect(() => rotateKey(environment, text, 0)).toThrow(refusal)
  })
})

describe('a rotation', () => {
  test('gives the key a new text, and lets the old one live for the overlap', () => {
    const environment = environmentWithAccount()
    const { text, record } = issue(environment)
    const rotation = rotateKey(environment, record.id, hourMs)
    expect(rotation.text).not.toBe(text)
    expect(rotation.record).toEqual({ ...record, secrets: rotation.record.secrets })
    expect(rotation.oldEndsAtMs).toBe(startMs + hourMs)
    expect(endsOf(environment, record.id)).toEqual([startMs + hourMs, null, null])
    const good = (nowMs: number) => goodKeysOf([rotation.record], () => false, nowMs)
    expect(good(startMs + hourMs - 1)).toMatchObject([
      { id: record.id, hash: keyHash(text), expiresAtMs: startMs + hourMs },
      { id: record.id, hash: keyHash(rotation.text), expiresAtMs: Number.POSITIVE_INFINITY },
    ])
    expect(good(startMs + hourMs)).toMatchObject([{ hash: keyHash(rotation.text) }])
    expect(audit(environment).contradictions).toEqual([])
  })

  test('never lengthens the life of the old text', () => {
    const environment = environmentWithAccount()
    const { record } = issue(environment, startMs + hourMs)
    expect(rotateKey(environment, record.id, 24 * hourMs).oldEndsAtMs).toBe(startMs + hourMs)
  })

  test('lets every other text end with its overlap, or before', () => {
    const clock = new HandClock()
    const environment = environmentWithAccount(clock)
    const { id } = issue(environment).record
    rotateKey(environment, id, 2 * hourMs)
    rotateKey(environment, id, 3 * hourMs)
    const [soon, late] = [startMs + 2 * hourMs, startMs + 3 * hourMs]
    expect(endsOf(environment, id)).toEqual([soon, late, null, null])
    rotateKey(environment, id, 0)
    expect(endsOf(environment, id)).toEqual([startMs, startMs, startMs, null, null])
    clock.nowMs += 1
    rotateKey(environment, id, hourMs)
    expect(endsOf(environment, id)).toEqual([clock.nowMs + hourMs, null, null])
    expect(audit(environment)).toMatchObject({ keys: 1, contradictions: [] })
  })

  test('gives the key as long a life from then on as it was issued for', () => {
    const clock = new HandClock()
    const environment = environmentWithAccount(clock)
    const old = issue(environment, startMs + 10 * hourMs)
    clock.nowMs += 9 * hourMs
    const { record } = rotateKey(environment, old.record.id, 0)
    expect(record.expiresAtMs).toBe(startMs + 19 * hourMs)
  })

  test('of a key that has expired is refused', () => {
    const clock = new HandClock()
    const environment = environmentWithAccount(clock)
    const { id } = issue(environment, startMs + hourMs).record
    clock.nowMs += hourMs
    const refusal = new Refusal('ledger-refused', `key ${id} is expired`)
    expect(() => rotateKey(environment, id, hourMs)).toThrow(refusal)
  })

  test('of an unknown key is refused', () => {
    const environment = environmentWithAccount()
    expect(() => rotateKey(environment, 'key_0000000000', 0)).toThrow(
      'there is no key key_0000000000',
    )
  })
})

describe('a key that is taken back', () => {
  test('leaves nothing of itself', () => {
    const environment = environmentWithAccount()
    withdrawKey(environment, issue(environment))
    expect(listKeys(environment)).toEqual([])
    expect(audit(environment).contradictions).toEqual([])
  })

  test('leaves a key that was rotated as it was', () => {
    const environment = environmentWithAccount()
    const { record } = issue(environment, startMs + 10 * hourMs)
    const before = listKeys(environment)
    withdrawKey(environment, rotateKey(environment, record.id, hourMs))
    expect(listKeys(environment)).toEqual(before)
    const { before: old } = rotateKey(environment, record.id, hourMs)
    expect(old).toEqual(record)
  })

  test('does not bring back a key that was revoked meanwhile', () => {
    const environment = environmentWithAccount()
    const { record } = issue(environment)
    const rotation = rotateKey(environment, record.id, hourMs)
    revokeKey(environment, record.id)
    withdrawKey(environment, rotation)
    expect(stateOfKey(environment, record.id)).toBe('revoked')
  })

  test('stays when it was rotated itself meanwhile', () => {
    const environment = environmentWithAccount()
    const issued = issue(environment)
    rotateKey(environment, issued.record.id, hourMs)
    withdrawKey(environment, issued)
    expect(endsOf(environment, issued.record.id)).toHaveLength(3)
  })
})
