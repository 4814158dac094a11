/**
 * Request ids: random UUIDs (RFC 9562, version 4), made from a block of random bytes so that the
 * operating system is asked once for hundreds of them.
 */

const blockBytes = 16 * 512
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * A source of request ids.
 * @param fill fills a block with random bytes; `crypto.randomFillSync` in the service.
 */
export function requestIds(fill: (block: Uint8Array) => void): () => string {
  const block = new Uint8Array(blockBytes)
  let next = blockBytes
  return () => {
    if (next === blockBytes) {
      fill(block)
      next = 0
    }
    const start = next
    next += 16
    return format(block, start)
  }
}

function format(block: Uint8Array, start: number): string {
  let text = ''
  for (let index = 0; index < 16; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-'
    let byte = block[start + index]!
    if (index === 6) byte = (byte & 0x0f) | 0x40
    if (index === 8) byte = (byte & 0x3f) | 0x80
    text += hex[byte]!
  }
  return text
}
