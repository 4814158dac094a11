/**
 * The commands of administration. `admin NAME KEY=VALUE…` carries out any operation of the table; short spellings only
 * fill in the input of a row and say its answer.
 */
import type { AdminOperation } from '../admin/operation.ts'
import { type AdminOperationName, adminOperations } from '../admin/operations.ts'
import { type InputMember, membersOf } from '../admin/reading.ts'
import type { Answer } from '../admin/remote.ts'
import { formatUsd, usdNumber } from '../money.ts'
import { Refusal } from '../problems.ts'
import { hintAt, nearestOf } from '../text/nearest.ts'
import { type AdminCall, administer } from './administer.ts'
import { type Call, type CommandRun, type CommandRuns, printAnswer } from './command.ts'
import type { CommandName, SettingOf } from './line/command-table.ts'
import { answerLines, listLines } from './table.ts'

export const adminCommand: CommandRun<'admin'> = async (call) => {
  const [name, ...pairs] = call.operands
  if (name === undefined) return list(call)
  if (!Object.hasOwn(adminOperations, name)) throw unknown(name)
  const operation = adminOperations[name as AdminOperationName]
  await administer(call, { operation, given: Object.fromEntries(pairs.map(pairOf)) }, (answer) =>
    print(answer, call),
  )
}

function unknown(name: string): Refusal {
  const hint = hintAt(nearestOf(name, Object.keys(adminOperations)))
  return new Refusal('wrong-usage', `no operation '${name}'${hint}; see authority-index admin`)
}

function pairOf(word: string): [string, string] {
  const equals = word.indexOf('=')
  if (equals > 0) return [word.slice(0, equals), word.slice(equals + 1)]
  throw new Refusal('wrong-usage', `'${word}' is not KEY=VALUE`)
}

function list(call: Pick<AdminCall, 'values' | 'terminal'>): void {
  const rows = Object.entries(adminOperations).map(([name, row]) => ({
    name,
    input: membersOf(row.input),
    summary: row.localOnly ? `${row.summary}, on the machine only` : row.summary,
  }))
  printAnswer(call, rows, () =>
    rows.flatMap(({ name, input, summary }) => [
      [name, ...input.map(usageOf)].join(' '),
      `    ${summary}`,
    ]),
  )
}

function usageOf({ name, isRequired }: InputMember): string {
  return isRequired ? `${name}=…` : `[${name}=…]`
}

function print(answer: Answer, call: Pick<AdminCall, 'values' | 'terminal'>): void {
  printAnswer(call, answer, () => answerLines(answer))
}

interface Spelling<N extends CommandName> {
  readonly name: AdminOperationName
  readonly given: (call: Call<SettingOf<N>>) => Readonly<Record<string, unknown>>
  /** A list: of all its pages, with these columns for people. */
  readonly columns?: readonly string[]
  /** The answer for people; without it, all of it. */
  readonly said?: (answer: Answer, call: Call<SettingOf<N>>) => string
}

function spelled<N extends CommandName>(spelling: Spelling<N>): CommandRun<N> {
  const { name, given, columns, said } = spelling
  return (call) => {
    const asked = call as unknown as AdminCall
    const operation: AdminOperation = adminOperations[name]
    const isWhole = 'limit' in operation.input.shape
    return administer(asked, { operation, given: given(call), isWhole }, (answer) => {
      if (columns !== undefined) {
        printAnswer(asked, answer.results, () => listLines(answer.results, columns))
      } else if (said !== undefined) printAnswer(asked, answer, () => [said(answer, call)])
      else print(answer, asked)
    })
  }
}

/** Exact to six decimals, with two at least. */
export function usdText(usd: number): string {
  return formatUsd(Math.round(usd * 1_000_000))
}

export const accountCommands: CommandRuns<'account'> = {
  'account create': spelled<'account create'>({
    name: 'createAccount',
    given: ({ operands: [account], values }) => ({
      account,
      opening_usd: usdNumber(values.openingCredit),
    }),
  }),
  'account list': spelled<'account list'>({
    name: 'listAccounts',
    given: () => ({}),
    columns: ['account', 'balance_usd', 'state', 'created'],
  }),
  'account top-up': spelled<'account top-up'>({
    name: 'topUpAccount',
    given: ({ operands: [account, amount_usd], values: { reference } }) => {
      if (reference !== '') return { account, amount_usd, reference }
      throw new Refusal('wrong-usage', 'account top-up needs --reference, which names the payment')
    },
    said: ({ account, balance_usd, credited }, { operands: [, amount], values: { reference } }) => {
      const before = `reference '${reference}' was credited before; nothing changed`
      const done = credited ? `credited ${usdText(Number(amount))} USD` : before
      return `${done}; the balance of ${account} is ${usdText(balance_usd)} USD`
    },
  }),
}

export const keyCommands: CommandRuns<'key'> = {
  'key issue': spelled<'key issue'>({
    name: 'issueKey',
    given: ({ values }) => {
      const { account, label, expires, cap, capPeriod: period, scopes, rate, address } = values
      if (account === '') throw new Refusal('wrong-usage', 'key issue needs --account')
      return {
        account,
        ...(label !== '' && { label }),
        ...(expires !== 0 && { expires_in: expires / 1_000 }),
        ...(cap !== null && { cap: { amount_usd: usdNumber(cap), period } }),
        ...(scopes.length > 0 && { scopes }),
        ...(rate !== null && { requests_per_second: rate }),
        ...(address !== null && { addresses: address }),
      }
    },
  }),
  'key list': spelled<'key list'>({
    name: 'listKeys',
    given: () => ({}),
    columns: ['key_id', 'account', 'state', 'label', 'created', 'expires', 'terms', 'spent_usd'],
  }),
  'key rotate': spelled<'key rotate'>({
    name: 'rotateKey',
    given: ({ operands: [key_id], values }) => ({ key_id, overlap: values.overlap / 1_000 }),
  }),
  'key revoke': spelled<'key revoke'>({
    name: 'revokeKey',
    given: ({ operands: [key_id] }) => ({ key_id }),
    said: ({ revoked }, { operands: [id] }) =>
      revoked ? `key ${id} is revoked` : `key ${id} had been revoked before`,
  }),
}

export const servedCommands = {
  'snapshot list': spelled<'snapshot list'>({
    name: 'listSnapshots',
    given: () => ({}),
    columns: ['snapshot_id', 'authorities', 'bytes', 'published', 'current', 'pinned'],
  }),
  'snapshot pin': spelled<'snapshot pin'>({
    name: 'pinSnapshot',
    given: ({ operands: [snapshot_id] }) => ({ snapshot_id }),
    said: ({ snapshot_id }) => `pinned: snapshot ${snapshot_id}`,
  }),
  'snapshot unpin': spelled<'snapshot unpin'>({
    name: 'unpinSnapshot',
    given: () => ({}),
    said: ({ changed }) => (changed ? 'unpinned' : 'nothing was pinned'),
  }),
}
