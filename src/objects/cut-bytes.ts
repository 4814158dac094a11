/** Bytes cut anew: into parts of one size, of which only the last is shorter. */

/** The parts; none without a byte. Holds one part at a time. */
export async function* cutInto(
  chunks: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Buffer, undefined, undefined> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (let chunk of chunks) {
    while (heldBytes + chunk.length >= partBytes) {
      const end = partBytes - heldBytes
      yield Buffer.concat([...held, chunk.subarray(0, end)])
      chunk = chunk.subarray(end)
      held = []
      heldBytes = 0
    }
    if (chunk.length > 0) held.push(chunk)
    heldBytes += chunk.length
  }
  if (heldBytes > 0) yield Buffer.concat(held)
  return undefined
}
