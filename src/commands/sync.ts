/** The `sync` command: once, whenever the source changes, or every so often. */
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../problems.ts'
import type { Watch } from '../source/source.ts'
import { openSource } from '../source/uri.ts'
import { createProgress } from '../sync/progress.ts'
import { type SyncResult, syncOnce, syncSettings } from '../sync/sync.ts'
import { type Call, type Command, command } from './command.ts'

const settings = [...syncSettings, 'watch', 'interval', 'json'] as const

type SyncCall = Call<(typeof settings)[number]>

/** A source that was just changed is read when it has been left alone for this long. */
const debounceMs = 1_000

export const syncCommand: Command = command({
  operands: '',
  settings,
  help: 'build a snapshot from source records and announce it',
  run: async (call) => {
    // A sync may take all the time it needs; a service beside it may not wait for it.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    if (call.values.watch || call.values.interval > 0) await syncAgainAndAgain(call)
    else await sync(call)
  },
})

async function sync({ values, terminal, clock }: SyncCall): Promise<void> {
  const progress = createProgress(terminal)
  let result: SyncResult
  try {
    result = await syncOnce({ ...values, clock, progress, onThreads: true })
  } finally {
    progress.stop()
  }
  if (values.json) terminal.print(JSON.stringify(result))
  else for (const line of resultLines(values.snapshots, result)) terminal.print(line)
}

function resultLines(snapshots: string, result: SyncResult): string[] {
  const { id, published, authorities, rejects, dangling, seconds } = result
  const what = published ? 'published and announced' : 'unchanged'
  const left = `${rejects} rejects, ${dangling} dangling connections`
  const facts = `${authorities} authorities, ${left}, ${seconds.toFixed(1)} s`
  const line = `${what}: snapshot ${id}, ${facts}`
  return rejects + dangling === 0 ? [line] : [line, `rejects: ${join(snapshots, 'rejects.ndjson')}`]
}

/** Syncs at once and then on every occasion until the process is asked to end, whatever fails. */
async function syncAgainAndAgain(call: SyncCall): Promise<void> {
  let ended = false
  const interrupted = call.interrupted().then(() => {
    ended = true
  })
  const occasions = new Occasions()
  const { source, watch: watching, interval } = call.values
  const watcher = watching ? watchSource(source, occasions, call) : undefined
  const timer = interval > 0 ? setInterval(() => occasions.note(), interval * 1000) : undefined
  occasions.note()
  while (!ended) {
    await Promise.race([occasions.next(), interrupted])
    if (ended) break
    try {
      await sync(call)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      call.terminal.report(error.message)
    }
  }
  watcher?.close()
  clearInterval(timer)
  occasions.close()
}

function watchSource(source: string, occasions: Occasions, { terminal }: SyncCall): Watch {
  return openSource(source).watch(
    () => occasions.noteLater(debounceMs),
    (error) => terminal.report(`${source} is not watched any more: ${error}`),
  )
}

/** Reasons to sync: any number that come together are one. */
class Occasions {
  #noted = false
  #wake: () => void = () => {}
  #timer: NodeJS.Timeout | undefined

  note(): void {
    this.#noted = true
    this.#wake()
  }

  /** Notes one when nothing has been heard for so long. */
  noteLater(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.note(), milliseconds)
  }

  /** Resolves at the next occasion, at once when one came since the last. */
  async next(): Promise<void> {
    while (!this.#noted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#noted = false
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
