/** The `forget` command: removes a person for good, from what is served and from what could be. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../problems.ts'
import { directoryStore } from '../snapshot/store/directory.ts'
import { writeDurably } from '../snapshot/store/durable.ts'
import { readRemovals } from '../snapshot/store/removals.ts'
import { sduShape } from '../source/fields.ts'
import { withDirectoryLock } from '../sync/directory-lock.ts'
import { eraseFromHistory } from '../sync/history.ts'
import { createProgress } from '../sync/progress.ts'
import { openShared } from '../sync/remote/shared-store.ts'
import { removeHolders, requireList } from '../sync/removal.ts'
import { type SyncOptions, type SyncResult, syncOnce, syncSettings } from '../sync/sync.ts'
import { isSame, type Mention, mentionsOf, tracesOf } from '../sync/traces.ts'
import { type Call, command } from './command.ts'

const settings = [...syncSettings, 'reason', 'json'] as const

type ForgetCall = Call<(typeof settings)[number]>

export const forgetCommand = command({
  operands: 'SDU',
  settings,
  help: 'remove a person for good, everywhere',
  run: async (call) => {
    const [sdu = ''] = call.operands
    if (!sduShape.test(sdu)) throw new Refusal('wrong-usage', 'an SDU is 1 to 32 digits')
    if (call.values.reason === '')
      throw new Refusal('wrong-usage', 'forget needs --reason, which is kept with the removal')
    const { snapshots } = call.values
    const progress = createProgress(call.terminal)
    const order = { ...call.values, clock: call.clock, progress, onThreads: true }
    try {
      const found = await withDirectoryLock(snapshots, async () => {
        // The list of others comes first: another one, begun here, could not be put together with it.
        if (order.publish !== '') await (await openShared(order)).catchUp()
        return record(call, sdu)
      })
      const { id, removed } = await syncWithout(call, order)
      const named = await mentionsOf(directoryStore(snapshots), id, found.names)
      report(call, { ...found, id, removed, named })
    } finally {
      progress.stop()
    }
  },
})

async function syncWithout(call: ForgetCall, order: SyncOptions): Promise<SyncResult> {
  try {
    return await syncOnce(order)
  } catch (error) {
    throw error instanceof Refusal ? await unpublished(call, error) : error
  }
}

/** What a removal found of the person. */
interface Found {
  /** Whether a snapshot or the list had the SDU. */
  readonly known: boolean
  readonly names: readonly string[]
  /** Handles that were theirs and are of another record in the current snapshot, and of whose. */
  readonly elsewhere: readonly { readonly handle: string; readonly sdu: string }[]
}

/**
 * Puts the person on the list and out of the rejects.
 * @throws Refusal `snapshot-missing` for an SDU that nothing knows, unless it is forced.
 */
async function record({ values, clock }: ForgetCall, sdu: string): Promise<Found> {
  const { snapshots, reason, force } = values
  const store = directoryStore(snapshots)
  await requireList(store, snapshots)
  const traces = await tracesOf(store, sdu)
  const before = readRemovals(snapshots, randomBytes(32).toString('hex'))
  const known = traces.people.length > 0 || before.has(sdu)
  if (!known && !force) {
    const hint = '--force puts it on the list of removals all the same'
    throw new Refusal('snapshot-missing', `no snapshot has the SDU ${sdu}; ${hint}`)
  }
  const handles = [...new Set(traces.people.flatMap((person) => person.handles))]
  const { current } = traces
  const elsewhere = handles.flatMap((handle) => {
    const owner = current?.ownerOf(handle)
    return owner === undefined || isSame(owner, sdu) ? [] : [{ handle, sdu: owner }]
  })
  const theirs = handles.filter((handle) => elsewhere.every((each) => each.handle !== handle))
  const why = { reason, at: new Date(clock()).toISOString() }
  const removals = before.with({ sdu, handles: theirs }, why)
  removals.write(snapshots)
  const names = [...new Set(traces.people.map(({ name }) => name))]
  cleanRejects(
    snapshots,
    (line) => names.some((each) => line.includes(each)) || removals.isNamedIn(line),
  )
  return { known, names, elsewhere }
}

/** Leaves out the lines of the rejects of which something holds. */
function cleanRejects(snapshots: string, holds: (line: string) => boolean): void {
  const name = 'rejects.ndjson'
  if (!existsSync(join(snapshots, name))) return
  const lines = readFileSync(join(snapshots, name), 'utf8').split('\n')
  writeDurably(snapshots, name, lines.filter((line) => !holds(line)).join('\n'))
}

/**
 * What is left to say when no snapshot without the person could be made: the list holds, and what
 * could be rolled back to is gone; what is served now stays until the next sync.
 */
async function unpublished({ values }: ForgetCall, refusal: Refusal): Promise<Refusal> {
  const { snapshots } = values
  await withDirectoryLock(snapshots, async () => {
    const store = directoryStore(snapshots)
    const { current } = await store.pointers()
    const removals = readRemovals(snapshots)
    await removeHolders(store, removals, current)
    eraseFromHistory(snapshots, removals)
  })
  const rest = 'the removal is recorded, but the current snapshot holds until a sync succeeds'
  return new Refusal(refusal.code, `${refusal.message}; ${rest}`)
}

/** What `forget` prints. */
interface Report extends Omit<Found, 'names'> {
  readonly id: string
  readonly removed: readonly string[]
  readonly named: readonly Mention[]
}

/** So many texts that name the person are printed; `--json` has all of them. */
const mentionsMax = 20

function report({ values, terminal }: ForgetCall, found: Report): void {
  const { known, id, removed, elsewhere, named } = found
  if (values.json) {
    terminal.print(JSON.stringify({ known, id, removed, elsewhere, named }))
    return
  }
  if (!known) terminal.report('no snapshot had this SDU; it stays out all the same')
  for (const { handle, sdu } of elsewhere) {
    terminal.report(
      `${handle} belongs to the SDU ${sdu} now: forget it too if that is the same person`,
    )
  }
  for (const { sdu, field } of named.slice(0, mentionsMax)) {
    terminal.report(`the ${field} of the SDU ${sdu} names this person: change it in the source`)
  }
  if (named.length > mentionsMax) terminal.report(`${named.length} texts name this person`)
  terminal.print(
    `removed: snapshot ${id} is without this person, ${removed.length} others are gone`,
  )
}
