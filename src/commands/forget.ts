/** The `forget` command: removes a person for good, from the served snapshot and from those that could be. */
import { Refusal } from '../problems.ts'
import { sduShape } from '../source/fields.ts'
import { withDirectoryLock } from '../sync/directory-lock.ts'
import { withProgress } from '../sync/progress.ts'
import { openShared } from '../sync/remote/shared-store.ts'
import { type FoundTraces, recordRemoval, removeEarlier } from '../sync/removals/forgetting.ts'
import { settleKey } from '../sync/removals/key-place.ts'
import { type Mention, mentionsOf } from '../sync/removals/traces.ts'
import { type SyncOptions, type SyncResult, syncOnce } from '../sync/sync.ts'
import { type Call, type CommandRun, printAnswer } from './command.ts'
import type { SettingOf } from './line/command-table.ts'

type ForgetCall = Call<SettingOf<'forget'>>

export const forgetCommand: CommandRun<'forget'> = async (call) => {
  const [sdu = ''] = call.operands
  if (!sduShape.test(sdu)) throw new Refusal('wrong-usage', 'an SDU is 1 to 32 digits')
  if (call.values.reason === '')
    throw new Refusal('wrong-usage', 'forget needs --reason, which is kept with the removal')
  const { snapshots } = call.values
  const found = await withProgress(call.terminal, async (progress) => {
    const { clock, values } = call
    const order = { ...values, ...values.gate, clock, progress, onThreads: true }
    const traces = await withDirectoryLock(snapshots, async () => {
      // The list of others comes first: another one, begun here, could not be put together with it.
      if (order.publish !== '') await (await openShared(order)).catchUp()
      const { reason, force, removalKey } = values
      const moved = settleKey(snapshots, removalKey)
      if (moved !== undefined) progress.note(moved)
      return recordRemoval({ snapshots, removalKey, sdu, reason, force, clock })
    })
    const { id, removed } = await syncWithout(call, order)
    return { ...traces, id, removed, named: mentionsOf(snapshots, id, traces.names) }
  })
  report(call, found)
}

async function syncWithout(call: ForgetCall, order: SyncOptions): Promise<SyncResult> {
  try {
    return await syncOnce(order)
  } catch (error) {
    throw error instanceof Refusal ? await unpublished(call, error) : error
  }
}

/** The removal stays recorded, and the snapshots for a rollback are gone; the current one stays until the next sync. */
async function unpublished({ values }: ForgetCall, refusal: Refusal): Promise<Refusal> {
  const { snapshots } = values
  await withDirectoryLock(snapshots, () => removeEarlier(snapshots))
  const rest = 'the removal is recorded, but the current snapshot holds until a sync succeeds'
  return new Refusal(refusal.code, `${refusal.message}; ${rest}`)
}

interface Report extends Omit<FoundTraces, 'names'> {
  readonly id: string
  readonly removed: readonly string[]
  readonly named: readonly Mention[]
}

/** Maximum number of printed texts that name the person; `--json` has all of them. */
const mentionsMax = 20

function report(call: ForgetCall, { known, id, removed, elsewhere, named }: Report): void {
  printAnswer(call, { known, id, removed, elsewhere, named }, () => {
    const { report } = call.terminal
    if (!known) report('no snapshot had this SDU; it stays out all the same')
    for (const { handle, sdu } of elsewhere) {
      report(`${handle} belongs to the SDU ${sdu} now: forget it too if that is the same person`)
    }
    for (const { sdu, field } of named.slice(0, mentionsMax)) {
      report(`the ${field} of the SDU ${sdu} names this person: change it in the source`)
    }
    if (named.length > mentionsMax) report(`${named.length} texts name this person`)
    return [`removed: snapshot ${id} is without this person, ${removed.length} others are gone`]
  })
}
