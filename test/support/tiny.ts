/** How the tests run a bench: tiny, over data of its own that is gone afterwards. */
import type { BenchOptions } from '../../bench/shared/bench.ts'
import { temporaryDirectory } from './built.ts'

export function tinyOptions(): BenchOptions {
  const { signal } = new AbortController()
  return { size: 'tiny', directory: temporaryDirectory(), signal, report: () => {} }
}
