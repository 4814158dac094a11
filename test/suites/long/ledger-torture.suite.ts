/**
 * The ledger under torture, over real connections to the built service: backups under load, and SIGKILL at random
 * moments. `LONG=full` runs the full counts, which takes an hour.
 */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Children } from '../../support/processes/children.ts'
import { Random } from '../../support/random.ts'
import { hotBackups } from './ledger/hot-backup.ts'
import { type Kill, kills } from './ledger/kill.ts'

const isFull = process.env.LONG === 'full'
const counts = isFull
  ? { backups: 50, kills: 200, loadMsMax: 1_500 }
  : { backups: 3, kills: 5, loadMsMax: 300 }
const timeoutMs = isFull ? 7_200_000 : 600_000

const seed = 1

function newChildren(): Children {
  const children = new Children(new AbortController().signal)
  onTestFinished(() => children.close())
  return children
}

function sumOf(rounds: readonly Kill[], count: (kill: Kill) => number): number {
  return rounds.reduce((total, kill) => total + count(kill), 0)
}

describe('a ledger over real connections', () => {
  test(
    'backed up under load has every acknowledged top-up, and every charge but those of one window',
    async () => {
      const children = newChildren()
      const data = join(children.directory, 'data')
      const backups = await hotBackups(children, data, counts.backups)
      expect(backups).toHaveLength(counts.backups)
      for (const backup of backups) {
        expect(backup.answeredAfter).toBeGreaterThan(backup.answeredBefore)
        expect(backup.topUpsAcknowledged).toBeGreaterThan(0)
        expect(backup.topUpsMissing).toBe(0)
        expect(backup.charged).toBeGreaterThanOrEqual(backup.settledBefore)
        expect(backup.charged).toBeLessThanOrEqual(backup.answeredAfter + backup.inFlightMax)
      }
    },
    timeoutMs,
  )

  test(
    'killed at random moments loses no top-up and at most one commit window, and charges nothing twice',
    async () => {
      const children = newChildren()
      const data = join(children.directory, 'data')
      const rounds = await kills(children, data, counts, new Random(seed, 1))
      expect(rounds).toHaveLength(counts.kills)
      for (const kill of rounds) {
        const { answered, charged, losable, inFlightMax } = kill
        expect(kill).toMatchObject({ otherAnswers: 0, topUpsLost: 0, liveErrorMicroUsd: 0 })
        expect(answered - charged).toBeLessThanOrEqual(losable)
        expect(charged).toBeLessThanOrEqual(answered + inFlightMax)
      }
      expect(sumOf(rounds, ({ charged }) => charged)).toBeGreaterThan(0)
      expect(sumOf(rounds, ({ topUpsAcknowledged }) => topUpsAcknowledged)).toBeGreaterThan(0)
    },
    timeoutMs,
  )
})
