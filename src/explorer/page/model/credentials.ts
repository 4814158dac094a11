/**
 * The key that pays for requests. The address brings a code that is exchanged for it once, or a key itself;
 * both stand in the fragment, which browsers never send, and the page removes them at once. A key is kept
 * in the tab or in the browser.
 */

export interface KeyStorage {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

/** Storage of a key: until it is forgotten, or until the tab is closed. */
export type KeyPlace = 'browser' | 'tab'

/** The storages of a page; undefined if the browser denies them. */
export type KeyStorages = Readonly<Record<KeyPlace, KeyStorage | undefined>>

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

/** Reads the key and the code from a fragment such as `#code=…` or `#key=aik_…`; an absent one is ''. */
export function linkInFragment(fragment: string): KeyLink {
  const given = new URLSearchParams(fragment.replace(/^#/, ''))
  return { key: given.get('key')?.trim() ?? '', code: given.get('code')?.trim() ?? '' }
}

export function keptCredential({ browser, tab }: KeyStorages): Credential {
  const inBrowser = browser?.getItem(storedName) ?? ''
  if (inBrowser !== '') return { key: inBrowser, place: 'browser' }
  return { key: tab?.getItem(storedName) ?? '', place: 'tab' }
}

export function keepCredential(storages: KeyStorages, { key, place }: Credential): void {
  for (const name of ['browser', 'tab'] as const) {
    if (key === '' || place !== name) storages[name]?.removeItem(storedName)
    else storages[name]?.setItem(storedName, key)
  }
}

/** Storage of a key from a link: the browser if the service runs on this computer, else the tab. */
export function firstPlace(hostname: string): KeyPlace {
  const isOwn = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname)
  return isOwn ? 'browser' : 'tab'
}

type Exchanged =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'spent' }
  | { readonly kind: 'unreachable' }

interface ExchangeRequest extends RequestInit {
  readonly cache: 'no-store'
}

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

export function shownKey(key: string): string {
  return key.length <= 12 ? '…' : `${key.slice(0, 8)}…${key.slice(-4)}`
}
