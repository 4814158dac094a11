/**
 * The key that pays for requests. The address brings a code that is exchanged for it once, or a key itself;
 * both stand in the fragment, which browsers never send, and the page removes them at once. A key is kept
 * in memory, in the tab or in the browser, and is never replaced by another without a question.
 */

/** The methods of a browser storage that are used. */
export interface KeyStorage {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

/** The storages of a page; a browser may deny them. */
export interface KeyStorages {
  readonly browser: KeyStorage | undefined
  readonly tab: KeyStorage | undefined
}

/** Storage of a key: until it is forgotten, until the tab is closed, or until the page is left. */
export type KeyPlace = 'browser' | 'tab' | 'memory'

/** A key and its storage; '' is no key. */
export interface Credential {
  readonly key: string
  readonly place: KeyPlace
}

/** Contents of a link: a key or the code of one; '' for an absent member. */
interface KeyLink {
  readonly key: string
  readonly code: string
}

const storedName = 'authority-index-key'

export const noCredential: Credential = { key: '', place: 'memory' }

/** Reads the key and the code from a fragment such as `#code=…` or `#key=aik_…`; an absent one is ''. */
export function linkInFragment(fragment: string): KeyLink {
  const given = new URLSearchParams(fragment.replace(/^#/, ''))
  return { key: given.get('key')?.trim() ?? '', code: given.get('code')?.trim() ?? '' }
}

/** The key that a browser or a tab keeps at the person's request. */
export function keptCredential({ browser, tab }: KeyStorages): Credential {
  const inBrowser = browser?.getItem(storedName) ?? ''
  if (inBrowser !== '') return { key: inBrowser, place: 'browser' }
  const inTab = tab?.getItem(storedName) ?? ''
  return inTab === '' ? noCredential : { key: inTab, place: 'tab' }
}

/** Keeps a key in its storage, and removes it from the others. */
export function keepCredential(storages: KeyStorages, { key, place }: Credential): void {
  for (const name of ['browser', 'tab'] as const) {
    if (key === '' || place !== name) storages[name]?.removeItem(storedName)
    else storages[name]?.setItem(storedName, key)
  }
}

/** Storage of a key from a link: the browser if the service runs on this computer, else memory until a choice. */
export function firstPlace(hostname: string): KeyPlace {
  const isOwn = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname)
  return isOwn ? 'browser' : 'memory'
}

/** Treatment of a key from a link. */
type KeyArrival = 'take' | 'same' | 'ask'

/** A key is taken if none is held; a different one only after a question. */
export function arrivalOf(held: string, brought: string): KeyArrival {
  if (held === '') return 'take'
  return held === brought ? 'same' : 'ask'
}

/** Outcome of the exchange of a code. */
type Exchanged =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'spent' }
  | { readonly kind: 'unreachable' }

/** The request. The browser keeps nothing of it. */
interface ExchangeRequest extends RequestInit {
  readonly cache: 'no-store'
}

/** Exchanges a code for its key. */
export async function exchangeCode(
  code: string,
  send: (target: string, init: ExchangeRequest) => Promise<Response>,
): Promise<Exchanged> {
  try {
    const response = await send('/explorer/key', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
      cache: 'no-store',
      credentials: 'omit',
    })
    if (response.status === 401 || response.status === 404) return { kind: 'spent' }
    const { key } = (await response.json()) as { readonly key?: unknown }
    return typeof key === 'string' ? { kind: 'key', key } : { kind: 'unreachable' }
  } catch {
    return { kind: 'unreachable' }
  }
}

/** The visible part of a key: enough to distinguish it from another. */
export function shownKey(key: string): string {
  return key.length <= 12 ? '…' : `${key.slice(0, 8)}…${key.slice(-4)}`
}
