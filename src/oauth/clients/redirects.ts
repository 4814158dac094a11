/**
 * Redirect addresses: https, this computer over http (RFC 8252), or an app by a scheme of its own. A requested address
 * has to be one that the client named, to the letter but for the port of this computer.
 */
import { OAuthError } from '../exchange.ts'

const charactersMax = 400
const redirectsMax = 10

const localHosts = ['127.0.0.1', '[::1]', 'localhost']

/** Schemes of editors that RFC 8252 §7.1 would have as names with a dot. */
const editorSchemes = ['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:']

/** @throws OAuthError `invalid_redirect_uri`. */
export function checkedRedirects(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > redirectsMax) {
    const words = `redirect_uris are 1 to ${redirectsMax} addresses`
    throw new OAuthError('invalid_redirect_uri', words)
  }
  for (const each of value) {
    if (typeof each === 'string' && isRedirect(each)) continue
    const kinds = 'https, http on this computer, or a scheme such as com.example.app'
    const words = `a redirect_uri is ${kinds}, without a fragment, of at most ${charactersMax} characters`
    throw new OAuthError('invalid_redirect_uri', words)
  }
  return value
}

function isRedirect(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > charactersMax || !URL.canParse(text))
    return false
  const { protocol, hostname, username, password } = new URL(text)
  if (/[#"'<>\\`]/.test(text) || username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  if (protocol === 'http:') return localHosts.includes(hostname)
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol) || editorSchemes.includes(protocol)
}

export function isNamed(asked: string, named: readonly string[]): boolean {
  if (named.includes(asked)) return true
  const local = withoutPort(asked)
  return local !== undefined && named.some((each) => withoutPort(each) === local)
}

/** Undefined for an address that is not of this computer. */
function withoutPort(text: string): string | undefined {
  if (!isRedirect(text) || !text.startsWith('http:')) return undefined
  return text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d+/, '$1')
}

/** Browsers check every hop of a form's answer, also those of the client, so https is allowed as a whole. */
export function policySourceOf(redirect: string): string {
  const { protocol, origin, hostname } = new URL(redirect)
  if (protocol === 'https:') return protocol
  const hasName = protocol === 'http:' && !hostname.startsWith('[')
  return `https: ${hasName ? origin : protocol}`
}

export function placeOf(redirect: string): string {
  const { protocol, host, hostname } = new URL(redirect)
  if (protocol === 'http:' && localHosts.includes(hostname)) return 'a program on your computer'
  return protocol === 'https:' ? host : `the app for ${protocol}`
}
