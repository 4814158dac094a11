/** The largest of some things that have numbers and sizes. */

/**
 * The `most` largest of so many, largest first and of equals the lowest number; none whose size is 0.
 * O(count), without sorting those that are not kept.
 */
export function largest(count: number, sizeOf: (each: number) => number, most: number): number[] {
  const bySize = (a: number, b: number) => sizeOf(b) - sizeOf(a) || a - b
  let kept: number[] = []
  let sizeMin = 0
  for (let each = 0; each < count; each += 1) {
    if (sizeOf(each) <= sizeMin) continue
    kept.push(each)
    if (kept.length < most * 2) continue
    kept = kept.sort(bySize).slice(0, most)
    sizeMin = sizeOf(kept.at(-1)!)
  }
  return kept.sort(bySize).slice(0, most)
}
