/** When charges reached the disk, as an outside process sees it: by looking at the ledger. */
import { type Environment, openEnvironment } from '../../../../src/ledger/lmdb/environment.ts'

/** How often the ledger is looked at from outside for a new commit. */
const watchIntervalMs = 5

/** Commits that were seen until it ended. */
interface CommitWatch {
  /** Times after which the charges of a window came to the disk, ascending. */
  readonly commitsFromMs: readonly number[]
  readonly end: () => Promise<void>
}

/** Notes of every batch of charges the last time at which it was not yet in the ledger. */
export function watchCommits(data: string): CommitWatch {
  const environment = openEnvironment({ directory: data, clock: Date.now })
  const commitsFromMs: number[] = []
  let lookedAtMs = performance.now()
  let last = lastBatch(environment)
  const timer = setInterval(() => {
    const nowMs = performance.now()
    const batch = lastBatch(environment)
    if (batch !== last) commitsFromMs.push(lookedAtMs)
    lookedAtMs = nowMs
    last = batch
  }, watchIntervalMs).unref()
  const end = async () => {
    clearInterval(timer)
    await environment.close()
  }
  return { commitsFromMs, end }
}

function lastBatch(environment: Environment): string {
  return environment.read((tables) => JSON.stringify(tables.batches.get('last')))
}
