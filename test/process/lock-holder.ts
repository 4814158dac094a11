/** A process that tries to take the lock named by its argument when it is told to, and says so. */

import { Refusal } from '../../src/problems.ts'
import { acquireLock } from '../../src/process/lock.ts'

function attempt(file: string): string {
  try {
    acquireLock(file, { clock: Date.now })
    return 'held'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

process.on('message', () => process.send?.(attempt(process.argv[2] ?? '')))
// The channel to the parent keeps the process alive, and its end ends it.
process.on('disconnect', () => process.exit())
process.send?.('ready')
