/** Checks that the slots of a table hold each of its entries once. */
import { entryBits, entryIn, slotCount } from '../../memory/text-table.ts'
import { type Rest, stepLength } from './contradiction.ts'

/** The problem of the slots of so many entries, or undefined. O(slots). */
export function slotProblem(slots: Uint32Array, entries: number, rest: Rest): string | undefined {
  if (slots.length !== slotCount(entries)) return 'length is not that of a table of its texts'
  let filled = 0
  const bits = entryBits(entries)
  for (let slot = 0; slot < slots.length; slot += 1) {
    if (slot % stepLength === 0) rest()
    if (slots[slot] === 0) continue
    const entry = entryIn(slots[slot]!, bits)
    if (entry < 0 || entry >= entries) return `a slot is out of range: ${entry}`
    filled += 1
  }
  return filled === entries ? undefined : `holds ${filled} of ${entries} texts`
}
