/**
 * Flat memory that is not used any more, given back to the system. An array that nothing refers to keeps its memory until
 * V8 collects garbage, and V8 does that by what the objects of JavaScript take: a thread that works on arrays makes few.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Arrays of so many bytes are worth a collection: less is given back with the next. */
const worthwhileBytes = 1 << 26

/**
 * A function that collects all garbage of the thread that asked for it: some tens of milliseconds, whatever the size of the
 * arrays. It does nothing where the engine has no such function, and while the arrays of the thread take less than
 * `bytesMin` more than they do now.
 */
export function garbageCollector(bytesMin = worthwhileBytes): () => void {
  const least = process.memoryUsage().arrayBuffers + bytesMin
  let collect: unknown
  return () => {
    if (process.memoryUsage().arrayBuffers < least) return
    collect ??= exposedCollector()
    if (typeof collect === 'function') collect()
  }
}

function exposedCollector(): unknown {
  setFlagsFromString('--expose-gc')
  return runInNewContext('globalThis.gc')
}
