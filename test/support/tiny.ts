/** How the tests run a bench: tiny, over data of its own that is gone afterwards. */
import type { BenchOptions } from '../../bench/shared/bench.ts'
import { temporaryDirectory } from './built.ts'

/** Options of a tiny run; `report` is called with how far it is. */
export function tinyOptions(report: (line: string) => void = () => {}): BenchOptions {
  const { signal } = new AbortController()
  return { size: 'tiny', directory: temporaryDirectory(), signal, report }
}
