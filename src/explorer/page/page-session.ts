/**
 * What all parts of the page share: the key, where one is, and how the API is asked. Parts read it
 * from the context; only the app makes it.
 */
import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Place, Visit } from './model/address.ts'
import type { Exchange, Outcome } from './model/asking.ts'
import { type ApiQuery, targetOf } from './model/requests.ts'

export interface Session {
  /** '' where there is none. */
  readonly key: string
  readonly isKept: boolean
  /** @param isKept whether it stays for as long as the tab is open. */
  readonly takeKey: (key: string, isKept: boolean) => void
  readonly visit: Visit
  /** Shows another place, as a new entry of the history of the tab or in place of the last. */
  readonly go: (place: Place, isReplacing?: boolean) => void
  readonly ask: <T>(query: ApiQuery, signal?: AbortSignal) => Promise<Outcome<T>>
  /** What was asked for what is shown, the last at the end. */
  readonly exchanges: readonly Exchange[]
  /** What the account can spend, as the last answer said; undefined before the first. */
  readonly balanceUsd: number | undefined
  /** The snapshot that answered last; '' before the first answer. */
  readonly snapshotId: string
  /** Says something to those who do not see it. */
  readonly announce: (text: string) => void
}

export const SessionContext = createContext<Session | undefined>(undefined)

/** The session; parts are only rendered in one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('rendered outside of the app')
  return session
}

/** A request on its way, or what became of it. */
export type Asked<T> = { readonly kind: 'loading' } | { readonly kind: 'no-key' } | Outcome<T>

/** What became of a request, and a way to ask again. */
export interface Asking<T> {
  readonly asked: Asked<T>
  /** The last answer that there was, to be shown until there is another. */
  readonly before: T | undefined
  readonly again: () => void
}

/** Asks whenever the request or the key is another; what is on its way then is cancelled. */
export function useAnswer<T>(query: ApiQuery): Asking<T> {
  const { ask, key } = useSession()
  const [asked, setAsked] = useState<Asked<T>>({ kind: 'loading' })
  const [round, setRound] = useState(0)
  const before = useRef<T | undefined>(undefined)
  const target = targetOf(query)
  // A request is what its target says.
  useEffect(() => {
    if (key === '') return setAsked({ kind: 'no-key' })
    const connection = new AbortController()
    setAsked({ kind: 'loading' })
    void ask<T>(query, connection.signal).then((outcome) => {
      if (outcome.kind === 'cancelled') return
      if (outcome.kind === 'answer') before.current = outcome.json
      setAsked(outcome)
    })
    return () => connection.abort()
  }, [target, key, round])
  const again = useCallback(() => setRound((count) => count + 1), [])
  return { asked, before: before.current, again }
}
