/** Ctrl-C in a bench: it cleans up first, so that nothing it started outlives it. */

const interruptedExitCode = 130

/**
 * The process exits when the work has failed after SIGINT or SIGTERM, so when it has cleaned up.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => controller.abort(new Error('interrupted'))
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  try {
    return await work(controller.signal)
  } catch (error) {
    // After the signal, a failure is a consequence of the interruption.
    if (controller.signal.aborted) process.exit(interruptedExitCode)
    throw error
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

/** The outcome of some work, or the reason of the signal as soon as it is aborted. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
