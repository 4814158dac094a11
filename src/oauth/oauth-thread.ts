/**
 * The thread of the authorization server, as the service sees it. It has a connection to the ledger of its own, so
 * that neither a slow client document nor a list of keys keeps a charge or an answer waiting.
 */
import { readFileSync } from 'node:fs'
import type { LedgerPlace } from '../ledger/administration.ts'
import { Refusal } from '../problems.ts'
import { LastingThread, moduleOf } from '../process/thread.ts'
import type { Values } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'
import type { OAuthReply, OAuthRequest } from './exchange.ts'
import type { HandOverLogin } from './hand-over.ts'

/** The dependencies of the thread. */
export interface OAuthOrder extends LedgerPlace {
  readonly issuer: string
  readonly secret: Uint8Array
  readonly login: HandOverLogin | undefined
}

/** The calls that the thread answers. */
export type OAuthThreadCalls = {
  /** @throws Refusal `ledger-refused`. */
  start(order: OAuthOrder): void
  answer(request: OAuthRequest): OAuthReply
  close(nothing: undefined): void
}

/** The settings of OAuth, and those that have to fit to them. */
type OAuthSettings = Values<'oauth' | 'oauthLogin' | 'oauthSecret' | 'publicUrl'>

/**
 * The public origin and the login that the settings name; undefined where OAuth is off.
 * @throws Refusal `wrong-usage` for settings that do not fit together.
 */
export function oauthOf(values: OAuthSettings): Pick<OAuthOrder, 'issuer' | 'login'> | undefined {
  const { oauth, oauthLogin, oauthSecret, publicUrl } = values
  if ((oauthLogin === null) !== (oauthSecret === '')) {
    throw new Refusal('wrong-usage', '--oauth-login and --oauth-secret need each other')
  }
  if (oauth === null) {
    if (oauthLogin === null) return undefined
    throw new Refusal('wrong-usage', '--oauth-login needs --oauth')
  }
  if (publicUrl !== null && publicUrl !== oauth) {
    throw new Refusal('wrong-usage', `--public-url has to be ${oauth}, as --oauth says`)
  }
  if (oauthLogin === null) return { issuer: oauth, login: undefined }
  return { issuer: oauth, login: { url: oauthLogin, secret: secretIn(oauthSecret) } }
}

/** Fewer bytes could be guessed. */
const secretBytesMin = 32

/** The secret in a file. @throws Refusal `wrong-usage` for a file that cannot be read, or holds too little. */
function secretIn(path: string): Uint8Array {
  let secret: Uint8Array
  try {
    secret = readFileSync(path)
  } catch (error) {
    throw new Refusal('wrong-usage', `--oauth-secret cannot be read: ${(error as Error).message}`)
  }
  if (secret.length >= secretBytesMin) return secret
  throw new Refusal('wrong-usage', `--oauth-secret: a secret has ${secretBytesMin} bytes or more`)
}

/** The thread, begun anew when it dies. Its start throws the Refusal `ledger-refused`. */
export class OAuthThread extends LastingThread<void, OAuthThreadCalls> {
  constructor(order: OAuthOrder, log: Log) {
    super(moduleOf('oauth-worker', import.meta.url), {
      name: 'the OAuth thread',
      handlers: {},
      begin: (channel) => channel.call('start', order),
      end: (channel) => channel.call('close', undefined),
      onDeath: ({ message }) => log('thread-died', message),
    })
  }

  /** @throws Error if the thread has ended. */
  answer(request: OAuthRequest): Promise<OAuthReply> {
    return this.channel.call('answer', request)
  }
}
