/**
 * What runs in the thread that starts and guards the keyword thread. The thread that adds texts blocks
 * while it waits, so no event reaches it; this one waits for nothing and reports how the keyword thread
 * ends, with its cause. It ends with the keyword thread.
 */
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { failureOf } from '../process/channel.ts'
import { countToEnd } from '../process/thread-module.ts'
import type { KeywordGuardStart, KeywordReport } from './keyword-thread.ts'

const { module, port, progress, ends } = workerData as KeywordGuardStart

function report({ message, stack }: Error): void {
  // The error of another thread is no error to a port: it would arrive without a message.
  const cause = Object.assign(new Error(message), { stack })
  const failed: KeywordReport = { failure: failureOf(cause) }
  ends.postMessage(failed)
  countToEnd(progress)
}

const worker = new Worker(new URL(module), { workerData: { port, progress }, transferList: [port] })
worker.once('error', report)
worker.once('exit', (code) => report(new Error(`the keyword thread ended with code ${code}`)))
parentPort!.postMessage('started')
