/**
 * Request ids: random UUIDs (RFC 9562, version 4). Hundreds are written at once from one block of
 * random bytes, and each is a slice of that text, which costs a tenth of writing one.
 */

const idsPerBlock = 512
const idLength = 36
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * A source of request ids.
 * @param fill fills a block with random bytes; `crypto.randomFillSync` in the service.
 */
export function requestIds(fill: (block: Uint8Array) => void): () => string {
  const block = new Uint8Array(16 * idsPerBlock)
  let text = ''
  let next = 0
  return () => {
    if (next === text.length) {
      fill(block)
      text = format(block)
      next = 0
    }
    next += idLength
    return text.slice(next - idLength, next)
  }
}

/** All ids of a block, one after the other. The text is made of bytes, so that it is flat. */
function format(block: Uint8Array): string {
  const ids = Buffer.allocUnsafe(idsPerBlock * idLength)
  for (let id = 0; id < idsPerBlock; id += 1) {
    ids.write(uuid(block, id * 16), id * idLength, 'latin1')
  }
  return ids.toString('latin1')
}

function uuid(block: Uint8Array, start: number): string {
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
