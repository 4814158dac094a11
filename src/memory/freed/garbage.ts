/**
 * Flat memory that is not used any more, given back to the system. An array that nothing refers to keeps its memory until
 * V8 collects garbage, and V8 does that by what the objects of JavaScript take: a thread that works on arrays makes few.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * A function that collects all garbage of the thread that asked for it: some tens of milliseconds, whatever the size of the
 * arrays. It does nothing where the engine has no such function.
 */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('globalThis.gc')
  return typeof collect === 'function' ? () => void collect() : () => {}
}
