/** Slots of a Redis cluster. */
import { expect, it } from 'vitest'
import { slotOf } from '../../../src/tail/slot.ts'

it('are those that CLUSTER KEYSLOT of a server answers, and the check value of CRC-16/XMODEM', () => {
  expect(slotOf('123456789')).toBe(0x31_c3)
  const asked = { '': 0, foo: 12_182, 'authority-index:0123456789abcdef:people:17': 1_780 }
  for (const [key, slot] of Object.entries(asked)) expect(slotOf(key)).toBe(slot)
})
