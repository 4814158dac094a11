/**
 * The table of commands: what each takes and what its help says, in the order of the help. It loads nothing of what
 * carries a command out: help and refusals are made from it alone.
 */
import { serviceSettings } from '../../service/service-options.ts'
import type { SettingName } from '../../settings.ts'
import { syncSettings } from '../../sync/sync-settings.ts'

/** One row of the table. */
export interface DescribedCommand {
  /** Names of the operands in order, each required unless it stands in brackets: `NAME USD`, `[ID]`. */
  readonly operands: string
  readonly settings: readonly SettingName[]
  readonly help: string
  /** Whether it writes its work as a log, one JSON line an event, where stderr is no terminal. */
  readonly logs?: true
}

/** Settings of commands that work on the ledger itself or, with `--url`, on a running service. */
const bookSettings = ['data', 'ledger', 'url', 'adminKey'] as const

/** The settings that restrict a key; `key issue` and `key set` take the same. */
export const termSettings = ['cap', 'capPeriod', 'scopes', 'rate', 'address'] as const

/** The settings of an export. */
export const exportSettings = ['out', 'format', 'json'] as const

/** The commands by name; a name has one word or two. */
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
  'snapshot inspect': {
    operands: '[ID]',
    settings: ['snapshots', 'json'],
    help: 'show what a snapshot holds; without ID, the one that is announced',
  },
  'snapshot verify': {
    operands: 'FILE',
    settings: ['json'],
    help: 'check every byte of a snapshot file and the agreement of its sections',
  },
  'snapshot diff': {
    operands: 'A B',
    settings: ['snapshots', 'json'],
    help: 'show what changed from one snapshot to another',
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
  'snapshot announce': {
    operands: 'ID',
    settings: [...bookSettings, 'snapshots', 'json'],
    help: 'announce a snapshot of the directory, with what changed; services follow it',
  },
  'snapshot held-back': {
    operands: '',
    settings: [...bookSettings, 'snapshots', 'json'],
    help: 'show why the last sync published nothing',
  },
  'snapshot release': {
    operands: '[SOURCE]',
    settings: [...bookSettings, 'snapshots', 'json'],
    help: 'let through what a sync held back, once; SOURCE is its fingerprint, else the one shown now',
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
  'removal list': {
    operands: '[SDU]',
    settings: [...bookSettings, 'snapshots', 'removalKey', 'json'],
    help: 'list the removals of people, which names nobody; with SDU, the removal of that person',
  },
  'removal add': {
    operands: 'SDU',
    settings: [...bookSettings, 'snapshots', 'removalKey', 'reason', 'force', 'json'],
    help: 'record the removal of a person, which the next sync honours; forget does both',
  },
  'removal undo': {
    operands: 'REMOVAL',
    settings: [...bookSettings, 'snapshots', 'removalKey', 'json'],
    help: 'end a removal: the next sync takes the person again where the source has them',
  },
  'removal key': {
    operands: '',
    settings: ['snapshots', 'removalKey', 'json'],
    help: 'show where the key of the list of removals lies; with --removal-key, move it there',
  },
  'correction list': {
    operands: '[SDU]',
    settings: [...bookSettings, 'snapshots', 'json'],
    help: 'list the corrections that are recorded here, of everybody or of one SDU',
  },
  'correction add': {
    operands: 'SDU JSON',
    settings: [...bookSettings, 'snapshots', 'evidence', 'force', 'json'],
    help: 'record a correction: JSON has the fields that are right, as \'{"name":"Ann"}\'',
  },
  'correction undo': {
    operands: 'CORRECTION',
    settings: [...bookSettings, 'snapshots', 'json'],
    help: 'end a correction: the next sync takes what the source says',
  },
  prices: {
    operands: '',
    settings: ['url', 'adminKey', 'json'],
    help: 'show what each query costs in the service at --url',
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
  'account show': {
    operands: 'NAME',
    settings: [...bookSettings, 'json'],
    help: 'show one account',
  },
  'account top-up': {
    operands: 'NAME USD',
    settings: [...bookSettings, 'reference', 'json'],
    help: 'credit an account, once for each reference',
  },
  'account adjust': {
    operands: 'NAME ±USD',
    settings: [...bookSettings, 'reference', 'reason', 'json'],
    help: 'correct the credits of an account, up or down (-5), once for each reference',
  },
  'account suspend': {
    operands: 'NAME',
    settings: [...bookSettings, 'json'],
    help: 'have the keys of an account refused until it is resumed; its money stays',
  },
  'account resume': {
    operands: 'NAME',
    settings: [...bookSettings, 'json'],
    help: 'end the suspension of an account',
  },
  'account statement': {
    operands: 'NAME',
    settings: [...bookSettings, 'json'],
    help: 'show credits, charges by day and route, and the balance of an account',
  },
  'account usage': {
    operands: 'NAME',
    settings: [...bookSettings, 'by', 'from', 'to', 'table', 'json'],
    help: 'show what an account was sold, by key, operation or day (UTC)',
  },
  'key issue': {
    operands: '',
    settings: [...bookSettings, 'account', 'label', 'expires', ...termSettings, 'json'],
    help: 'issue a key for an account and print it, once',
  },
  'key set': {
    operands: 'KEYID',
    settings: [...bookSettings, 'label', 'expires', ...termSettings, 'json'],
    help: 'change the label and the end of a key, and what restricts it',
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
  'admin-key issue': {
    operands: '',
    settings: ['data', 'ledger', 'scopes', 'label', 'expires', 'json'],
    help: 'issue a key for the admin API and print it, once',
  },
  'admin-key list': {
    operands: '',
    settings: [...bookSettings, 'json'],
    help: 'list the keys of the admin API; never the key itself',
  },
  'admin-key revoke': {
    operands: 'KEYID',
    settings: ['data', 'ledger', 'json'],
    help: 'end a key of the admin API at once and for ever',
  },
  'person show': {
    operands: 'SDU',
    settings: ['snapshots'],
    help: 'print all that is held of a person as JSON: record, evidence, history, corrections, removals',
  },
  'ledger verify': {
    operands: '',
    settings: [...bookSettings, 'json'],
    help: 'prove that every balance is the sum of its journal, and what the service holds of them',
  },
  'ledger log': {
    operands: '[SUBJECT]',
    settings: [...bookSettings, 'json'],
    help: 'show the last changes with their actors, of everything or of an account, key or snapshot',
  },
  'ledger backup': {
    operands: 'DIR',
    settings: ['data', 'ledger', 'json'],
    help: 'copy the ledger, also while the service runs, and prove the books of the copy',
  },
  'ledger restore': {
    operands: 'DIR',
    settings: ['data', 'ledger', 'json'],
    help: 'put a backup in the place of the ledger, which is kept beside it; no service may run',
  },
  events: {
    operands: '',
    settings: [...bookSettings, 'after', 'limit', 'json'],
    help: 'list what happened that one may act on, the oldest first',
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

/** The name of a command. */
export type CommandName = keyof typeof commandTable

/** The name of a setting that a command takes. */
export type SettingOf<N extends CommandName> = (typeof commandTable)[N]['settings'][number]

/** The first word of a command's name. */
export type FirstWord = FirstWordOf<CommandName>
type FirstWordOf<N extends string> = N extends `${infer W} ${string}` ? W : N
