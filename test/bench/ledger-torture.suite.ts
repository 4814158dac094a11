/** The torture of the ledger: that it runs, and that it would see each way in which a ledger can fail. */
import { describe, expect, test } from 'vitest'
import { affordableQueries, asksEach, type Race, racers } from '../../bench/ledger/balance-race.ts'
import {
  backupFindings,
  killFindings,
  raceFindings,
  report,
  run,
} from '../../bench/ledger/bench.ts'
import type { HotBackup } from '../../bench/ledger/hot-backup.ts'
import type { Kill } from '../../bench/ledger/kill.ts'
import { tinyOptions } from './tiny.ts'

const race: Race = {
  served: affordableQueries,
  refused: racers * asksEach - affordableQueries,
  liveMicroUsd: [0, 0],
  bookMicroUsd: 0,
  queriesCharged: affordableQueries,
}

const kill: Kill = {
  answered: 100,
  charged: 90,
  otherAnswers: 0,
  losable: 10,
  oldestLostMs: 60,
  inFlightMax: 2,
  topUpsAcknowledged: 5,
  topUpsLost: 0,
  liveErrorMicroUsd: 0,
}

const backup: HotBackup = {
  answeredBefore: 100,
  answeredAfter: 200,
  settledBefore: 90,
  charged: 95,
  inFlightMax: 2,
  topUpsAcknowledged: 5,
  topUpsMissing: 0,
}

const held = (findings: ReturnType<typeof killFindings>) => findings.every(({ holds }) => holds)

describe('the torture of the ledger', () => {
  test('finds nothing', async () => {
    const findings = await run(tinyOptions())
    expect(findings.filter(({ holds }) => !holds)).toEqual([])
    expect(findings.map(({ rounds }) => rounds)).toContain(5)
    expect(report(findings)).toHaveLength(findings.length + 2)
  }, 180_000)

  test.each<Partial<Race>>([
    { served: affordableQueries + 1 },
    { refused: race.refused - 1 },
    { liveMicroUsd: [0, 1] },
    { liveMicroUsd: [-1, 0] },
    { liveMicroUsd: [] },
    { bookMicroUsd: 100_000 },
    { queriesCharged: affordableQueries - 1 },
  ])('fails for a race with %j', (violation) => {
    expect(held(raceFindings([race, race]))).toBe(true)
    expect(held(raceFindings([race, { ...race, ...violation }]))).toBe(false)
  })

  test.each<Partial<Kill>>([
    { charged: 89 },
    { charged: 103 },
    { otherAnswers: 1 },
    { topUpsLost: 1 },
    { liveErrorMicroUsd: -1 },
  ])('fails for a kill with %j', (violation) => {
    expect(held(killFindings([kill, { ...kill, charged: 102 }]))).toBe(true)
    expect(held(killFindings([kill, { ...kill, ...violation }]))).toBe(false)
  })

  test.each<Partial<HotBackup>>([
    { charged: 89 },
    { charged: 203 },
    { topUpsMissing: 1 },
    { topUpsAcknowledged: 0 },
    { answeredAfter: 100 },
  ])('fails for a backup with %j', (violation) => {
    expect(held(backupFindings([backup, { ...backup, charged: 202 }]))).toBe(true)
    expect(held(backupFindings([backup, { ...backup, ...violation }]))).toBe(false)
  })

  test('fails when nothing happened', () => {
    expect(held(raceFindings([]))).toBe(false)
    expect(held(backupFindings([]))).toBe(false)
    expect(held(killFindings([]))).toBe(false)
    expect(held(killFindings([{ ...kill, topUpsAcknowledged: 0 }]))).toBe(false)
    expect(held(killFindings([{ ...kill, answered: 10, charged: 0 }]))).toBe(false)
  })
})
