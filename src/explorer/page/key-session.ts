/**
 * The key of the session: held, kept where the person wants it, shared with the other tabs, and brought by
 * links. A link never replaces a key that is held; it is offered.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  arrivalOf,
  type Credential,
  exchangeCode,
  firstPlace,
  type KeyPlace,
  type KeyStorages,
  keepCredential,
  keptCredential,
  linkInFragment,
  noCredential,
} from './model/credentials.ts'

/** State of the link that was opened last. */
type LinkState =
  | { readonly kind: 'none' }
  | { readonly kind: 'exchanging' }
  | { readonly kind: 'spent' }
  | { readonly kind: 'unreachable'; readonly again: () => void }
  | { readonly kind: 'other'; readonly key: string }

/** The key, the state of the last link, and the actions on both. */
export interface KeySession extends Credential {
  readonly link: LinkState
  /** @param place storage of the key; that of keys from links unless given. The key '' forgets it everywhere. */
  readonly takeKey: (key: string, place?: KeyPlace) => void
  /** Removes the notice about a link. */
  readonly dismissLink: () => void
}

const noLink: LinkState = { kind: 'none' }

export function useKeySession(): KeySession {
  const [credential, setCredential] = useState(() => keptCredential(storagesOfPage()))
  const [link, setLink] = useState<LinkState>(() =>
    Object.values(linkInFragment(location.hash)).every((text) => text === '')
      ? noLink
      : { kind: 'exchanging' },
  )
  const held = useRef(credential)
  held.current = credential
  const takeKey = useCallback((key: string, place = firstPlace(location.hostname)) => {
    const next = key === '' ? noCredential : { key, place }
    held.current = keptAs(next)
    setCredential(held.current)
    setLink(noLink)
  }, [])
  const arrive = useCallback(
    (key: string) => {
      const arrival = arrivalOf(held.current.key, key)
      if (arrival === 'take') takeKey(key)
      else setLink(arrival === 'ask' ? { kind: 'other', key } : noLink)
    },
    [takeKey],
  )
  useLinks(arrive, setLink, held)
  useOtherTabs(setCredential)
  const dismissLink = useCallback(() => setLink(noLink), [])
  return { ...credential, link, takeKey, dismissLink }
}

/** Takes a key or a code from the address, now and after each change, and removes it from the address at once. */
function useLinks(
  arrive: (key: string) => void,
  setLink: (link: LinkState) => void,
  held: { readonly current: Credential },
): void {
  useLayoutEffect(() => {
    const exchange = async (code: string) => {
      setLink({ kind: 'exchanging' })
      const exchanged = await exchangeCode(code, (target, init) => fetch(target, init))
      if (exchanged.kind === 'key') return arrive(exchanged.key)
      // A person who has a key already has lost nothing: the link is the one that brought it.
      if (held.current.key !== '') return setLink(noLink)
      if (exchanged.kind === 'spent') setLink({ kind: 'spent' })
      else setLink({ kind: 'unreachable', again: () => void exchange(code) })
    }
    const onFragment = () => {
      const { key, code } = linkInFragment(location.hash)
      if (key === '' && code === '') return
      // Neither stays in a bookmark or in a shared address.
      history.replaceState(history.state, '', location.pathname + location.search)
      if (key !== '') arrive(key)
      else void exchange(code)
    }
    onFragment()
    addEventListener('hashchange', onFragment)
    return () => removeEventListener('hashchange', onFragment)
  }, [arrive, setLink, held])
}

/** Follows the other tabs: a key that one of them stores in or removes from the browser changes here, too. */
function useOtherTabs(setCredential: (change: (before: Credential) => Credential) => void): void {
  useEffect(() => {
    const onStorage = ({ storageArea }: StorageEvent) => {
      const { browser } = storagesOfPage()
      if (browser === undefined || (storageArea as unknown) !== browser) return
      setCredential((before) => {
        const kept = keptCredential({ browser, tab: undefined })
        return before.place === 'browser' || before.key === '' ? kept : before
      })
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [setCredential])
}

/** Keeps a key; in memory if the browser lets the page keep nothing. */
function keptAs(credential: Credential): Credential {
  const storages = storagesOfPage()
  try {
    keepCredential(storages, credential)
    const { place } = credential
    return place === 'memory' || storages[place] !== undefined ? credential : inMemory(credential)
  } catch {
    return inMemory(credential)
  }
}

function inMemory({ key }: Credential): Credential {
  return { key, place: 'memory' }
}

function storagesOfPage(): KeyStorages {
  return { browser: storage('localStorage'), tab: storage('sessionStorage') }
}

/** A storage of the browser; undefined if it is denied. */
function storage(name: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return globalThis[name]
  } catch {
    return undefined
  }
}
