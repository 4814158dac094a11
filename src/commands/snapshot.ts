/** The `snapshot` commands: whether a file is whole, and what goes from the snapshot directory elsewhere and back. */
import { snapshotTables } from '../export/tables.ts'
import { openObjects } from '../objects/object-address.ts'
import { Refusal } from '../problems.ts'
import { type Resilience, resilienceOf } from '../snapshot/resilience.ts'
import {
  chosenSnapshot,
  findSnapshot,
  loadForAnswers,
  loadSnapshot,
  pointersOf,
} from '../snapshot/store/directory.ts'
import { orStoreRefused } from '../snapshot/store/system-errors.ts'
import { withDirectoryLock } from '../sync/directory-lock.ts'
import { withProgress } from '../sync/progress.ts'
import { Mirror } from '../sync/remote/mirror.ts'
import { openShared, steadinessOf } from '../sync/remote/shared-store.ts'
import { servedCommands } from './administration.ts'
import { type CommandRun, type CommandRuns, printAnswer } from './command.ts'
import { exportTables } from './export-tables.ts'

const verify: CommandRun<'snapshot verify'> = (call) => {
  const { operands } = call
  const [file = ''] = operands
  const { header, sections } = orStoreRefused(file, () => loadSnapshot(file))
  const { id, counts } = header
  const resilience = resilienceOf(sections)
  printAnswer(call, { file, id, whole: true, counts, resilience }, () => [
    `${file}: whole, snapshot ${id}, ${counts.authorities} authorities`,
    ...(resilience.topics > 0 ? [resilienceLine(resilience)] : []),
  ])
}

function resilienceLine({ topics, by_1, by_10 }: Resilience): string {
  const lost = (losses: number | null, fall: string) =>
    losses === null ? `they do not fall by ${fall}` : `${losses} to fall by ${fall}`
  return `resilience: the first ranks of the median topic (of ${topics}) have to lose of their strongest endorsers ${lost(by_1, 'one place')}, ${lost(by_10, 'ten')}`
}

const push: CommandRun<'snapshot push'> = async (call) => {
  const { operands, values, terminal, clock } = call
  const [publish = '', idStart] = operands
  const { snapshots } = values
  const wanted = idStart ?? pointersOf(snapshots).current
  if (wanted === undefined) {
    throw new Refusal('snapshot-missing', `${snapshots}: no snapshot is announced`)
  }
  const { id } = findSnapshot(snapshots, wanted)
  const { isNew, number, address } = await withProgress(terminal, async (progress) => {
    const shared = await openShared({ ...values, publish, clock, progress })
    const isNew = await withDirectoryLock(snapshots, async () => {
      await shared.prove()
      return shared.push(id)
    })
    return { isNew, number: shared.number, address: shared.address }
  })
  const what = isNew ? 'announced' : 'was announced before'
  printAnswer(call, { id, number, isNew }, () => [
    `${what}: snapshot ${id} as number ${number} in ${address}`,
  ])
}

const pull: CommandRun<'snapshot pull'> = async (call) => {
  const { operands, values, terminal, clock } = call
  const { snapshots: directory, keep, activateAfter, transferRate } = values
  const store = await openObjects(operands[0]!)
  const { isNew, number } = await withProgress(terminal, async (progress) => {
    const mirror = new Mirror({
      ...{ store, directory, keep, clock, activateAfterMs: activateAfter },
      steadiness: steadinessOf(transferRate, clock, progress.note),
      holding: (lockName, work) => withDirectoryLock(directory, work, lockName),
      onChange: ({ share }) => share !== undefined && progress.update(share),
    })
    progress.phase(`fetching from ${store.name}`)
    const isNew = await mirror.look()
    return { isNew, number: mirror.state.number }
  })
  const { current: id } = pointersOf(directory)
  if (id === undefined || number === 0) {
    throw new Refusal('snapshot-missing', `${store.name}: nothing is announced`)
  }
  const what = isNew ? 'fetched and announced' : 'was here before'
  printAnswer(call, { id, number, isNew }, () => [
    `${what}: snapshot ${id}, number ${number} of ${store.name}`,
  ])
}

const exportSnapshot: CommandRun<'snapshot export'> = async (call) => {
  const { snapshots } = call.values
  const { id } = chosenSnapshot(snapshots, call.operands[0])
  return exportTables(call, snapshotTables(loadForAnswers(snapshots, id)))
}

export const snapshotCommands: CommandRuns<'snapshot'> = {
  ...servedCommands,
  'snapshot verify': verify,
  'snapshot export': exportSnapshot,
  'snapshot push': push,
  'snapshot pull': pull,
}
