/**
 * Loaded before the program (`node --import`), and with it into every thread: while there is a file FAIL_CALLS, what
 * the main thread asks of a serving thread is done and answered with a failure all the same.
 */
import { existsSync } from 'node:fs'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'

if (!isMainThread && workerData?.balances !== undefined) {
  const post = parentPort.postMessage.bind(parentPort)
  parentPort.postMessage = (message, ...rest) => {
    const fails = 'value' in message && existsSync(process.env.FAIL_CALLS)
    if (fails) post({ id: message.id, error: new Error('failed by the test') })
    else post(message, ...rest)
  }
}
