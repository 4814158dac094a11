/**
 * Loaded before the program (`node --import`): kills the process with SIGKILL right before the step
 * that KILL_AT_STEP numbers, from 1. A step is a call that changes the file system; of the many
 * writes only each sixteenth counts. At the end the number of steps is on stderr.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const killAt = Number(process.env.KILL_AT_STEP)
let steps = 0
let writes = 0

function step() {
  steps += 1
  if (steps === killAt) process.kill(process.pid, 'SIGKILL')
}

for (const name of ['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'rmSync', 'mkdirSync']) {
  const original = fs[name]
  fs[name] = (...words) => {
    const isWrite = name === 'writeSync'
    if (isWrite) writes += 1
    if (!(isWrite && writes % 16 !== 0) && !(name === 'openSync' && words[1] === 'r')) step()
    return original(...words)
  }
}
syncBuiltinESMExports()
// Threads that the program starts load this too, and take no steps that are counted.
if (isMainThread) process.on('exit', () => process.stderr.write(`steps: ${steps}\n`))
