/**
 * The state of the operator's page: the admin key, who it is, the place, and the change that is open. The key is in
 * memory, or in the storage of the tab until the tab is closed; it comes from the form only, never from an address.
 */
import { createContext } from 'preact'
import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'preact/hooks'
import { type AdminCaller, type AdminOutcome, readAdmin } from './model/admin-asking.ts'
import { type OperatorPlace, operatorAddressOf, operatorPlaceAt } from './model/place.ts'

/** State and actions that all parts of the page read. */
interface Operator {
  readonly key: string
  readonly who: AdminCaller
  readonly place: OperatorPlace
  /** Number of changes made; after each one the page requests its data again. */
  readonly round: number
  /** Whether the last address held a key, which is not taken. */
  readonly hadKeyInAddress: boolean
  readonly takeKey: (key: string, keeps: boolean) => void
  readonly go: (place: OperatorPlace, isReplacing?: boolean) => void
  readonly changed: () => void
  readonly read: <T>(target: string) => Promise<AdminOutcome<T>>
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void
}

export const OperatorContext = createContext<Operator | undefined>(undefined)

/** The session; parts are only rendered in one. */
export function useOperator(): Operator {
  const operator = useContext(OperatorContext)
  if (operator === undefined) throw new Error('rendered outside of a session')
  return operator
}

const keyName = 'authority-index-admin-key'
const nobodyYet: AdminCaller = { keyId: '', scopes: [] }

/** The storage of the tab; undefined if it is denied. */
export function tabStorage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

/** Makes the session. */
export function useNewOperator(): Operator {
  const [key, setKey] = useState(() => tabStorage()?.getItem(keyName) ?? '')
  const [who, setWho] = useState(nobodyYet)
  const [round, setRound] = useState(0)
  const hadKeyInAddress = useKeyInAddress()
  const { place, go } = usePlace()
  const takeKey = useCallback((next: string, keeps: boolean) => {
    try {
      if (next === '' || !keeps) tabStorage()?.removeItem(keyName)
      else tabStorage()?.setItem(keyName, next)
    } catch {
      // It stays in memory.
    }
    setWho(nobodyYet)
    setKey(next)
  }, [])
  const read = useCallback(
    async <T>(target: string) => {
      const outcome = await readAdmin<T>((to, init) => fetch(to, init), key, target)
      if (outcome.kind !== 'unreachable') {
        setWho((before) => (isSame(before, outcome.who) ? before : outcome.who))
      }
      return outcome
    },
    [key],
  )
  const changed = useCallback(() => setRound((count) => count + 1), [])
  return useMemo(
    () => ({ key, who, place, round, hadKeyInAddress, takeKey, go, changed, read, announce }),
    [key, who, place, round, hadKeyInAddress, takeKey, go, changed, read],
  )
}

function isSame(one: AdminCaller, other: AdminCaller): boolean {
  return one.keyId === other.keyId && one.scopes.join() === other.scopes.join()
}

/** A key in the fragment is in the history of the browser: it is taken out and not used. */
function useKeyInAddress(): boolean {
  const [had, setHad] = useState(false)
  useLayoutEffect(() => {
    const look = () => {
      if (!/aik_/i.test(location.href)) return
      history.replaceState(null, '', '/')
      setHad(true)
    }
    look()
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  return had
}

function usePlace() {
  const [place, setPlace] = useState(() => operatorPlaceAt(location.search))
  const go = useCallback((next: OperatorPlace, isReplacing = false) => {
    if (isReplacing) history.replaceState(null, '', operatorAddressOf(next))
    else history.pushState(null, '', operatorAddressOf(next))
    setPlace(next)
    if (!isReplacing) scrollTo(0, 0)
  }, [])
  useEffect(() => {
    const onBack = () => setPlace(operatorPlaceAt(location.search))
    addEventListener('popstate', onBack)
    return () => removeEventListener('popstate', onBack)
  }, [])
  return { place, go }
}

function announce(text: string): void {
  const region = document.getElementById('status')
  if (region !== null) region.textContent = text
}

/** State of a read; the outcome is undefined while the request is on its way. */
export interface AskedAdmin<T> {
  readonly outcome: AdminOutcome<T> | undefined
  /** The answer; while a newer one is on its way, the one before it. */
  readonly shown: T | undefined
  readonly again: () => void
}

/** Asks, and asks anew after each change. */
export function useRead<T>(target: string): AskedAdmin<T> {
  const { read, round } = useOperator()
  const [found, setFound] = useState<{ target: string; outcome: AdminOutcome<T> }>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isOver = false
    void read<T>(target).then((outcome) => {
      if (!isOver) setFound({ target, outcome })
    })
    return () => {
      isOver = true
    }
  }, [read, target, round, tries])
  const again = useCallback(() => setTries((count) => count + 1), [])
  const outcome = found?.target === target ? found.outcome : undefined
  return { outcome, shown: outcome?.kind === 'answer' ? outcome.json : undefined, again }
}

/** The items of a list, page by page. */
interface AskedPages<T> extends AskedAdmin<{ readonly results: readonly T[] }> {
  readonly items: readonly T[]
  /** Asks for the next page; undefined on the last. */
  readonly more: (() => void) | undefined
}

interface ListPage<T> {
  readonly results: readonly T[]
  readonly next_cursor?: string | null
}

/** @param target with the parameters of the list, of which it has one at least. */
export function usePagesOf<T>(target: string): AskedPages<T> {
  const { read, round } = useOperator()
  const first = useRead<ListPage<T>>(target)
  const [rest, setRest] = useState<{ of: unknown; pages: readonly ListPage<T>[] }>()
  const pages = rest?.of === first.shown ? (rest?.pages ?? []) : []
  const items = [...(first.shown?.results ?? []), ...pages.flatMap(({ results }) => results)]
  const last = pages.at(-1) ?? first.shown
  const cursor = last?.next_cursor ?? null
  const more = useCallback(async () => {
    const outcome = await read<ListPage<T>>(`${target}&cursor=${encodeURIComponent(cursor ?? '')}`)
    if (outcome.kind === 'answer') setRest({ of: first.shown, pages: [...pages, outcome.json] })
  }, [read, target, cursor, round, first.shown, rest])
  return { ...first, items, more: cursor === null ? undefined : () => void more() }
}
