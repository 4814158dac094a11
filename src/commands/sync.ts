/** The `sync` command: once, whenever the source changes, or every so often. */
import { constants, getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { Refusal, type RefusalCode } from '../problems.ts'
import { openRights } from '../process/private-directory.ts'
import { collectOwnGarbage } from '../process/thread.ts'
import { defaultKeyFile } from '../snapshot/store/removal-key.ts'
import { isReleased } from '../snapshot/store/states.ts'
import { openSource } from '../source/uri.ts'
import { checkLines, checkSource, requireTakable } from '../sync/check.ts'
import { withProgress } from '../sync/progress.ts'
import { type SyncResult, syncOnce } from '../sync/sync.ts'
import { SourceWatch } from '../sync/watch.ts'
import { type Call, type CommandRun, printAnswer } from './command.ts'
import type { SettingOf } from './line/command-table.ts'

type SyncCall = Call<SettingOf<'sync'>>

/** Refusals for the contents of the source: trying again is of no use before they change. */
const forGood: readonly RefusalCode[] = ['held-back', 'too-many-rejects', 'build-limit']

export const syncCommand: CommandRun<'sync'> = async (call) => {
  collectOwnGarbage()
  yieldToServices()
  const { removalKey, snapshots } = call.values
  const keyFile = removalKey === '' ? defaultKeyFile(snapshots) : removalKey
  const rights = openRights(keyFile, call.surroundings.userId)
  if (rights !== undefined) call.terminal.report(rights)
  if (call.values.check) await check(call)
  else if (call.values.watch || call.values.interval > 0) await syncAgainAndAgain(call)
  else await sync(call)
}

/** A sync may take all the time it needs; a service beside it may not wait for it. */
function yieldToServices(): void {
  const wanted = constants.priority.PRIORITY_BELOW_NORMAL
  try {
    // A priority that is lower already stays: only root may raise it.
    if (getPriority() < wanted) setPriority(wanted)
  } catch {
    // Where the system refuses, the sync competes as an equal, which is slower for others but not wrong.
  }
}

async function check(call: SyncCall): Promise<void> {
  const { values, terminal } = call
  const found = await withProgress(terminal, (progress) =>
    checkSource({ ...values, ...values.gate, progress }),
  )
  printAnswer(call, found, () => checkLines(found))
  requireTakable(found)
}

async function sync(call: SyncCall): Promise<void> {
  const { values, terminal, clock } = call
  const result = await withProgress(terminal, (progress) =>
    syncOnce({ ...values, ...values.gate, clock, progress, onThreads: true }),
  )
  printAnswer(call, result, () => resultLines(values, result))
}

function resultLines({ snapshots, publish }: SyncCall['values'], result: SyncResult): string[] {
  const { id, published, authorities, rejects, dangling, leftOutFields, seconds, number } = result
  const what = published ? 'published and announced' : 'unchanged'
  const fields = leftOutFields === 0 ? '' : `, ${leftOutFields} fields left out`
  const left = `${rejects} rejects, ${dangling} dangling connections${fields}`
  const facts = `${authorities} authorities, ${left}, ${seconds.toFixed(1)} s`
  const line = `${what}: snapshot ${id}, ${facts}`
  const there = number === undefined ? [] : [`announced: number ${number} in ${publish}`]
  const rest =
    rejects + dangling + leftOutFields === 0
      ? []
      : [`rejects: ${join(snapshots, 'rejects.ndjson')}`]
  return [line, ...there, ...rest]
}

/** Goes on after failures. @throws Refusal `source-unreadable` when there is no source to begin with. */
async function syncAgainAndAgain(call: SyncCall): Promise<void> {
  let ended = false
  const interrupted = call.interrupted().then(() => {
    ended = true
  })
  const occasions = new Triggers()
  const { source, map, watch: watching, interval } = call.values
  const { clock, terminal } = call
  const opened = openSource(source, map)
  if (watching) await opened.stamp()
  const watch = new SourceWatch({ source: opened, clock, report: terminal.report })
  const timers = [
    watching &&
      setInterval(() => {
        if (isReleased(call.values.snapshots)) occasions.note()
        else void watch.isDue().then((isDue) => isDue && occasions.note())
      }, opened.lookIntervalMs),
    interval > 0 && setInterval(() => occasions.note(), interval * 1000),
  ]
  occasions.note()
  let complaint: string | undefined
  while (!ended) {
    await Promise.race([occasions.next(), interrupted])
    if (ended) break
    await watch.begin()
    let line: string | undefined
    try {
      await sync(call)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const isForGood = forGood.includes(error.code)
      line = isForGood ? error.message : `${error.message}; trying again until it works`
      // Printed once, however often it happens in a row.
      if (line !== complaint) terminal.report(line, 'sync-failed')
      if (!isForGood) watch.retryLater()
    }
    complaint = line
  }
  for (const timer of timers) if (timer !== false) clearInterval(timer)
}

/** Any number of triggers that come together are one. */
class Triggers {
  #noted = false
  #wake: () => void = () => {}

  note(): void {
    this.#noted = true
    this.#wake()
  }

  /** Resolves at once when a trigger came since the last. */
  async next(): Promise<void> {
    while (!this.#noted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#noted = false
  }
}
