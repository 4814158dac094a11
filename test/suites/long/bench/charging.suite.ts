/** The charging bench: that it runs, that its three manners are what they say, and how it counts. */

import { describe, expect, test } from 'vitest'
import { report, rowsOf, run } from '../../../../bench/charging/bench.ts'
import { apiOf, type Manner } from '../../../../bench/charging/charged-api.ts'
import { headersOf } from '../../../../src/api/exchange.ts'
import { keyHash, newKeyText } from '../../../../src/ledger/key.ts'
import { createSharedBalances, ThreadBalances } from '../../../../src/ledger/live/balances.ts'
import { Keyring } from '../../../../src/ledger/live/keyring.ts'
import { Reservations } from '../../../../src/ledger/live/reservations.ts'
import { defaultPrices } from '../../../../src/operations.ts'
import { servedOf } from '../../../support/built.ts'
import { recordedIn } from '../../../support/ledger-fixture.ts'
import { authority } from '../../../support/records.ts'
import { tinyOptions } from '../../../support/tiny.ts'

const prices = { ...defaultPrices, search: 1, detail: 1, peers: 1, match: 1 }

describe('the charging bench', () => {
  test('runs on the wire', async () => {
    const rows = await run(tinyOptions())
    expect(rows.map(({ cost }) => cost)).toEqual(['charging', 'its two headers'])
    for (const { perSecondWith, perSecondWithout } of rows) {
      expect(Math.min(perSecondWith, perSecondWithout)).toBeGreaterThan(0)
    }
    expect(report(rows)).toHaveLength(rows.length + 2)
  })

  test('gives each cost as the median of the ratios of its rounds', () => {
    const rounds = [
      { free: 100, silent: 90, charged: 80 },
      { free: 200, silent: 200, charged: 190 },
      { free: 300, silent: 290, charged: 270 },
    ]
    const [charging, headers] = rowsOf('match', rounds)
    expect(charging).toMatchObject({ perSecondWithout: 200, perSecondWith: 190, ratioTarget: 0.95 })
    expect(charging).toMatchObject({ ratioLeast: 0.8, ratioMedian: 0.9, ratioMost: 0.95 })
    expect(headers).toMatchObject({ ratioMedian: 270 / 290, ratioTarget: 0.98 })
  })

  test.each<[Manner, chargedMicroUsd: number, told: boolean]>([
    ['free', 0, false],
    ['silent', 1, false],
    ['charged', 1, true],
  ])('answers %s: %i micro-USD charged, told %s', (manner, chargedMicroUsd, told) => {
    const key = newKeyText((count) => new Uint8Array(count))
    const keyring = new Keyring(() => 0)
    const entry = { hash: keyHash(key), accountSlot: 0, keyId: 'key_1', expiresAtMs: 1 }
    keyring.replace({ keys: [entry] })
    const balances = new ThreadBalances(createSharedBalances(1), 0)
    balances.credit(0, 10)
    const reservations = new Reservations(keyring, balances, prices)
    const served = servedOf({ authorities: [authority({ sdu: '1' })] })
    const authorization = `Bearer ${key}`

    const api = apiOf(manner, served, reservations)
    const request = { method: 'GET', path: '/api/v1/detail', query: 'sdu=1', authorization }
    const reply = api.answer(request)
    api.written(reply)
    expect(reply.status).toBe(200)
    expect(headersOf(reply).some(([name]) => name === 'X-Balance-Usd')).toBe(told)
    expect(balances.balanceMicroUsd(0)).toBe(10 - chargedMicroUsd)
    expect(headersOf(reply).some(([name]) => name === 'Content-Type')).toBe(true)
    expect(recordedIn(balances, 0).detail?.queries ?? 0).toBe(chargedMicroUsd)
  })
})
