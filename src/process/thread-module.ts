/** What threads share with those that start them: where their modules lie, and counts to wait for. */

/** The address of a thread's module in the directory of the module at `from`. */
export function moduleOf(name: string, from: string): URL {
  const ending = from.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${ending}`, from)
}

/** A number in shared memory that one thread counts up and another waits for; 0 at first. */
export function newCount(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** Adds one, and wakes whoever waits. */
export function countUp(count: Int32Array): void {
  Atomics.add(count, 0, 1)
  Atomics.notify(count, 0)
}

/** Lets every wait for the count end: nobody counts it up any more. */
export function countToEnd(count: Int32Array): void {
  Atomics.store(count, 0, 2 ** 30)
  Atomics.notify(count, 0)
}

/** Blocks until the count is so much at least. */
export function waitForCount(count: Int32Array, least: number): void {
  for (;;) {
    const found = Atomics.load(count, 0)
    if (found >= least) return
    Atomics.wait(count, 0, found)
  }
}
