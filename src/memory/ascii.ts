/** Numbers and short texts as ASCII: written in place, and compared. */
import { microUsdPerUsd } from '../money.ts'

/** The two hexadecimal digits of each byte in ASCII, as a little-endian number. */
export const hexPairs = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, '0')).readUInt16LE(),
)

const [digitZero, dot] = [48, 46]
/** Up to here a number is divided as a machine word. */
const wordMax = 0x3fff_ffff
const billion = 1_000_000_000

export function writeHex(target: DataView, at: number, bits: number): void {
  target.setUint16(at, hexPairs[bits >>> 24]!, true)
  target.setUint16(at + 2, hexPairs[(bits >>> 16) & 255]!, true)
  target.setUint16(at + 4, hexPairs[(bits >>> 8) & 255]!, true)
  target.setUint16(at + 6, hexPairs[bits & 255]!, true)
}

/** Writes a whole number, not negative and exact, and returns its end. */
export function writeWhole(target: Uint8Array, at: number, value: number): number {
  if (value > wordMax) {
    const billions = Math.floor(value / billion)
    const end = writeWhole(target, at, billions) + 9
    writeDigits(target, end, 9, value - billions * billion)
    return end
  }
  let digits = 1
  for (let bound = 10; value >= bound; bound *= 10) digits += 1
  writeDigits(target, at + digits, digits, value)
  return at + digits
}

/** Writes the last `digits` digits of a number below 2³⁰ so that they end before `end`. */
export function writeDigits(target: Uint8Array, end: number, digits: number, value: number): void {
  let rest = value | 0
  for (let index = end - 1; index >= end - digits; index -= 1) {
    const tenth = (rest / 10) | 0
    target[index] = digitZero + (rest - tenth * 10)
    rest = tenth
  }
}

/** Compares the numbers written as `text[a, aEnd)` and `text[b, bEnd)`; equal ones by length. */
export function compareDigits(
  text: Uint8Array,
  a: number,
  aEnd: number,
  b: number,
  bEnd: number,
): number {
  const lengths = aEnd - a - (bEnd - b)
  while (a < aEnd && text[a] === digitZero) a += 1
  while (b < bEnd && text[b] === digitZero) b += 1
  const digits = aEnd - a - (bEnd - b)
  if (digits !== 0) return digits
  for (; a < aEnd; a += 1, b += 1) {
    if (text[a] !== text[b]) return text[a]! - text[b]!
  }
  return lengths
}

const usdDecimals = { min: 2, max: 6 }

/** Writes an amount in micro-USD as `formatUsd` does, and nothing behind it; returns its end. */
export function writeUsd(target: Uint8Array, at: number, amountMicroUsd: number): number {
  const whole = Math.floor(amountMicroUsd / microUsdPerUsd)
  const dotAt = writeWhole(target, at, whole)
  target[dotAt] = dot
  let rest = amountMicroUsd - whole * microUsdPerUsd
  let decimals = usdDecimals.max
  for (; decimals > usdDecimals.min && rest % 10 === 0; decimals -= 1) rest /= 10
  const end = dotAt + 1 + decimals
  writeDigits(target, end, decimals, rest)
  return end
}

/** Writes ASCII; returns its end. Calling an encoder costs more for so few bytes. */
export function writeAscii(target: Uint8Array, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) target[at + index] = text.charCodeAt(index)
  return at + text.length
}
