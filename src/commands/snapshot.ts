/**
 * The `snapshot` commands: what lies in the snapshot directory, whether a file is whole, and what goes from
 * there to object storage and back.
 */
import type { CallOperation } from '../admin/local-calls.ts'
import { changeItemsOf } from '../api/operations/changes/find.ts'
import { stabilityItem } from '../api/operations/snapshots/find.ts'
import { snapshotTables } from '../export/tables.ts'
import { openObjects } from '../objects/object-address.ts'
import { Refusal } from '../problems.ts'
import { changeTypes } from '../request-parameters.ts'
import type { Values } from '../settings.ts'
import type { SnapshotHeader } from '../snapshot/header.ts'
import { type Resilience, resilienceOf } from '../snapshot/resilience.ts'
import { directoryStore, loadForAnswers, loadSnapshot } from '../snapshot/store/directory.ts'
import { findSnapshot, type SnapshotStore, type StoredSnapshot } from '../snapshot/store/store.ts'
import { orStoreRefused } from '../snapshot/store/system-errors.ts'
import { Differences } from '../sync/changes/differences.ts'
import { FactPair } from '../sync/changes/fact-pair.ts'
import { pairOf } from '../sync/changes/pair.ts'
import { stabilityOf } from '../sync/changes/stability.ts'
import { withDirectoryLock } from '../sync/directory-lock.ts'
import { createProgress } from '../sync/progress.ts'
import { Mirror } from '../sync/remote/mirror.ts'
import { openShared, steadinessOf } from '../sync/remote/shared-store.ts'
import { withOperations } from './admin/books.ts'
import type { CommandRun, CommandRuns } from './command.ts'
import { exportTables } from './export/export-tables.ts'
import { pointerCommands } from './served/pointers.ts'
import { printTable, tableLines } from './table.ts'

const list: CommandRun<'snapshot list'> = async ({ values, terminal, clock }) => {
  if (values.url !== null) return printListed(await atService(values, clock, 'listSnapshots'))
  const stored = await directoryStore(values.snapshots).list()
  if (values.json) return terminal.print(JSON.stringify(stored.map(summaryOf)))
  const rows = stored.map(({ id, bytes, publishedAt, header, current, pinned }) => [
    id,
    header === undefined ? unreadable : String(header.counts.authorities),
    String(bytes),
    publishedAt,
    [current ? 'current' : '', pinned ? 'pinned' : ''].filter((mark) => mark !== '').join(' '),
  ])
  printTable(terminal, listHeader, rows)

  function printListed({ results }: { readonly results: readonly ListedSnapshot[] }): void {
    if (values.json) {
      terminal.print(JSON.stringify(results))
      return
    }
    const lines = results.map(({ snapshot_id, authorities, bytes, published, current, pinned }) => {
      const marks = [current ? 'current' : '', pinned ? 'pinned' : ''].filter((mark) => mark !== '')
      const people = authorities === null ? unreadable : String(authorities)
      return [snapshot_id, people, String(bytes), published, marks.join(' ')]
    })
    printTable(terminal, listHeader, lines)
  }
}

/** In the place of the number of people of a snapshot that is damaged or of another format: `inspect` says which. */
const unreadable = 'unreadable'

const listHeader = ['ID', 'AUTHORITIES', 'BYTES', 'PUBLISHED', 'POINTERS']

/** A snapshot as the admin API lists it. */
interface ListedSnapshot {
  readonly snapshot_id: string
  readonly bytes: number
  readonly published: string
  /** Number of people; null if the snapshot cannot be served. */
  readonly authorities: number | null
  readonly current: boolean
  readonly pinned: boolean
}

/** An operation of the service at `--url`. */
function atService(
  { url, adminKey }: Values<'url' | 'adminKey'>,
  clock: () => number,
  ...asked: Parameters<CallOperation>
) {
  const nowhere = { data: '', ledger: null, snapshots: '', removalKey: '' }
  return withOperations({ url, adminKey, ...nowhere, clock }, (call) => call(...asked))
}

const inspect: CommandRun<'snapshot inspect'> = async ({ operands, values, terminal }) => {
  const store = directoryStore(values.snapshots)
  const stored = await chosenIn(store, operands[0])
  // A damaged header is read again, because the error names the damage.
  const header = stored.header ?? (await store.load(stored.id)).header
  if (values.json) terminal.print(JSON.stringify({ ...summaryOf(stored), ...header }))
  else for (const line of inspectLines(stored, header)) terminal.print(line)
}

/** The snapshot whose id begins so; without a beginning the one that services are to serve. */
async function chosenIn(
  store: SnapshotStore,
  idStart: string | undefined,
): Promise<StoredSnapshot> {
  const { current, pinned } = await store.pointers()
  const wanted = idStart ?? pinned ?? current
  if (wanted === undefined) {
    throw new Refusal('snapshot-missing', `${store.name}: no snapshot is announced`)
  }
  return await findSnapshot(store, wanted)
}

function summaryOf(stored: StoredSnapshot) {
  const { id, path, bytes, publishedAt, header, current, pinned } = stored
  const authorities = header?.counts.authorities ?? null
  return {
    id,
    path,
    bytes,
    publishedAt,
    authorities,
    damaged: header === undefined,
    current,
    pinned,
  }
}

function inspectLines(stored: StoredSnapshot, header: SnapshotHeader): string[] {
  const facts = [
    ['id', header.id],
    ['file', stored.path],
    ['bytes', String(stored.bytes)],
    ['published', stored.publishedAt],
    ['created', header.createdAt ?? 'not stated'],
    ['source', header.sourceFingerprint],
    ['recipe', String(header.recipe)],
    ['analyzer', header.analyzer.encoder],
    ...Object.entries(header.counts).map(([name, count]) => [name, String(count)]),
  ]
  const width = Math.max(...facts.map(([name]) => name!.length)) + 2
  const sections = header.sections.map(({ name, type, length, offset, checksum }) => [
    name,
    type,
    String(length),
    String(offset),
    checksum.toString(16).padStart(8, '0'),
  ])
  return [
    ...facts.map(([name, value]) => `${name!.padEnd(width)}${value}`),
    '',
    ...tableLines(['SECTION', 'TYPE', 'LENGTH', 'OFFSET', 'CRC-32'], sections),
  ]
}

const verify: CommandRun<'snapshot verify'> = async ({
  operands: [file = ''],
  values,
  terminal,
}) => {
  const { header, sections } = await orStoreRefused(file, () => loadSnapshot(file))
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

/** Maximum number of changes shown to a person; a program has all of them. */
const shownMax = 20

const diff: CommandRun<'snapshot diff'> = async ({
  operands: [a = '', b = ''],
  values,
  terminal,
}) => {
  const store = directoryStore(values.snapshots)
  const before = await store.load((await findSnapshot(store, a)).id)
  const next = await store.load((await findSnapshot(store, b)).id)
  const pair = pairOf(before, next)
  const changes = [...new Differences(new FactPair(pair)).people()].flatMap(changeItemsOf)
  const stability = stabilityItem(stabilityOf(pair))
  const ids = { before: before.header.id, after: next.header.id }
  if (values.json) terminal.print(JSON.stringify({ ...ids, stability, changes }))
  else for (const line of diffLines(changes, stability)) terminal.print(line)
}

type ChangeItem = ReturnType<typeof changeItemsOf>[number]

function diffLines(
  changes: readonly ChangeItem[],
  { first_ten: firstTen, kendall_tau: tau }: ReturnType<typeof stabilityItem>,
): string[] {
  const counts = changeTypes.map((type) => [
    type,
    String(changes.filter((change) => change.type === type).length),
  ])
  const shown = changes
    .slice(0, shownMax)
    .map(({ type, sdu, topic, before, after }) => [
      type,
      sdu,
      topic ?? '',
      shortened(before),
      shortened(after),
    ])
  const left = changes.length - shown.length
  const none = 'not known'
  return [
    ...tableLines(['CHANGE', 'COUNT'], counts),
    '',
    `first ten that stayed: ${firstTen.mean ?? none} of 10, at least ${firstTen.min ?? none}, in ${firstTen.topics} topics`,
    `Kendall's tau: ${tau.mean ?? none}, at least ${tau.min ?? none}, in ${tau.topics} topics`,
    ...(shown.length === 0
      ? []
      : ['', ...tableLines(['CHANGE', 'SDU', 'TOPIC', 'BEFORE', 'AFTER'], shown)]),
    ...(left > 0 ? [`… and ${left} more; --json has all`] : []),
  ]
}

function shortened(value: unknown): string {
  const text = value === null ? '-' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

const pin: CommandRun<'snapshot pin'> = async ({
  operands: [idStart = ''],
  values,
  terminal,
  clock,
}) => {
  if (values.url !== null) {
    const asked = { params: { snapshot_id: idStart } }
    const { snapshot_id } = await atService(values, clock, 'pinSnapshot', asked)
    return printPinned(snapshot_id)
  }
  const store = directoryStore(values.snapshots)
  // This check comes before the lock, which makes the directory.
  await findSnapshot(store, idStart)
  const id = await withDirectoryLock(values.snapshots, async () => {
    // Found anew: a sync may have removed it meanwhile.
    const found = await findSnapshot(store, idStart)
    // Pinning a snapshot that no service would take would hold services on the one that they have by accident.
    loadForAnswers(values.snapshots, found.id)
    await store.pin(found.id)
    return found.id
  })
  printPinned(id)

  function printPinned(id: string): void {
    terminal.print(values.json ? JSON.stringify({ id, pinned: true }) : `pinned: snapshot ${id}`)
  }
}

const unpin: CommandRun<'snapshot unpin'> = async ({ values, terminal, clock }) => {
  const removed: boolean =
    values.url === null
      ? await directoryStore(values.snapshots).unpin()
      : (await atService(values, clock, 'unpinSnapshot')).changed
  const line = removed ? 'unpinned' : 'nothing was pinned'
  terminal.print(values.json ? JSON.stringify({ pinned: false, removed }) : line)
}

const push: CommandRun<'snapshot push'> = async ({
  operands: [uri = '', idStart],
  values,
  terminal,
  clock,
}) => {
  const { snapshots } = values
  const local = directoryStore(snapshots)
  const { current } = await local.pointers()
  const wanted = idStart ?? current
  if (wanted === undefined) {
    throw new Refusal('snapshot-missing', `${snapshots}: no snapshot is announced`)
  }
  const { id } = await findSnapshot(local, wanted)
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
    const { current: id } = await directoryStore(directory).pointers()
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
  const { id } = await chosenIn(directoryStore(snapshots), call.operands[0])
  return exportTables(call, snapshotTables(loadForAnswers(snapshots, id)))
}

export const snapshotCommands: CommandRuns<'snapshot'> = {
  'snapshot list': list,
  'snapshot inspect': inspect,
  'snapshot verify': verify,
  'snapshot diff': diff,
  'snapshot pin': pin,
  'snapshot unpin': unpin,
  ...pointerCommands,
  'snapshot export': exportSnapshot,
  'snapshot push': push,
  'snapshot pull': pull,
}
