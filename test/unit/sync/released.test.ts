/** A change that a sync held back is let through once it is released, and a removal that is undone does not hold. */

import { describe, expect, it } from 'vitest'
import { listLost, Removals } from '../../../src/snapshot/store/removals.ts'
import {
  heldBack,
  isReleased,
  releaseHeldBack,
  takeRelease,
} from '../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../support/ledger-fixture.ts'

describe('a release', () => {
  it('is of the source that is held back, and holds once', () => {
    const directory = temporaryDirectory()
    expect(releaseHeldBack(directory, 'one')).toBe(false)
    heldBack.write(directory, { reason: 'half is gone', at: '', sourceFingerprint: 'one' })
    expect(releaseHeldBack(directory, 'two')).toBe(false)
    expect(isReleased(directory)).toBe(false)
    expect(releaseHeldBack(directory, 'one')).toBe(true)
    expect(isReleased(directory)).toBe(true)
    expect(takeRelease(directory, 'two')).toBe(false)
    expect(takeRelease(directory, 'one')).toBe(true)
    expect(takeRelease(directory, 'one')).toBe(false)
    expect(isReleased(directory)).toBe(false)
  })

  it('does not hold for a later source that is held back', () => {
    const directory = temporaryDirectory()
    heldBack.write(directory, { reason: '', at: '', sourceFingerprint: 'one' })
    releaseHeldBack(directory, 'one')
    heldBack.write(directory, { reason: '', at: '', sourceFingerprint: 'two' })
    expect(isReleased(directory)).toBe(false)
    expect(takeRelease(directory, 'two')).toBe(false)
  })
})

describe('a removal that was undone', () => {
  const why = { reason: 'asked', at: '2026-11-01T00:00:00.000Z' }
  const later = '2026-11-02T00:00:00.000Z'
  const list = new Removals('1'.repeat(64), []).with({ sdu: '7', handles: ['twitter:ann'] }, why)
  const undone = list.without(list.idOf('7'), later)!

  it('holds for neither the SDU nor the handles, and stays on the list', () => {
    expect([undone.has('7'), undone.has('twitter:ann')]).toEqual([false, false])
    expect(undone.entries).toEqual([{ id: list.idOf('7'), ...why, undone: later }])
    expect(listLost(`source without ${list.mark}`, undone)).toBeUndefined()
    expect(undone.digest).not.toBe(list.digest)
    expect(undone.without(list.idOf('7'), later)).toBeUndefined()
    expect(list.without(list.idOf('8'), later)).toBeUndefined()
  })

  it('stays undone when it is put together with the list before it, in either order', () => {
    expect(list.merged(undone)!.has('7')).toBe(false)
    expect(undone.merged(list)!.has('7')).toBe(false)
  })

  it('holds again, with its new reason, when the person is removed again', () => {
    const again = { reason: 'asked again', at: '2026-11-03T00:00:00.000Z' }
    const removed = undone.with({ sdu: '7', handles: [] }, again)
    expect(removed.has('7')).toBe(true)
    expect(removed.entries).toEqual([{ id: list.idOf('7'), ...again, undone: null }])
    expect(undone.merged(removed)!.has('7')).toBe(true)
    expect(removed.merged(undone)!.has('7')).toBe(true)
  })
})
