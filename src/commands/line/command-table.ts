/**
 * The table of commands, in the order of the help. It loads nothing of what carries a command out: help and refusals
 * are made from it alone.
 */
import { serviceSettings } from '../../service/service-options.ts'
import type { SettingName } from '../../settings.ts'
import { syncSettings } from '../../sync/sync-settings.ts'

export interface DescribedCommand {
  /** Names of the operands in order, each required unless it stands in brackets; one with `…` takes any number. */
  readonly operands: string
  readonly settings: readonly SettingName[]
  readonly help: string
  /** Whether it writes its work as a log, one JSON line an event, where stderr is no terminal. */
  readonly logs?: true
}

/** Settings of commands that work on the ledger itself or, with `--url`, on a running service. */
const bookSettings = ['data', 'ledger', 'url', 'adminKey'] as const

export const exportSettings = ['out', 'format', 'json'] as const

/** A name has one word or two. */
export const commandTable = {
  serve: { operands: '', settings: [...serviceSettings, 'json'], help: 'answer requests' },
  sync: {
    operands: '',
    settings: [...syncSettings, 'check', 'watch', 'interval', 'json'],
    help: 'build a snapshot from source records and announce it',
    logs: true,
  },
  forget: {
    operands: 'SDU',
    settings: [...syncSettings, 'reason', 'json'],
    help: 'remove a person for good, everywhere',
    logs: true,
  },
  'snapshot list': {
    operands: '',
    settings: ['snapshots', 'url', 'adminKey', 'json'],
    help: 'list the snapshots, the last announced first',
  },
  'snapshot verify': {
    operands: 'FILE',
    settings: ['json'],
    help: 'check every byte of a snapshot file and the agreement of its sections',
  },
  'snapshot pin': {
    operands: 'ID',
    settings: ['snapshots', 'url', 'adminKey', 'json'],
    help: 'keep services on a snapshot, also when another one is announced',
  },
  'snapshot unpin': {
    operands: '',
    settings: ['snapshots', 'url', 'adminKey', 'json'],
    help: 'let services follow announcements again',
  },
  'snapshot export': {
    operands: '[ID]',
    settings: ['snapshots', ...exportSettings],
    help: 'write a snapshot as tables; without ID, the one that is announced',
  },
  'snapshot push': {
    operands: 'URI [ID]',
    settings: ['snapshots', 'keep', 'transferRate', 'fetchGrace', 'json'],
    help: 'announce a snapshot in object storage; without ID, the current one',
  },
  'snapshot pull': {
    operands: 'URI',
    settings: ['snapshots', 'keep', 'activateAfter', 'transferRate', 'json'],
    help: 'fetch what object storage announced last, and announce it here',
  },
  'changes export': {
    operands: '[SINCE]',
    settings: ['snapshots', ...exportSettings],
    help: 'write all changes that are kept to a file; with SINCE, those behind that snapshot',
  },
  'account create': {
    operands: 'NAME',
    settings: [...bookSettings, 'openingCredit', 'json'],
    help: 'make an account with its opening credit',
  },
  'account list': {
    operands: '',
    settings: [...bookSettings, 'json'],
    help: 'list the accounts with their balances',
  },
  'account top-up': {
    operands: 'NAME USD',
    settings: [...bookSettings, 'reference', 'json'],
    help: 'credit an account, once for each reference',
  },
  'key issue': {
    operands: '',
    settings: [
      ...bookSettings,
      'account',
      'label',
      'expires',
      'cap',
      'capPeriod',
      'scopes',
      'rate',
      'address',
      'json',
    ],
    help: 'issue a key for an account and print it, once',
  },
  'key list': {
    operands: '',
    settings: [...bookSettings, 'json'],
    help: 'list the keys; never the key itself',
  },
  'key rotate': {
    operands: 'KEYID',
    settings: [...bookSettings, 'overlap', 'json'],
    help: 'give a key a new text; the one before stays valid for the overlap',
  },
  'key revoke': {
    operands: 'KEYID',
    settings: [...bookSettings, 'json'],
    help: 'end a key at once and for ever',
  },
  'ledger verify': {
    operands: '',
    settings: [...bookSettings, 'json'],
    help: 'prove that every balance is the sum of its journal, and what the service holds of them',
  },
  'ledger backup': {
    operands: 'DIR',
    settings: ['data', 'ledger', 'json'],
    help: 'copy the ledger, also while the service runs, and prove the books of the copy',
  },
  'ledger restore': {
    operands: 'DIR',
    settings: ['data', 'ledger', 'json'],
    help: 'put a backup where there is no ledger; no service may run',
  },
  admin: {
    operands: '[NAME] [KEY=VALUE…]',
    settings: [...bookSettings, 'snapshots', 'removalKey', 'json'],
    help: 'carry out any operation of administration; without NAME, list them',
  },
  get: {
    operands: 'PATH',
    settings: ['snapshots'],
    help: "answer one request without a server: get '/api/v1/index?query=rust'",
  },
  mcp: {
    operands: '',
    settings: ['snapshots', 'url', 'key', 'mcpSearchFetch', 'publicUrl'],
    help: 'the MCP tools on stdin and stdout: over the local snapshot, or over the service at --url',
  },
  health: {
    operands: '',
    settings: ['url', 'host', 'port', 'json'],
    help: 'ask a running service whether it is ready; exits with 0 when it is, with 1 otherwise',
  },
} as const satisfies Readonly<Record<string, DescribedCommand>>

export type CommandName = keyof typeof commandTable

export type SettingOf<N extends CommandName> = (typeof commandTable)[N]['settings'][number]

export type FirstWord = FirstWordOf<CommandName>
type FirstWordOf<N extends string> = N extends `${infer W} ${string}` ? W : N
