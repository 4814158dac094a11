/**
 * The state that all parts of the page share: the key, the client that pays with it, its answers of the last minutes, and
 * the balance that they report.
 */
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type AnswerPromise, AuthorityIndex, type Page } from '../../client/client.ts'
import { type KeySession, useKey } from './key.ts'
import type { PageOptions } from './model/questions.ts'
import { type Seen, SeenAnswers } from './model/seen.ts'

interface Session extends KeySession {
  readonly client: AuthorityIndex | undefined
  readonly seen: SeenAnswers
  /** USD that the account can still spend; undefined before the first answer. */
  readonly balanceUsd: number | undefined
  readonly setBalance: (balanceUsd: number | undefined) => void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const keys = useKey()
  const { key } = keys
  const [balanceUsd, setBalance] = useState<number>()
  const asking = useMemo(() => {
    const options = { apiKey: key, baseURL: location.origin, exposeKeyInBrowser: true }
    const client = key === '' ? undefined : new AuthorityIndex(options)
    return { client, seen: new SeenAnswers(() => performance.now()) }
  }, [key])
  // Another account has another balance.
  useEffect(() => setBalance(undefined), [key])
  const session = { ...keys, ...asking, balanceUsd, setBalance }
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

export function useSession(): Session {
  return useContext(SessionContext)!
}

/** Announces a text in the region that screen readers listen to. */
export function announce(text: string): void {
  const region = document.getElementById('status')
  if (region !== null) region.textContent = text
}

export interface Answering<T> {
  /** `failed` and `loading` are of the last page that was asked for. */
  readonly kind: 'no-key' | 'loading' | 'answer' | 'failed'
  readonly error: unknown
  /** The pages that are there, of which a single answer is one; while the first is on its way, those of the question before. */
  readonly pages: readonly T[]
  readonly isCurrent: boolean
  readonly hasMore: boolean
  /** Asks for the first page if there is none, else for the next. */
  readonly more: () => void
}

type Call<T> = (client: AuthorityIndex, options: PageOptions) => AnswerPromise<T>

/**
 * Asks whenever the question or the key changes; a call on its way is then cancelled. What was answered in the last
 * minutes is shown again without a call.
 * @param question what is asked, as JSON values: equal ones are one.
 */
export function useAnswer<T>(question: readonly unknown[], call: Call<T>): Answering<T> {
  const { client, seen, setBalance } = useSession()
  const name = JSON.stringify(question)
  const own = useMemo(() => seen.of<T>(name), [seen, name])
  const [, redraw] = useState({})
  const [asking, setAsking] = useState<Seen<T>>()
  const connection = useRef(new AbortController())
  const last = useRef(own)
  if (own.pages.length > 0 || own.error !== undefined || client === undefined) last.current = own
  const ask = async () => {
    if (client === undefined || asking === own) return
    const { signal } = connection.current
    own.error = undefined
    setAsking(own)
    try {
      const cursor = cursorBehind(own.pages)
      const options = cursor === undefined ? { signal } : { cursor, signal }
      const { data, balance } = await call(client, options).withResponse()
      own.pages = [...own.pages, data]
      setBalance(balance ?? undefined)
    } catch (error) {
      if (!signal.aborted) own.error = error
    }
    setAsking((other) => (other === own ? undefined : other))
    redraw({})
  }
  // The request leaves before the page is painted.
  useLayoutEffect(() => {
    connection.current = new AbortController()
    if (own.pages.length === 0) void ask()
    return () => connection.current.abort()
  }, [client, own])
  const shown = last.current
  return {
    kind: kindOf(client, own, asking === own),
    error: own.error,
    pages: shown.pages,
    isCurrent: shown === own || shown.pages.length === 0,
    hasMore: cursorBehind(own.pages) !== undefined,
    more: () => void ask(),
  }
}

function kindOf(client: unknown, { error, pages }: Seen<unknown>, isAsking: boolean) {
  if (client === undefined) return 'no-key'
  if (error !== undefined) return 'failed'
  return isAsking || pages.length === 0 ? 'loading' : 'answer'
}

function cursorBehind(pages: readonly unknown[]): string | undefined {
  return (pages.at(-1) as Page<unknown> | null | undefined)?.next_cursor ?? undefined
}
