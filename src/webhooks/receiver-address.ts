/**
 * The addresses to which webhooks are delivered. Without `--webhook-private`, only https and only addresses of the
 * public Internet: a customer who names an endpoint must not reach the operator's network.
 */
import { isIP } from 'node:net'
import { isPublicAddress } from '../oauth/clients/public-address.ts'
import { Refusal } from '../problems.ts'

const urlCharactersMax = 2_000

/**
 * The normal form of the address of an endpoint. A host name is resolved when events are delivered.
 * @throws Refusal `wrong-usage` for an address that is none, or is not allowed.
 */
export function checkedReceiver(text: string, allowsPrivate: boolean): string {
  const url = URL.canParse(text) && text.length <= urlCharactersMax ? new URL(text) : undefined
  const isWeb = url?.protocol === 'https:' || (allowsPrivate && url?.protocol === 'http:')
  if (url === undefined || !isWeb) {
    throw new Refusal(
      'wrong-usage',
      'an endpoint is an https:// address of at most 2000 characters',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new Refusal('wrong-usage', 'the address of an endpoint holds no user and no password')
  }
  const host = hostOf(url)
  const isLocal =
    isIP(host) === 0 ? /^localhost\.?$|\.localhost\.?$/.test(host) : !isPublicAddress(host)
  if (isLocal && !allowsPrivate) {
    throw new Refusal(
      'wrong-usage',
      `${host} is not an address of the public Internet; see --webhook-private`,
    )
  }
  url.hash = ''
  return url.href
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}
