/**
 * The key of the page: held, kept where the person wants it, shared with the other tabs, and brought by links. A link
 * never replaces a key that is held.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  type Credential,
  exchangeCode,
  firstPlace,
  type KeyPlace,
  type KeyStorages,
  keepCredential,
  keptCredential,
  linkInFragment,
} from './model/credentials.ts'

type LinkState = 'none' | 'exchanging' | 'spent' | 'unreachable'

export interface KeySession extends Credential {
  readonly link: LinkState
  /** The key '' forgets it everywhere. */
  readonly takeKey: (key: string, place: KeyPlace) => void
}

export function useKey(): KeySession {
  const [credential, setCredential] = useState(() => keptCredential(storagesOfPage()))
  const [link, setLink] = useState<LinkState>(() =>
    linkInFragment(location.hash).code === '' ? 'none' : 'exchanging',
  )
  const held = useRef('')
  held.current = credential.key
  const takeKey = useCallback((key: string, place: KeyPlace) => {
    keep({ key, place })
    setCredential({ key, place })
    setLink('none')
  }, [])
  useLinks(
    (key) => (held.current === '' ? takeKey(key, firstPlace(location.hostname)) : setLink('none')),
    (state) => setLink(held.current === '' ? state : 'none'),
  )
  // A key that another tab stores in or removes from the browser changes here, too.
  useEffect(() => {
    const onStorage = () => setCredential(keptCredential(storagesOfPage()))
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [])
  return { ...credential, link, takeKey }
}

/** Takes a key or a code from the address, now and after each change, and removes it from the address at once. */
function useLinks(arrive: (key: string) => void, setLink: (link: LinkState) => void): void {
  useLayoutEffect(() => {
    const onFragment = async () => {
      const { key, code } = linkInFragment(location.hash)
      if (key === '' && code === '') return
      // Neither stays in a bookmark or in a shared address.
      history.replaceState(history.state, '', location.pathname + location.search)
      if (key !== '') return arrive(key)
      setLink('exchanging')
      const exchanged = await exchangeCode(code, (target, init) => fetch(target, init))
      if (exchanged.kind === 'key') arrive(exchanged.key)
      else setLink(exchanged.kind)
    }
    void onFragment()
    addEventListener('hashchange', onFragment)
    return () => removeEventListener('hashchange', onFragment)
  }, [])
}

/** Keeps a key; in memory only if the browser lets the page keep nothing. */
function keep(credential: Credential): void {
  try {
    keepCredential(storagesOfPage(), credential)
  } catch {
    // The storage is full or denied.
  }
}

export function storagesOfPage(): KeyStorages {
  return { browser: storage('localStorage'), tab: storage('sessionStorage') }
}

function storage(name: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return globalThis[name]
  } catch {
    return undefined
  }
}
