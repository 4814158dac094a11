/** Bytes cut anew: into parts of one size, of which only the last is shorter. */

/** The parts; none without a byte. Holds one part at a time. */
export async function* cutInto(
  chunks: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Buffer, undefined, undefined> {
  let pending: Buffer[] = []
  let pendingBytes = 0
  for await (let chunk of chunks) {
    while (pendingBytes + chunk.length >= partBytes) {
      const end = partBytes - pendingBytes
      yield Buffer.concat([...pending, chunk.subarray(0, end)])
      chunk = chunk.subarray(end)
      pending = []
      pendingBytes = 0
    }
    if (chunk.length > 0) pending.push(chunk)
    pendingBytes += chunk.length
  }
  if (pendingBytes > 0) yield Buffer.concat(pending)
  return undefined
}
