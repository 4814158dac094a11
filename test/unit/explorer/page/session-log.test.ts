/** What answers have told: what made a place, and from which snapshots. */
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../../src/explorer/page/model/asking.ts'
import { profileQuery, suggestionsQuery } from '../../../../src/explorer/page/model/requests.ts'
import {
  emptyLog,
  isOutdated,
  logged,
  shownSnapshotId,
  toldBeside,
} from '../../../../src/explorer/page/model/session-log.ts'

const exchange = (snapshotId: string, balanceUsd?: number, query = profileQuery('1')) =>
  ({ query, snapshotId, balanceUsd }) as Exchange

const typed = (snapshotId: string, balanceUsd?: number) =>
  exchange(snapshotId, balanceUsd, suggestionsQuery('c'))

describe('what is told', () => {
  it('counts what is asked while typing for the balance, but not for the place', () => {
    const told = [exchange('a', 2), typed('a', 1)].reduce(logged, emptyLog)
    expect(told.balanceUsd).toBe(1)
    expect(told.exchanges.map(({ balanceUsd }) => balanceUsd)).toEqual([2])
  })

  it('counts what was asked for a place that was left for the balance, but not for the place', () => {
    const told = toldBeside(logged(emptyLog, exchange('a', 2)), exchange('b', 1))
    expect(told).toMatchObject({ balanceUsd: 1, snapshotId: 'b' })
    expect(told.exchanges.map(({ balanceUsd }) => balanceUsd)).toEqual([2])
  })

  it('is the same where typing tells nothing new, so that nothing is drawn anew', () => {
    const told = logged(emptyLog, exchange('a', 1))
    expect(logged(told, typed('a', 1))).toBe(told)
  })

  it('keeps the last balance and snapshot where an answer names none', () => {
    const told = [exchange('a', 1), exchange('')].reduce(logged, emptyLog)
    expect(told).toMatchObject({ balanceUsd: 1, snapshotId: 'a' })
    expect(shownSnapshotId(told)).toBe('a')
  })

  it('is outdated once anything is answered from another snapshot than what is shown', () => {
    const told = logged(emptyLog, exchange('a'))
    expect(isOutdated(told)).toBe(false)
    const moved = logged(told, typed('b'))
    expect(isOutdated(moved)).toBe(true)
    expect(shownSnapshotId(moved)).toBe('a')
    expect(isOutdated(logged(told, exchange('b')))).toBe(true)
  })

  it('keeps the last 40 exchanges', () => {
    const all = Array.from({ length: 41 }, (_, index) => exchange('a', index))
    const { exchanges } = all.reduce(logged, emptyLog)
    expect(exchanges.map(({ balanceUsd }) => balanceUsd)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
  })
})
