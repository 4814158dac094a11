/**
 * How many bytes a call allocates on the heap, counted by the size of the heap before and after some calls.
 * Stretches in which the collector ran do not count: the heap is smaller after them.
 */

/** Calls between two looks at the heap: few, so that the collector seldom runs in between. */
const callsPerStretch = 10

/** Bytes a call, on the mean over calls with 0 to `count - 1`; 0 where the collector ran in every stretch. */
export function bytesPerCall(count: number, call: (index: number) => unknown): number {
  // The first looks allocate more than later ones.
  const looks = Array.from({ length: 20 }, () => bytesOf(0, 0, call))
  const own = Math.min(...looks.filter((each) => each >= 0))
  let bytes = 0
  let calls = 0
  for (let from = 0; from < count; from += callsPerStretch) {
    const to = Math.min(count, from + callsPerStretch)
    const more = bytesOf(from, to, call)
    if (more < 0) continue
    bytes += Math.max(0, more - own)
    calls += to - from
  }
  return calls === 0 ? 0 : bytes / calls
}

/** What the heap grows by while some calls are made: also by the look at it. */
function bytesOf(from: number, to: number, call: (index: number) => unknown): number {
  const before = process.memoryUsage().heapUsed
  for (let index = from; index < to; index += 1) call(index)
  return process.memoryUsage().heapUsed - before
}
