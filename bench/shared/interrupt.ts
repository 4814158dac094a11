/** Ctrl-C in a bench: it cleans up first, so that nothing it started outlives it. */

/** The exit code of a program that a SIGINT has ended, as shells have it. */
const interruptedExitCode = 130

/**
 * Does some work whose signal is aborted by SIGINT and SIGTERM; the process then exits as soon as
 * the work has failed for that reason, which is when it has cleaned up.
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
