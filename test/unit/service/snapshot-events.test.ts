/** What a service tells the ledger of its snapshots: what is new, until the ledger has taken it. */
import { expect, test } from 'vitest'
import type { NewEvent } from '../../../src/ledger/books/events.ts'
import { snapshotTeller } from '../../../src/service/snapshot-events.ts'

test('each announcement is told once, and each sync that is held back for another reason', async () => {
  const told: unknown[] = []
  let isAway = true
  const tell = snapshotTeller(async ({ kind, subject }: NewEvent, isAgain) => {
    if (isAway) throw new Error('away')
    told.push([kind, subject, isAgain])
  })
  const announced = (id: string) => ({ announced: id, heldBack: undefined })
  await tell(announced('a'))
  expect(told).toEqual([])
  isAway = false
  for (const id of ['a', 'a', 'b', 'a']) await tell(announced(id))
  expect(told.splice(0)).toEqual([
    ['snapshot.announced', 'a', false],
    ['snapshot.announced', 'b', true],
    ['snapshot.announced', 'a', true],
  ])
  const held = (reason: string, at: string) => {
    return { announced: 'a', heldBack: { reason, at, sourceFingerprint: 'f' } }
  }
  for (const [reason, at] of [
    ['few', '1'],
    ['few', '2'],
    ['none', '3'],
  ] as const) {
    await tell(held(reason, at))
  }
  await tell(announced('a'))
  await tell(held('none', '4'))
  const event = ['snapshot.held-back', 'f', false]
  expect(told).toEqual([event, event, event])
})
