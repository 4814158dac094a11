/**
 * Loaded before the program (`node --import`), and with it into every thread: a serving thread
 * fails when it can remove the file KILL_THREADS.one, or while there is a file KILL_THREADS.all.
 */
import { existsSync, unlinkSync } from 'node:fs'
import { isMainThread, workerData } from 'node:worker_threads'

function isTold() {
  if (existsSync(`${process.env.KILL_THREADS}.all`)) return true
  try {
    // Not `rmSync`, which tells two threads at once that they have removed the file.
    unlinkSync(`${process.env.KILL_THREADS}.one`)
    return true
  } catch {
    // Not there, or another thread was faster.
    return false
  }
}

function failIfTold() {
  if (isTold()) throw new Error('killed by the test')
}

if (!isMainThread && workerData?.balances !== undefined) setInterval(failIfTold, 10).unref()
