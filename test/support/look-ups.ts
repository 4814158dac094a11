/** Counts how often maps are asked for one key: what a cache saves. */
import { onTestFinished, vi } from 'vitest'

/** Counts the look-ups of a key in any map, until the test ends. */
export function lookUpsOf(key: string): () => number {
  const get = vi.spyOn(Map.prototype, 'get')
  onTestFinished(() => get.mockRestore())
  return () => get.mock.calls.filter(([asked]) => asked === key).length
}
