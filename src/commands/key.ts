/**
 * The commands of keys. A key's text is printed once, by the command that made it, alone on stdout
 * so that a script can take it; no other output and no message ever holds it. A key whose text could
 * not be printed is taken back.
 */
import type { Administration, IssuedKey, ListedKey, Rotation } from '../ledger/administration.ts'
import { withAdministration } from '../ledger/open-administration.ts'
import { Refusal } from '../problems.ts'
import { type Command, command, type Terminal } from './command.ts'
import { tableLines } from './table.ts'

const issue = command({
  operands: '',
  settings: ['data', 'ledger', 'account', 'label', 'expires', 'json'],
  help: 'issue a key for an account and print it, once',
  run: async ({ values, terminal, clock }) => {
    if (values.account === '') throw new Refusal('wrong-usage', 'key issue needs --account')
    refuseToDiscard(terminal)
    const order = {
      account: values.account,
      label: values.label === '' ? null : values.label,
      expiresAtMs: values.expires === 0 ? null : clock() + values.expires,
    }
    await withAdministration({ ...values, clock }, async (books) => {
      const issued = await books.issueKey(order)
      await showOrWithdraw(issued, books, values.json, terminal)
    })
  },
})

const list = command({
  operands: '',
  settings: ['data', 'ledger', 'json'],
  help: 'list the keys; never the key itself',
  run: async ({ values, terminal, clock }) => {
    const keys = await withAdministration({ ...values, clock }, (books) => books.listKeys())
    if (values.json) return terminal.print(JSON.stringify(keys.map(keyJson)))
    const header = ['KEY ID', 'ACCOUNT', 'STATE', 'LABEL', 'CREATED', 'EXPIRES', 'REPLACED BY']
    const rows = keys.map((key) => [
      key.id,
      key.account,
      key.state,
      key.label ?? '-',
      timeText(key.createdAtMs) ?? '-',
      timeText(key.expiresAtMs) ?? '-',
      key.replacedBy ?? '-',
    ])
    for (const line of tableLines(header, rows)) terminal.print(line)
  },
})

const rotate = command({
  operands: 'KEYID',
  settings: ['data', 'ledger', 'overlap', 'json'],
  help: 'issue a key in the place of another, which stays valid for the overlap',
  run: async ({ operands: [id = ''], values, terminal, clock }) => {
    refuseToDiscard(terminal)
    await withAdministration({ ...values, clock }, async (books) => {
      const rotation = await books.rotateKey(id, values.overlap)
      await showOrWithdraw(rotation, books, values.json, terminal)
      const ends = timeText(rotation.replaced.expiresAtMs)
      if (!values.json) terminal.report(`key ${id} ends at ${ends}`)
    })
  },
})

const revoke = command({
  operands: 'KEYID',
  settings: ['data', 'ledger', 'json'],
  help: 'end a key at once and for ever',
  run: async ({ operands: [id = ''], values, terminal, clock }) => {
    const revoked = await withAdministration({ ...values, clock }, (books) => books.revokeKey(id))
    if (values.json) return terminal.print(JSON.stringify({ key_id: id, revoked }))
    terminal.print(revoked ? `key ${id} is revoked` : `key ${id} had been revoked before`)
  },
})

/** `key issue`, `list`, `rotate` and `revoke`. */
export const keyCommands: Readonly<Record<string, Command>> = {
  'key issue': issue,
  'key list': list,
  'key rotate': rotate,
  'key revoke': revoke,
}

/** @throws Refusal `output-failed` where a key would be lost. */
function refuseToDiscard({ discards }: Terminal): void {
  if (!discards) return
  throw new Refusal('output-failed', 'stdout is closed or /dev/null, so the key would be lost')
}

/** @throws Refusal `output-failed` when the key could not be shown; then there is no such key. */
async function showOrWithdraw(
  issued: IssuedKey | Rotation,
  books: Administration,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  try {
    await show(issued, json, terminal)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { id } = issued.record
    await books.withdrawKey(issued).catch(({ message }: Error) => {
      const reason = `key ${id} could not be taken back: ${message}; revoke it`
      throw new Refusal(error.code, `${error.message}; ${reason}`)
    })
    throw new Refusal(error.code, `${error.message}; key ${id} was not shown and is taken back`)
  }
}

async function show({ text, record }: IssuedKey, json: boolean, terminal: Terminal): Promise<void> {
  const { id, label } = record
  const expires = timeText(record.expiresAtMs)
  terminal.print(json ? JSON.stringify({ key: text, key_id: id, label, expires }) : text)
  await terminal.printed()
  if (json) return
  terminal.report(`key ${id}, ${expires === null ? 'without end' : `until ${expires}`}`)
  terminal.report('This is the only time the key is shown.')
}

function keyJson(key: ListedKey) {
  return {
    key_id: key.id,
    account: key.account,
    state: key.state,
    label: key.label,
    created: timeText(key.createdAtMs),
    expires: timeText(key.expiresAtMs),
    revoked: timeText(key.revokedAtMs),
    replaced_by: key.replacedBy,
  }
}

function timeText(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
