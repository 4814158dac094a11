/**
 * The state that all parts of the page share: the key, the way to send requests, and the facts of answers.
 * Parts read it from two contexts, because the facts change with each answer. Only the provider creates
 * them.
 */
import { createContext } from 'preact'
import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks'
import type { KeySession } from './key-session.ts'
import type { Place, Visit } from './model/address.ts'
import type { Outcome } from './model/asking.ts'
import { type ApiQuery, requestNameOf } from './model/requests.ts'
import type { SessionLog } from './model/session-log.ts'

interface PageSession extends KeySession {
  readonly visit: Visit
  /** Number of times that the shown place was requested again. */
  readonly round: number
  /**
   * Shows a place, as a new entry of the history of the tab or in place of the last; asks anew for
   * the one that is shown.
   */
  readonly go: (place: Place, isReplacing?: boolean) => void
  readonly ask: <T>(query: ApiQuery, signal?: AbortSignal) => Promise<Outcome<T>>
  /** The last answer to a request, if it is still at hand; it may hold no longer. */
  readonly seen: <T>(query: ApiQuery) => T | undefined
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void
}

export const SessionContext = createContext<PageSession | undefined>(undefined)

export const ToldContext = createContext<SessionLog | undefined>(undefined)

/** The session; parts are only rendered in one. */
export function useSession(): PageSession {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('rendered outside of a session')
  return session
}

/** The facts that answers reported. A component that reads them renders again with each answer. */
export function useTold(): SessionLog {
  const told = useContext(ToldContext)
  if (told === undefined) throw new Error('rendered outside of a session')
  return told
}

/** Asks as the session does, but only for as long as the part that asks is shown. */
export function useOwnAsk(): PageSession['ask'] {
  const { ask } = useSession()
  const connection = useRef(new AbortController())
  useEffect(() => () => connection.current.abort(), [])
  return useCallback((query) => ask(query, connection.current.signal), [ask])
}

/** Whether the page is at least so wide, in rem, now and when that changes. */
export function useIsWide(rem: number): boolean {
  const list = useMemo(() => matchMedia(`(min-width: ${rem}rem)`), [rem])
  const [isWide, setWide] = useState(list.matches)
  useEffect(() => {
    const onChange = () => setWide(list.matches)
    list.addEventListener('change', onChange)
    return () => list.removeEventListener('change', onChange)
  }, [list])
  return isWide
}

/** A request on its way, or what became of it. */
export type AnswerState<T> = { readonly kind: 'loading' } | { readonly kind: 'no-key' } | Outcome<T>

/** Outcome of a request, and a way to ask again. */
interface Answering<T> {
  readonly asked: AnswerState<T>
  /** The answer; while it is on its way, the one before it. */
  readonly shown: T | undefined
  readonly again: () => void
}

/** Asks whenever the request or the key changes; a request on its way is then cancelled. */
export function useAnswer<T>(query: ApiQuery): Answering<T> {
  const { ask, seen, key } = useSession()
  const name = `${key} ${requestNameOf(query)}`
  const [outcome, setOutcome] = useState<{ readonly of: string; readonly asked: AnswerState<T> }>()
  const [round, setRound] = useState(0)
  const last = useRef<T | undefined>(undefined)
  // The request leaves before the page is painted.
  useLayoutEffect(() => {
    if (key === '') return
    const connection = new AbortController()
    setOutcome(undefined)
    void ask<T>(query, connection.signal).then((asked) => {
      if (connection.signal.aborted) return
      if (asked.kind === 'answer') last.current = asked.json
      setOutcome({ of: name, asked })
    })
    return () => connection.abort()
  }, [name, round])
  const again = useCallback(() => setRound((count) => count + 1), [])
  const before = useMemo(() => seen<T>(query), [name])
  const asked = key === '' ? noKey : outcome?.of === name ? outcome.asked : loading
  return { asked, shown: shownOf(asked, before ?? last.current), again }
}

const loading = { kind: 'loading' } as const
const noKey = { kind: 'no-key' } as const

function shownOf<T>(asked: AnswerState<T>, before: T | undefined): T | undefined {
  if (asked.kind === 'answer') return asked.json
  return asked.kind === 'loading' ? before : undefined
}
