/** Short texts and amounts as ASCII, written in place. */

import { microUsdPerUsd } from '../money.ts'
import { writeDigits, writeWhole } from './digits.ts'

const dot = 46
const decimalsMin = 2
const decimalsMax = 6

/** Writes an amount in micro-USD as `formatUsd` does, and nothing behind it; returns its end. */
export function writeUsd(target: Uint8Array, at: number, amountMicroUsd: number): number {
  const whole = Math.floor(amountMicroUsd / microUsdPerUsd)
  const dotAt = writeWhole(target, at, whole)
  target[dotAt] = dot
  let rest = amountMicroUsd - whole * microUsdPerUsd
  let decimals = decimalsMax
  for (; decimals > decimalsMin && rest % 10 === 0; decimals -= 1) rest /= 10
  const end = dotAt + 1 + decimals
  writeDigits(target, end, decimals, rest)
  return end
}

/** Writes ASCII; returns its end. Calling an encoder costs more for so few bytes. */
export function writeAscii(target: Uint8Array, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) target[at + index] = text.charCodeAt(index)
  return at + text.length
}
