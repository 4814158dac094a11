/** The slot of a key in a Redis cluster: every node serves some of the 16,384. */

const slots = 16_384
/** CRC-16/XMODEM: x^16 + x^12 + x^5 + 1. */
const polynomial = 0x10_21

/** For each byte what it makes of the checksum. */
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let checksum = byte << 8
  for (let bit = 0; bit < 8; bit += 1) {
    checksum = (checksum << 1) ^ (checksum & 0x80_00 ? polynomial : 0)
  }
  return checksum
})

/**
 * The slot of a key of ASCII without a hash tag (Redis cluster specification, "Key distribution model").
 * @returns 0 to 16,383.
 */
export function slotOf(key: string): number {
  let checksum = 0
  for (let index = 0; index < key.length; index += 1) {
    checksum = ((checksum << 8) & 0xff_ff) ^ table[(checksum >>> 8) ^ key.charCodeAt(index)]!
  }
  return checksum % slots
}
