/**
 * A second thread that reads a large snapshot together with a loading thread, which waits for it no longer than it needs:
 * it reads all by itself while the second is not there yet. Memory that is touched first and the copy into it take most
 * of a load, so that two threads take about half of the time.
 */
import { startThread, type Thread } from '../../process/thread.ts'
import {
  endsOf,
  type FillAll,
  fillFree,
  sharedFillings,
  waitForOthers,
} from '../../snapshot/reading/filling.ts'
import type { LoadingCalls } from '../protocol.ts'

/** A thread that lasts for one load. */
export class SecondThread {
  readonly #thread: Thread<LoadingCalls>

  /** @param module that of a loading thread. */
  constructor(module: URL) {
    this.#thread = startThread<LoadingCalls>(module, {
      name: 'the second loading thread',
      handlers: {},
    })
  }

  /** Fills with both threads. @throws Error where the second one dies at work. */
  readonly fillAll: FillAll = (fillings, rest) => {
    const shared = sharedFillings(fillings)
    // If it cannot begin, this thread fills all.
    this.#thread.channel.call('fill', shared).catch(() => {})
    try {
      fillFree(shared, rest)
      return endsOf(shared, rest)
    } finally {
      waitForOthers(shared)
    }
  }

  close(): void {
    void this.#thread.worker.terminate()
  }
}
