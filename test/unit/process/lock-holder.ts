/** A process that tries to take the lock named by its argument on command, or at once for so many milliseconds, and reports the outcome. */
import { Refusal } from '../../../src/problems.ts'
import { acquireLock, type Lock } from '../../../src/process/lock.ts'

/** A lock is held as long as somebody has it. */
const held: Lock[] = []

function attempt(file: string): string {
  try {
    held.push(acquireLock(file))
    return 'held'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

const [file = '', heldMs] = process.argv.slice(2)
process.on('message', () => process.send?.(attempt(file)))
// The channel to the parent keeps the process alive, and its end ends it.
process.on('disconnect', () => process.exit())
process.send?.(heldMs === undefined ? 'ready' : attempt(file))
if (heldMs !== undefined) setTimeout(() => process.exit(), Number(heldMs))
