/** The `snapshot` commands: whether a file is whole, and what goes from the snapshot directory elsewhere and back. */
import { snapshotTables } from '../export/tables.ts'
import { openObjects } from '../objects/object-address.ts'
import { Refusal } from '../problems.ts'
import { type Resilience, resilienceOf } from '../snapshot/resilience.ts'
import { loadForAnswers, loadSnapshot } from '../snapshot/store/directory.ts'
import { chosenSnapshot, findSnapshot, pointersOf } from '../snapshot/store/store.ts'
import { orStoreRefused } from '../snapshot/store/system-errors.ts'
import { withDirectoryLock } from '../sync/directory-lock.ts'
import { createProgress } from '../sync/progress.ts'
import { Mirror } from '../sync/remote/mirror.ts'
import { openShared, steadinessOf } from '../sync/remote/shared-store.ts'
import { servedCommands } from './administration.ts'
import type { CommandRun, CommandRuns } from './command.ts'
import { exportTables } from './export-tables.ts'

const verify: CommandRun<'snapshot verify'> = async ({
  operands: [file = ''],
  values,
  terminal,
}) => {
  const { header, sections } = orStoreRefused(file, () => loadSnapshot(file))
  const { id, counts } = header
  const resilience = resilienceOf(sections)
  if (values.json) {
    terminal.print(JSON.stringify({ file, id, whole: true, counts, resilience }))
    return
  }
  terminal.print(`${file}: whole, snapshot ${id}, ${counts.authorities} authorities`)
  if (resilience.topics > 0) terminal.print(resilienceLine(resilience))
}

function resilienceLine({ topics, by_1, by_10 }: Resilience): string {
  const lost = (losses: number | null, fall: string) =>
    losses === null ? `they do not fall by ${fall}` : `${losses} to fall by ${fall}`
  return `resilience: the first ranks of the median topic (of ${topics}) have to lose of their strongest endorsers ${lost(by_1, 'one place')}, ${lost(by_10, 'ten')}`
}

const push: CommandRun<'snapshot push'> = async ({
  operands: [uri = '', idStart],
  values,
  terminal,
  clock,
}) => {
  const { snapshots } = values
  const { current } = pointersOf(snapshots)
  const wanted = idStart ?? current
  if (wanted === undefined) {
    throw new Refusal('snapshot-missing', `${snapshots}: no snapshot is announced`)
  }
  const { id } = findSnapshot(snapshots, wanted)
  const progress = createProgress(terminal)
  const shared = await openShared({ ...values, publish: uri, clock, progress })
  try {
    const isNew = await withDirectoryLock(snapshots, async () => {
      await shared.prove()
      return shared.push(id)
    })
    const { number, address } = shared
    const what = isNew ? 'announced' : 'was announced before'
    if (values.json) terminal.print(JSON.stringify({ id, number, isNew }))
    else terminal.print(`${what}: snapshot ${id} as number ${number} in ${address}`)
  } finally {
    progress.stop()
  }
}

const pull: CommandRun<'snapshot pull'> = async ({
  operands: [uri = ''],
  values,
  terminal,
  clock,
}) => {
  const { snapshots: directory, keep, activateAfter, transferRate } = values
  const progress = createProgress(terminal)
  const store = await openObjects(uri)
  const mirror = new Mirror({
    ...{ store, directory, keep, clock, activateAfterMs: activateAfter },
    steadiness: steadinessOf(transferRate, clock, progress.note),
    holding: (lockName, work) => withDirectoryLock(directory, work, lockName),
    onChange: ({ share }) => share !== undefined && progress.update(share),
  })
  progress.phase(`fetching from ${store.name}`)
  try {
    const isNew = await mirror.look()
    const { number } = mirror.state
    const { current: id } = pointersOf(directory)
    if (id === undefined || number === 0) {
      throw new Refusal('snapshot-missing', `${store.name}: nothing is announced`)
    }
    const what = isNew ? 'fetched and announced' : 'was here before'
    if (values.json) terminal.print(JSON.stringify({ id, number, isNew }))
    else terminal.print(`${what}: snapshot ${id}, number ${number} of ${store.name}`)
  } finally {
    progress.stop()
  }
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
