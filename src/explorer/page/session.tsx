/**
 * The state that all parts of the page share: the key, the client that pays with it, its answers of the last minutes, and
 * the balance that they report.
 */
import { type ComponentChildren, createContext } from 'preact'
import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks'
import {
  type AnswerPromise,
  AuthorityIndex,
  type CallOptions,
  type Page,
  type PagePromise,
} from '../../client/client.ts'
import { type KeySession, useKey } from './key.ts'
import type { PageOptions } from './model/questions.ts'
import { SeenAnswers } from './model/seen.ts'

interface Session extends KeySession {
  /** Undefined without a key. */
  readonly client: AuthorityIndex | undefined
  /** What the client was answered. */
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

/** The session; parts are only rendered in one. */
export function useSession(): Session {
  return useContext(SessionContext)!
}

/** Announces a text in the region that screen readers listen to. */
export function announce(text: string): void {
  const region = document.getElementById('status')
  if (region !== null) region.textContent = text
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

/** A call on its way, or what became of it. */
export type AnswerState<T> =
  | { readonly kind: 'loading' | 'no-key' | 'idle' }
  | { readonly kind: 'answer'; readonly data: T }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Outcome of a call, and a way to repeat it. */
interface Answering<T> {
  readonly asked: AnswerState<T>
  /** The answer; while it is on its way, the one before it. */
  readonly shown: T | undefined
  readonly again: () => void
}

type Call<T> = (client: AuthorityIndex, options: CallOptions) => AnswerPromise<T>

/**
 * Calls whenever the question or the key changes; a call on its way is then cancelled. An answer of the last minutes is
 * shown again without a call.
 * @param question what is asked, as JSON values: equal ones are one.
 */
export function useAnswer<T>(question: readonly unknown[], call: Call<T>): Answering<T> {
  const { client, seen, setBalance } = useSession()
  const name = JSON.stringify(question)
  const [round, setRound] = useState(0)
  const turn = useMemo(() => ({ kept: seen.get<T>(name) }), [client, name, round])
  const [outcome, setOutcome] = useState<{ readonly of: object; readonly asked: AnswerState<T> }>()
  const last = useRef<T | undefined>(undefined)
  // The request leaves before the page is painted.
  useLayoutEffect(() => {
    if (client === undefined || turn.kept !== undefined) return
    const connection = new AbortController()
    call(client, { signal: connection.signal })
      .withResponse()
      .then(
        ({ data, balance }) => {
          seen.keep(name, data)
          setBalance(balance ?? undefined)
          setOutcome({ of: turn, asked: { kind: 'answer', data } })
        },
        (error: unknown) => setOutcome({ of: turn, asked: { kind: 'failed', error } }),
      )
    return () => connection.abort()
  }, [turn])
  const again = useCallback(() => setRound((count) => count + 1), [])
  const asked = stateOf(client, turn, outcome)
  if (asked.kind === 'answer') last.current = asked.data
  const shown = asked.kind === 'answer' || asked.kind === 'loading' ? last.current : undefined
  return { asked, shown, again }
}

function stateOf<T>(
  client: AuthorityIndex | undefined,
  turn: { readonly kept: T | undefined },
  outcome: { readonly of: object; readonly asked: AnswerState<T> } | undefined,
): AnswerState<T> {
  if (client === undefined) return { kind: 'no-key' }
  if (turn.kept !== undefined) return { kind: 'answer', data: turn.kept }
  return outcome?.of === turn ? outcome.asked : { kind: 'loading' }
}

/** A list as far as it is there, and the way to more of it. */
export interface PagedList<T> {
  readonly items: readonly T[]
  readonly hasMore: boolean
  readonly asked: AnswerState<unknown>
  readonly more: () => void
}

/** The pages of a list behind the first; shown again with it. */
export function usePages<T, P extends Page<T>>(
  question: readonly unknown[],
  first: P,
  call: (client: AuthorityIndex, options: PageOptions) => PagePromise<T, P>,
): PagedList<T> {
  const { client, seen, setBalance } = useSession()
  const name = JSON.stringify([...question, 'pages'])
  const [pages, setPages] = useState<readonly P[]>(() => seen.get<readonly P[]>(name) ?? [first])
  const [asked, setAsked] = useState<AnswerState<unknown>>({ kind: 'idle' })
  const connection = useRef(new AbortController())
  useEffect(() => () => connection.current.abort(), [])
  const cursor = pages.at(-1)!.next_cursor ?? undefined
  const more = async () => {
    if (client === undefined || asked.kind === 'loading') return
    setAsked({ kind: 'loading' })
    const { signal } = connection.current
    try {
      const { data, balance } = await call(client, { cursor, signal }).withResponse()
      const next = [...pages, data]
      seen.keep(name, next)
      setBalance(balance ?? undefined)
      setPages(next)
      setAsked({ kind: 'answer', data })
      announce(`${itemsOf(next).length} are shown`)
    } catch (error) {
      if (!signal.aborted) setAsked({ kind: 'failed', error })
    }
  }
  return { items: itemsOf(pages), hasMore: cursor !== undefined, asked, more }
}

function itemsOf<T>(pages: readonly Page<T>[]): readonly T[] {
  return pages.flatMap(({ results }) => results)
}
