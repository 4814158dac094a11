/**
 * The commands of admin keys, which requests to the admin API carry. They are issued and revoked on the ledger only: no
 * admin key can make another. The text of a key is printed once; a key that could not be printed is taken back.
 */

import { type AdminScope, adminScopes } from '../../admin-scopes.ts'
import { adminKeyJson, timeOrNull } from '../../ledger/shown.ts'
import { Refusal } from '../../problems.ts'
import { type CommandRun, type CommandRuns, refuseToLose } from '../command.ts'
import { printTable } from '../table.ts'
import { withBooks, withLedger } from './books.ts'

const issue: CommandRun<'admin-key issue'> = async ({ values, terminal, clock }) => {
  const { label, expires, json } = values
  const scopes = checkedScopes(values.scopes)
  refuseToLose('key', terminal)
  const order = {
    ...{ scopes, label: label === '' ? null : label },
    expiresAtMs: expires === 0 ? null : clock() + expires,
  }
  await withLedger({ ...values, clock, create: true }, async (books) => {
    const { text, record } = await books.issueAdminKey(order)
    terminal.print(json ? JSON.stringify({ key: text, ...adminKeyJson(record) }) : text)
    try {
      await terminal.printed()
    } catch (error) {
      await books.revokeAdminKey(record.id)
      throw error
    }
    if (json) return
    const end = timeOrNull(record.expiresAtMs)
    const until = end === null ? 'without end' : `until ${end}`
    terminal.report(`admin key ${record.id} for ${scopes.join(', ')}, ${until}`)
    terminal.report('This is the only time the key is shown.')
  })
}

/** @throws Refusal `wrong-usage`. */
function checkedScopes(words: readonly string[]): readonly AdminScope[] {
  const scopes = adminScopes.filter((scope) => words.includes(scope))
  if (scopes.length > 0 && scopes.length === words.length) return scopes
  const all = adminScopes.join(',')
  throw new Refusal('wrong-usage', `admin-key issue needs --scopes, some of ${all}`)
}

const list: CommandRun<'admin-key list'> = async ({ values, terminal, clock }) => {
  const keys = await withBooks({ ...values, clock }, (books) => books.listAdminKeys())
  if (values.json) return terminal.print(JSON.stringify(keys.map(adminKeyJson)))
  const header = ['KEY ID', 'SCOPES', 'LABEL', 'CREATED', 'EXPIRES', 'REVOKED']
  const rows = keys.map((key) => [
    ...[key.id, key.scopes.join(','), key.label ?? '-', timeOrNull(key.createdAtMs) ?? '-'],
    ...[timeOrNull(key.expiresAtMs) ?? '-', timeOrNull(key.revokedAtMs) ?? '-'],
  ])
  printTable(terminal, header, rows)
}

const revoke: CommandRun<'admin-key revoke'> = async ({
  operands: [id = ''],
  values,
  terminal,
  clock,
}) => {
  const revoked = await withLedger({ ...values, clock }, (books) => books.revokeAdminKey(id))
  if (values.json) return terminal.print(JSON.stringify({ admin_key_id: id, revoked }))
  terminal.print(revoked ? `admin key ${id} is revoked` : `admin key ${id} had been revoked`)
}

/** `admin-key issue`, `list` and `revoke`. */
export const adminKeyCommands: CommandRuns<'admin-key'> = {
  'admin-key issue': issue,
  'admin-key list': list,
  'admin-key revoke': revoke,
}
