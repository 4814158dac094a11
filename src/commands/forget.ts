/** The `forget` command: removes a person for good, from what is served and from what could be. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findText, Scratch } from '../memory/text-table.ts'
import { Refusal } from '../problems.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { itemsOf } from '../snapshot/section-pages.ts'
import { directoryStore } from '../snapshot/store/directory.ts'
import { writeDurably } from '../snapshot/store/durable.ts'
import { readRemovals } from '../snapshot/store/removals.ts'
import { loadIfWhole, type SnapshotStore } from '../snapshot/store/store.ts'
import { sduShape } from '../source/schema.ts'
import { withDirectoryLock } from '../sync/directory-lock.ts'
import { eraseFromHistory } from '../sync/history.ts'
import { createProgress } from '../sync/progress.ts'
import { openShared } from '../sync/remote/shared-store.ts'
import { removeHolders } from '../sync/removal.ts'
import { type SyncOptions, type SyncResult, syncOnce, syncSettings } from '../sync/sync.ts'
import { handleKey, platformKey } from '../text/handle.ts'
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
      const known = await withDirectoryLock(snapshots, async () => {
        // The list of others comes first: another one, begun here, could not be put together with it.
        if (order.publish !== '') await (await openShared(order)).catchUp()
        return record(call, sdu)
      })
      const { id, removed } = await syncWithout(call, order)
      report(call, known, id, removed)
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

/** Puts the person on the list and out of the rejects; returns whether any snapshot has them. */
async function record({ values, clock }: ForgetCall, sdu: string): Promise<boolean> {
  const { snapshots, reason } = values
  const profiles = await profilesOf(directoryStore(snapshots), sdu)
  const handles = profiles.flatMap(({ socials }) =>
    Object.entries(socials).map(
      ([platform, { handle }]) => `${platformKey(platform)}:${handleKey(handle)}`,
    ),
  )
  const before = readRemovals(snapshots, randomBytes(32).toString('hex'))
  const removals = before.with({ sdu, handles }, { reason, at: new Date(clock()).toISOString() })
  removals.write(snapshots)
  const names = profiles.map(({ name }) => name)
  cleanRejects(
    snapshots,
    (line) => names.some((each) => line.includes(each)) || removals.isNamedIn(line),
  )
  return profiles.length > 0
}

interface Profile {
  readonly name: string
  readonly socials: Readonly<Record<string, { readonly handle: string }>>
}

/** What the snapshots that can be read say of a person. */
async function profilesOf(store: SnapshotStore, sdu: string): Promise<Profile[]> {
  const profiles: Profile[] = []
  for (const { id } of await store.list()) {
    const profile = profileIn(await loadIfWhole(store, id), sdu)
    if (profile !== undefined) profiles.push(profile)
  }
  return profiles
}

function profileIn(snapshot: Snapshot | undefined, sdu: string): Profile | undefined {
  if (snapshot === undefined) return undefined
  const { sections } = snapshot
  const table = {
    text: sections['sdu.text'],
    ends: sections['sdu.ends'],
    slots: sections['sdu.slots'],
  }
  const ordinal = findText(table, sdu, new Scratch())
  if (ordinal < 0) return undefined
  return JSON.parse(itemsOf(snapshot, 'profile').textAt(ordinal))
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

function report(
  { values, terminal }: ForgetCall,
  known: boolean,
  id: string,
  removed: readonly string[],
): void {
  if (values.json) {
    terminal.print(JSON.stringify({ known, id, removed }))
    return
  }
  if (!known) terminal.report('no snapshot had this SDU; it stays out all the same')
  terminal.print(
    `removed: snapshot ${id} is without this person, ${removed.length} others are gone`,
  )
}
