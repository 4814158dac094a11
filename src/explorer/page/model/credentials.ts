/**
 * The key that pays for requests. It arrives in the fragment of the address, which browsers never send,
 * and the page removes it from there at once. It stays in memory, or in the storage of the tab if the
 * person chooses so.
 */

/** What the storage of a tab is used for. */
export interface TabStorage {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

const storedName = 'authority-index-key'

/** The key in a fragment such as `#key=aik_…`; '' where there is none. */
export function keyInFragment(fragment: string): string {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('key')?.trim() ?? ''
}

/** The key that the tab keeps at the person's request; '' where there is none. */
export function keptKey(storage: TabStorage): string {
  return storage.getItem(storedName) ?? ''
}

/** Keeps a key for as long as the tab is open; '' keeps none. */
export function keepKey(storage: TabStorage, key: string): void {
  if (key === '') storage.removeItem(storedName)
  else storage.setItem(storedName, key)
}

/** What may be shown of a key: enough to tell it from another. */
export function shownKey(key: string): string {
  return key.length <= 12 ? '…' : `${key.slice(0, 8)}…${key.slice(-4)}`
}
