/** Bytes into an open file, whole: the system may take a part at a time. */
import { writeSync } from 'node:fs'

/** Writes all bytes behind the last written ones. @throws the errors of the file system. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
}
