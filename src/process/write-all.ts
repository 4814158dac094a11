/** Bytes into an open file, whole: the system may take a part at a time. */
import { writeSync } from 'node:fs'

/** Writes all bytes behind what was written last. @throws what the file system throws. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
}
