/**
 * The commands of corrections that are recorded beside the snapshots: of this directory, with an entry in the audit log
 * of the ledger, or with `--url` of a running service. The next sync takes them.
 */
import { Refusal } from '../../problems.ts'
import { withOperations, withReading } from '../admin/books.ts'
import type { CommandRun, CommandRuns } from '../command.ts'
import { printTable } from '../table.ts'

/** A correction as the API shows it. */
interface ListedCorrection {
  readonly correction_id: string
  readonly sdu: string
  readonly set: Readonly<Record<string, unknown>>
  readonly source: string
  readonly date: string
  readonly undone: string | null
}

const list: CommandRun<'correction list'> = async ({
  operands: [sdu],
  values,
  terminal,
  clock,
}) => {
  const all: ListedCorrection[] = []
  await withReading({ ...values, removalKey: '', clock }, async (call) => {
    let cursor: string | undefined
    do {
      const page = await call('listCorrections', { query: { limit: 100, cursor, sdu } })
      all.push(...page.results)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  })
  if (values.json) return terminal.print(JSON.stringify(all))
  const rows = all.map(({ correction_id, sdu, set, source, date, undone }) => {
    return [correction_id, sdu, date, Object.keys(set).join(' '), undone ?? '-', source]
  })
  printTable(terminal, ['CORRECTION', 'SDU', 'DATE', 'FIELDS', 'UNDONE', 'FROM'], rows)
}

const add: CommandRun<'correction add'> = async ({
  operands: [sdu = '', text = ''],
  values,
  terminal,
  clock,
}) => {
  const { evidence: source, force } = values
  if (source === '') throw new Refusal('wrong-usage', 'correction add needs --evidence')
  const body = { sdu, set: fieldsOf(text), source, force }
  const added = await withOperations({ ...values, removalKey: '', clock }, (call) =>
    call('addCorrection', { body }),
  )
  if (values.json) return terminal.print(JSON.stringify(added))
  const done = added.recorded ? 'is recorded; the next sync takes it' : 'holds already'
  terminal.print(`correction ${added.correction_id} ${done}`)
}

const undo: CommandRun<'correction undo'> = async ({
  operands: [correction_id = ''],
  values,
  terminal,
  clock,
}) => {
  const undone = await withOperations({ ...values, removalKey: '', clock }, (call) =>
    call('undoCorrection', { params: { correction_id } }),
  )
  if (values.json) return terminal.print(JSON.stringify(undone))
  terminal.print(`correction ${correction_id} ${undone.undone ? 'is' : 'had been'} undone`)
}

/** `correction list`, `add` and `undo`. */
export const correctionCommands: CommandRuns<'correction'> = {
  'correction list': list,
  'correction add': add,
  'correction undo': undo,
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch {
    // It is none, as the refusal says.
  }
  throw new Refusal('wrong-usage', `JSON is an object of fields, as '{"name":"Ann"}'`)
}
