/**
 * Makes a release by its steps. Invariant: the directory of the release holds a whole one or does not exist, and the
 * checkout gets the commit and the tag of the version after all steps, in no dry run.
 */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { bringHome, cloneWithVersion, type Plan } from './checkout.ts'
import type { Step, Work } from './steps.ts'

/** How a release is made. */
export interface Order {
  readonly steps: readonly Step[]
  /** The directory of its files; must not exist. */
  readonly out: string
  /** Names of steps that are not made. */
  readonly skipped: ReadonlySet<string>
  readonly isDry: boolean
  /** Gets a line for each step, in two parts: what it does, and how long it took. */
  readonly say: (text: string) => void
  /** Ends the release before the next step. */
  readonly signal: AbortSignal
}

/** Makes a release. @throws Error that begins with the name of the step that failed; then nothing is left. */
export async function makeRelease(plan: Plan, order: Order): Promise<void> {
  const { out, skipped, isDry } = order
  mkdirSync(dirname(out), { recursive: true })
  // Outside of this checkout, so that nothing of it is found from there.
  const clone = join(mkdtempSync(join(tmpdir(), 'release-')), 'authority-index')
  const unfinished = mkdtempSync(join(dirname(out), '.unfinished-'))
  try {
    cloneWithVersion(plan, clone)
    await makeSteps({ ...plan, clone, out: unfinished, skipped }, order)
    chmodSync(unfinished, 0o755)
    if (!isDry) bringHome(plan, clone)
    renameSync(unfinished, out)
  } finally {
    for (const place of [dirname(clone), unfinished]) {
      rmSync(place, { recursive: true, force: true })
    }
  }
}

async function makeSteps(work: Work, { steps, say, signal }: Order): Promise<void> {
  for (const { name, what, make } of steps) {
    if (work.skipped.has(name)) continue
    const startedMs = performance.now()
    say(`${name}: ${what} … `)
    try {
      await make(work)
      // Signals arrive between two turns of the loop.
      await setImmediate()
      signal.throwIfAborted()
    } catch (error) {
      say('failed\n')
      throw new Error(`${name}: ${(error as Error).message}`)
    }
    say(`${((performance.now() - startedMs) / 1000).toFixed(0)} s\n`)
  }
}
