/**
 * Operations of administration as commands: on the ledger and the snapshots themselves, where the audit log has the
 * user of the operating system as the actor; or, with `--url`, over the admin API, with the admin key as the actor.
 */
import { hostname, userInfo } from 'node:os'
import type { AdminContext, AdminOperation } from '../admin/operation.ts'
import { adminOperations } from '../admin/operations.ts'
import { inputFrom, read } from '../admin/reading.ts'
import { type Answer, type Call, type Input, remoteCalls } from '../admin/remote.ts'
import type { Books } from '../ledger/books/books.ts'
import { withAdministration } from '../ledger/books/open-books.ts'
import type { Cause } from '../ledger/books/trail.ts'
import { Refusal } from '../problems.ts'
import type { SettingName, Values } from '../settings.ts'
import { type Call as CommandCall, refuseToLose, type Terminal } from './command.ts'

export type AdminCall = Pick<CommandCall<SettingName>, 'operands' | 'terminal' | 'clock'> & {
  readonly values: Values<'json' | 'url' | 'adminKey'> & Partial<Values<Place>>
}

type Place = 'data' | 'ledger' | 'snapshots' | 'removalKey'

interface Asked {
  readonly operation: AdminOperation
  /** Texts, or values that are read; undefined for what is not said. */
  readonly given: Input
  readonly isWhole?: boolean
}

/** @throws Refusal `ledger-refused`, `ledger-corrupt`, `wrong-usage`, and what the operation refuses. */
export async function administer(
  call: AdminCall,
  { operation, given, isWhole }: Asked,
  show: (answer: Answer) => void,
): Promise<void> {
  const { values, terminal } = call
  const input = inputFrom(operation.input, given)
  if ('key' in operation.result.shape) refuseToLose('key', terminal)
  const done = async (answer: Answer, takeBack: () => Promise<unknown>) =>
    answer.key === undefined ? show(answer) : showKey(answer, values.json, terminal, takeBack)
  if (values.url !== null) {
    const service = callsOf(values.url, values.adminKey)
    const answer = await service(operation, input, isWhole)
    return done(answer, () => takeBack(service, answer))
  }
  const whole = read(operation.input, input)
  // One page of a list here costs as much as all of it.
  const taken = isWhole ? { ...whole, limit: Number.MAX_SAFE_INTEGER } : whole
  await withContext(call, operation, async (context) => {
    const here: Call = async (each, asked) => each.run(context, asked)
    const answer: Answer = await operation.run(context, taken)
    await done(answer, () => takeBack(here, answer))
  })
}

/** @throws Refusal `wrong-usage` without an admin key. */
function callsOf(url: string, adminKey: string): Call {
  if (adminKey !== '') return remoteCalls(url, adminKey)
  const hint = 'set AUTHORITY_INDEX_ADMIN_KEY (authority-index admin issueAdminKey)'
  throw new Refusal('wrong-usage', `--url is the admin API, which needs an admin key: ${hint}`)
}

/** Revokes a key that was issued. @throws Refusal for a rotation, which stands. */
async function takeBack(call: Call, { key_id, admin_key_id, replaced }: Answer): Promise<unknown> {
  if (replaced !== undefined) {
    throw new Refusal('ledger-refused', `its old secret ends at ${replaced.expires}`)
  }
  return key_id === undefined
    ? call(adminOperations.revokeAdminKey, { admin_key_id })
    : call(adminOperations.revokeKey, { key_id })
}

function withContext(
  { values, clock }: AdminCall,
  { ledger: needs }: AdminOperation,
  use: (context: AdminContext) => Promise<void>,
): Promise<void> {
  const { data = '', ledger = null, snapshots = '', removalKey = '' } = values
  const context = { snapshots, removalKey, clock, follow: '' }
  if (needs === 'unused') return use({ ...context, books: unnoted as Books })
  const place = { data, ledger, clock, create: needs === 'made', cause: commandLine() }
  return withAdministration(place, (books) => use({ ...context, books }))
}

/** In the place of a ledger, for operations that only note their changes. */
const unnoted: Pick<Books, 'noted'> = { noted: (_, work) => work() }

/** A container may run as a user without a name. */
function commandLine(): Cause {
  const from = `command line of ${hostname()}`
  try {
    return { name: `user ${userInfo().username}`, from }
  } catch {
    return { name: `user ${process.getuid?.() ?? 'unknown'}`, from }
  }
}

/** Prints a key alone, so that a script can take it. @throws Refusal `output-failed` when it could not be shown. */
async function showKey(
  answer: Answer,
  json: boolean,
  terminal: Terminal,
  takeBack: () => Promise<unknown>,
): Promise<void> {
  const { key, key_id, admin_key_id, expires, replaced } = answer
  const name = key_id === undefined ? `admin key ${admin_key_id}` : `key ${key_id}`
  terminal.print(json ? JSON.stringify(answer) : key)
  try {
    await terminal.printed()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const what = replaced === undefined ? name : `the new secret of ${name}`
    const advice = replaced === undefined ? 'revoke it' : 'rotate it again'
    const refuse = (reason: string) => new Refusal(error.code, `${error.message}; ${reason}`)
    await takeBack().catch(({ message }: Error) => {
      throw refuse(`${what} could not be taken back: ${message}; ${advice}`)
    })
    throw refuse(`${what} was not shown and is taken back`)
  }
  if (json) return
  terminal.report(`${name}, ${expires === null ? 'without end' : `until ${expires}`}`)
  terminal.report('This is the only time the key is shown.')
  if (replaced !== undefined) {
    terminal.report(`the old secret of ${name} ends at ${replaced.expires}`)
  }
}
