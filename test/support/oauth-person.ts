/**
 * What a person with a browser does with the pages of OAuth, and what a client needs for its side, on a service or
 * on the server without a wire.
 */
import { createHash, randomBytes } from 'node:crypto'

/** Asks a path of the service; redirects are not followed. */
export type Ask = (target: string, init?: RequestInit) => Promise<Response>

export const callback = 'https://client.example/callback'

export function newProof() {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, challenge }
}

export function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => typeof value === 'string')
  return new URLSearchParams(given as [string, string][]).toString()
}

export function formInit(
  fields: Readonly<Record<string, string | undefined>>,
  headers: Readonly<Record<string, string>> = {},
): RequestInit {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', headers: { ...type, ...headers }, body: queryOf(fields) }
}

interface OpenPage {
  readonly response: Response
  readonly html: string
  /** The signed request that its form holds. */
  readonly request: string
  readonly cookie: string
}

export async function openPage(ask: Ask, target: string, cookie = ''): Promise<OpenPage> {
  const response = await ask(target, { headers: { cookie } })
  const html = await response.text()
  const set = response.headers.get('set-cookie')?.split(';')[0]
  return { response, html, request: hiddenIn(html, 'request'), cookie: set ?? cookie }
}

/** The value of a hidden field of a page; '' without one. */
export function hiddenIn(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
}

export function answerPage(
  ask: Ask,
  { request, cookie }: Pick<OpenPage, 'request' | 'cookie'>,
  fields: Readonly<Record<string, string | undefined>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = { request, cap: '2', period: 'month', decision: 'allow', ...fields }
  return ask('/oauth/consent', formInit(form, { cookie, ...headers }))
}

/** Where a reply sends the browser, as parameters. */
export function answerIn(response: Response): URLSearchParams {
  return new URL(response.headers.get('location') ?? 'about:blank').searchParams
}
