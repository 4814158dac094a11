/**
 * The commands of keys. A key's text is printed once, by the command that made it, alone on stdout
 * so that a script can take it; no other output and no message ever holds it. A key whose text could
 * not be printed is taken back.
 */
import type { Administration, IssuedKey, ListedKey, Rotation } from '../ledger/administration.ts'
import type { TermsChange } from '../ledger/checks/checked-terms.ts'
import type { KeyTerms } from '../ledger/port.ts'
import { isoTime, keyJson, timeOrNull } from '../ledger/shown.ts'
import { formatUsd, usdNumber } from '../money.ts'
import { Refusal } from '../problems.ts'
import type { Values } from '../settings.ts'
import { withBooks } from './admin/books.ts'
import { type CommandRun, type CommandRuns, refuseToLose, type Terminal } from './command.ts'
import type { termSettings } from './line/command-table.ts'
import { printTable } from './table.ts'

/** The terms that are said; the others stay as they are. */
function termsOf(values: Values<(typeof termSettings)[number]>): TermsChange {
  const { cap, capPeriod: period, scopes, rate, address } = values
  return {
    ...(cap !== undefined && { cap: cap === null ? null : { amountMicroUsd: cap, period } }),
    ...(scopes.length > 0 && { scopes: scopes.join() === 'none' ? null : scopes }),
    ...(rate !== undefined && { requestsPerSecond: rate }),
    ...(address !== undefined && { addresses: address }),
  }
}

const issue: CommandRun<'key issue'> = async ({ values, terminal, clock }) => {
  const { account } = values
  if (account === '') throw new Refusal('wrong-usage', 'key issue needs --account')
  refuseToLose('key', terminal)
  const order = {
    account,
    label: values.label === '' ? null : values.label,
    expiresAtMs: values.expires === 0 ? null : clock() + values.expires,
    ...termsOf(values),
  }
  await withBooks({ ...values, clock }, async (books) => {
    const issued = await books.issueKey(order)
    await showOrWithdraw(issued, books, values.json, terminal)
  })
}

const set: CommandRun<'key set'> = async ({ operands: [id = ''], values, terminal, clock }) => {
  const change = {
    ...(values.label !== '' && { label: values.label }),
    ...(values.expires !== 0 && { expiresAtMs: clock() + values.expires }),
    ...termsOf(values),
  }
  if (Object.keys(change).length === 0) {
    throw new Refusal('wrong-usage', 'key set needs what is to be changed')
  }
  const key = await withBooks({ ...values, clock }, (books) => books.setKey(id, change))
  const terms = key.terms === undefined ? 'nothing restricts it' : termsText(key.terms)
  if (values.json) return terminal.print(JSON.stringify({ key_id: id, ...termsJson(key.terms) }))
  terminal.print(`key ${id} is changed: ${terms}`)
}

const list: CommandRun<'key list'> = async ({ values, terminal, clock }) => {
  const keys = await withBooks({ ...values, clock }, (books) => books.listKeys())
  if (values.json) return terminal.print(JSON.stringify(keys.map(listedJson)))
  const header = [
    'KEY ID',
    'ACCOUNT',
    'STATE',
    'LABEL',
    'CREATED',
    'EXPIRES',
    'OLD SECRET ENDS',
    'TERMS',
  ]
  const rows = keys.map((key) => [
    key.id,
    key.account,
    key.state,
    key.label ?? '-',
    timeOrNull(key.createdAtMs) ?? '-',
    timeOrNull(key.expiresAtMs) ?? '-',
    timeOrNull(key.secrets.at(-2)?.endsAtMs ?? null) ?? '-',
    restrictionsText(key),
  ])
  printTable(terminal, header, rows)
}

const rotate: CommandRun<'key rotate'> = async ({
  operands: [id = ''],
  values,
  terminal,
  clock,
}) => {
  refuseToLose('key', terminal)
  await withBooks({ ...values, clock }, async (books) => {
    const rotation = await books.rotateKey(id, values.overlap)
    await showOrWithdraw(rotation, books, values.json, terminal)
    const ends = isoTime(rotation.oldEndsAtMs)
    if (!values.json) terminal.report(`the old secret of key ${id} ends at ${ends}`)
  })
}

const revoke: CommandRun<'key revoke'> = async ({
  operands: [id = ''],
  values,
  terminal,
  clock,
}) => {
  const revoked = await withBooks({ ...values, clock }, (books) => books.revokeKey(id))
  if (values.json) return terminal.print(JSON.stringify({ key_id: id, revoked }))
  terminal.print(revoked ? `key ${id} is revoked` : `key ${id} had been revoked before`)
}

/** `key issue`, `set`, `list`, `rotate` and `revoke`. */
export const keyCommands: CommandRuns<'key'> = {
  'key issue': issue,
  'key set': set,
  'key list': list,
  'key rotate': rotate,
  'key revoke': revoke,
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
    const [what, advice] =
      'oldEndsAtMs' in issued
        ? [`the new secret of key ${id}`, 'rotate it again']
        : [`key ${id}`, 'revoke it']
    await books.withdrawKey(issued).catch(({ message }: Error) => {
      const reason = `${what} could not be taken back: ${message}; ${advice}`
      throw new Refusal(error.code, `${error.message}; ${reason}`)
    })
    throw new Refusal(error.code, `${error.message}; ${what} was not shown and is taken back`)
  }
}

async function show({ text, record }: IssuedKey, json: boolean, terminal: Terminal): Promise<void> {
  const { id, label } = record
  const expires = timeOrNull(record.expiresAtMs)
  terminal.print(json ? JSON.stringify({ key: text, key_id: id, label, expires }) : text)
  await terminal.printed()
  if (json) return
  terminal.report(`key ${id}, ${expires === null ? 'without end' : `until ${expires}`}`)
  terminal.report('This is the only time the key is shown.')
}

/** The terms stand beside the other members. */
function listedJson(key: ListedKey) {
  const { terms: _, ...facts } = keyJson(key)
  return { ...facts, ...termsJson(key.terms) }
}

/** The restrictions of a key; members that it does not have are absent. */
function termsJson({ cap, scopes, requestsPerSecond, addresses }: KeyTerms = {}) {
  return {
    ...(cap && { cap_usd: usdNumber(cap.amountMicroUsd), cap_period: cap.period }),
    ...(scopes && { scopes }),
    ...(requestsPerSecond !== undefined && { requests_per_second: requestsPerSecond }),
    ...(addresses && { addresses }),
  }
}

/** The same as text, with the amount that is spent of the cap. */
function restrictionsText({ terms = {}, spentOfCapMicroUsd }: ListedKey): string {
  const spent = spentOfCapMicroUsd === undefined ? [] : [`spent ${formatUsd(spentOfCapMicroUsd)}`]
  return [termsText(terms), ...spent].filter((part) => part !== '').join(', ') || '-'
}

function termsText({ cap, scopes, requestsPerSecond, addresses }: KeyTerms): string {
  const period = cap?.period === 'total' ? 'in all' : `a ${cap?.period}`
  return [
    ...(cap ? [`cap ${formatUsd(cap.amountMicroUsd)} USD ${period}`] : []),
    ...(scopes ? [`scopes ${scopes.join(' ')}`] : []),
    ...(requestsPerSecond === undefined ? [] : [`${requestsPerSecond} a second`]),
    ...(addresses ? [`from ${addresses.join(' ')}`] : []),
  ].join(', ')
}
