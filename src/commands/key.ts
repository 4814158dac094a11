/**
 * The commands of keys. A key's text is printed once, by the command that made it, alone on stdout
 * so that a script can take it; no other output and no message ever holds it.
 */
import type { IssuedKey, ListedKey } from '../ledger/books/keys.ts'
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
    const order = {
      account: values.account,
      label: values.label === '' ? null : values.label,
      expiresAtMs: values.expires === 0 ? null : clock() + values.expires,
    }
    const issued = await withAdministration({ ...values, clock }, (books) => books.issueKey(order))
    printIssued(issued, values.json, terminal)
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
    const rotation = await withAdministration({ ...values, clock }, (books) =>
      books.rotateKey(id, values.overlap),
    )
    const ends = timeText(rotation.replaced.expiresAtMs)
    if (!values.json) terminal.report(`key ${id} ends at ${ends}`)
    printIssued(rotation, values.json, terminal)
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

function printIssued({ text, record }: IssuedKey, json: boolean, terminal: Terminal): void {
  const { id, label } = record
  const expires = timeText(record.expiresAtMs)
  if (json) {
    terminal.print(JSON.stringify({ key: text, key_id: id, label, expires }))
    return
  }
  terminal.report(`key ${id}, ${expires === null ? 'without end' : `until ${expires}`}`)
  terminal.report('This is the only time the key is shown:')
  terminal.print(text)
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
