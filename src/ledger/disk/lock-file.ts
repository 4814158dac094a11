/**
 * The lock file of LMDB, as the LMDB in lmdb 3.5 lays it out (`MDB_txninfo`): the number of the last transaction, and
 * three mutexes that all processes share. LMDB leaves two gaps there, which are closed here; see `last-transaction.ts`
 * for the number. The mutexes: a process that closes the file as the last one destroys them under an exclusive lock of
 * the lock file. A process that waits for a lock at that moment gets it next, and shares it, so it does not make them
 * anew: each transaction then fails with EINVAL, in all processes that open the file meanwhile.
 */
import { openSync, readSync, writeSync } from 'node:fs'
import { arch } from 'node:process'

/** Lock files that were read or written. Closing one would end LMDB's own locks of it (POSIX), so they stay open. */
export type OpenLockFiles = Map<string, number>

/** A file of LMDB, and the lock files that are open. */
export interface LockedFile {
  readonly path: string
  readonly lockFiles: OpenLockFiles
}

/** Offset of the number (`MDB_txbody`): 64 bits in the byte order of the machine. */
const numberOffset = 8

/** Offset of the first mutex; the others begin with the next line of the processor's cache. */
const mutexOffset = 24
const cacheLineBytes = 64
/** Bytes of a `pthread_mutex_t` of glibc, by processor. Elsewhere nothing is mended. */
const mutexBytes: Readonly<Record<string, number>> = { x64: 40, arm64: 48 }
/** Offset of the kind in a mutex: 32 bits. Destroying a mutex changes nothing else. */
const kindOffset = 16
const destroyedKind = -1
/** Robust, and shared by processes (`PTHREAD_MUTEX_ROBUST_NORMAL_NP`, and 128). */
const sharedKind = 16 | 128

/** Writes the number of the last transaction. Throws what the disk says. */
export function writeLastTransaction(file: LockedFile, last: number): void {
  const number = new BigUint64Array([BigInt(last)])
  writeSync(descriptorOf(file), new Uint8Array(number.buffer), 0, number.byteLength, numberOffset)
}

/**
 * Makes mutexes whole that the last process destroyed. To be called while this process has the file open: then no other
 * may destroy them or make them anew, and several may mend them at once.
 * @returns whether there was one to mend. Throws what the disk says.
 */
export function mendMutexes(file: LockedFile): boolean {
  const descriptor = descriptorOf(file)
  const kind = new Int32Array(1)
  const bytes = new Uint8Array(kind.buffer)
  let isMended = false
  for (const offset of mutexOffsets()) {
    readSync(descriptor, bytes, 0, bytes.length, offset + kindOffset)
    if (kind[0] !== destroyedKind) continue
    kind[0] = sharedKind
    writeSync(descriptor, bytes, 0, bytes.length, offset + kindOffset)
    isMended = true
  }
  return isMended
}

function mutexOffsets(): number[] {
  const bytes = mutexBytes[arch]
  if (bytes === undefined) return []
  const second = Math.ceil((mutexOffset + bytes) / cacheLineBytes) * cacheLineBytes
  return [mutexOffset, second, second + bytes]
}

function descriptorOf({ path, lockFiles }: LockedFile): number {
  const descriptor = lockFiles.get(path) ?? openSync(`${path}-lock`, 'r+')
  lockFiles.set(path, descriptor)
  return descriptor
}
