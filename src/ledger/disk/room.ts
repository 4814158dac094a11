/**
 * Guard of LMDB against a write of a page that the disk refuses. LMDB reports such a write in a text
 * that may be longer than the memory it has for it (mdb_page_flush of the LMDB in lmdb 3.5: 100
 * bytes), which damages the memory of the process. So the space for the next pages is written before
 * LMDB writes them: a refusal of the disk comes here, as an error of Node. If LMDB's own write fails
 * all the same, a process with damaged memory ends before it writes anything more.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, statfsSync, writeSync } from 'node:fs'
import { Refusal } from '../../problems.ts'
import { usedBytes } from './pages.ts'

/** Free bytes that a disk needs for any transaction. */
const freeBytesMin = 1 << 20

/** Bytes by which the file may grow with a usual transaction, which changes some hundred entries. */
export const usualGrowthBytes = 512 << 10

const zeros = Buffer.alloc(64 << 10)

/** Maximum bytes of the text. An allocator gives at least so many for 100 bytes, with the last one for its end. */
const textBytesMax = 103

/**
 * Looks at how much room a disk has; some 5 µs.
 * @param name what cannot be written then: `the ledger in DIRECTORY`.
 * @throws Refusal `ledger-refused` where it is less than 1 MiB. Throws what the disk says.
 */
export function refuseWithoutRoom(directory: string, name: string): void {
  const { bavail, blocks, bsize } = statfsSync(directory)
  // Some file systems do not say how large they are.
  if (blocks === 0 || bavail * bsize >= freeBytesMin) return
  const left = `${Math.floor((bavail * bsize) / 1024)} KiB are free, less than 1 MiB`
  throw new Refusal('ledger-refused', `${name} could not be written: no space left: ${left}`)
}

/**
 * Ensures that a file of LMDB has space behind its last page, so that the next pages overwrite space that
 * the file already has. If the space is there, writes one byte in it, so that a disk which refuses
 * every write is noticed. Some 15 µs. Call it in a write transaction: then no other process writes there.
 * @param growthBytes by how much the transaction may make the file grow.
 * @throws what the disk says; then the file is as long as before.
 */
export function reserveSpace(path: string, growthBytes = usualGrowthBytes): void {
  const descriptor = openSync(path, 'r+')
  try {
    const used = usedBytes(descriptor)
    const { size } = fstatSync(descriptor)
    if (size >= used + growthBytes) writeSync(descriptor, zeros, 0, 1, size - 1)
    else extend(descriptor, size, used + 2 * growthBytes)
  } finally {
    closeSync(descriptor)
  }
}

function extend(descriptor: number, from: number, to: number): void {
  try {
    for (let at = from; at < to; ) {
      at += writeSync(descriptor, zeros, 0, Math.min(zeros.length, to - at), at)
    }
  } catch (error) {
    ftruncateSync(descriptor, from)
    throw error
  }
}

/** Whether LMDB wrote more of a text than it had memory for. */
export function hasDamagedMemory({ message }: Error): boolean {
  const at = message.indexOf('Attempting to write page at position')
  return at >= 0 && Buffer.byteLength(message) - at > textBytesMax
}

/** Ends the process at once if its memory is damaged; writes that it has not done yet are lost. */
export function endIfMemoryIsDamaged(error: Error): void {
  if (!hasDamagedMemory(error)) return
  const advice = 'this process ends now, because LMDB has damaged its memory; start it again'
  writeSync(2, `\nthe disk refused a page: ${error.message}; ${advice}\n`)
  process.kill(process.pid, 'SIGKILL')
}
