/**
 * Creates the session: holds the key, the visit and the facts of answers. A change renders only the parts
 * that read it.
 */
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addressOf, isSamePlace, type Place, type Visit, visitAt } from './model/address.ts'
import { Asking, type Exchange } from './model/asking.ts'
import { keepKey, keyInFragment } from './model/credentials.ts'
import type { ApiQuery } from './model/requests.ts'
import { emptyLog, isOfPlace, logged, toldBeside } from './model/session-log.ts'
import { SessionContext, ToldContext } from './page-session.ts'

/** A key, and whether the tab keeps it. */
export interface Credential {
  readonly key: string
  readonly isKept: boolean
}

interface Props {
  readonly firstKey: Credential
  readonly children: ComponentChildren
}

export function SessionProvider({ firstKey, children }: Props) {
  const [credential, setCredential] = useState(firstKey)
  const [told, setTold] = useState(emptyLog)
  const { key } = credential
  const visits = useRef(0)
  const leave = useCallback(() => {
    visits.current += 1
    setTold((before) => ({ ...before, exchanges: [] }))
  }, [])
  /** What was asked for a place that was left meanwhile is no part of the one that is shown. */
  const tell = useCallback((exchange: Exchange, visit: number) => {
    if (visit !== visits.current) return setTold((before) => toldBeside(before, exchange))
    if (isOfPlace(exchange)) nameSnapshot(exchange.snapshotId)
    setTold((before) => logged(before, exchange))
  }, [])
  const takeKey = useCallback((next: string, isKept: boolean) => {
    keepKey(sessionStorage, isKept ? next : '')
    setTold((before) => ({ ...before, balanceUsd: undefined }))
    setCredential({ key: next, isKept })
  }, [])
  useKeyInAddress(takeKey)
  const shown = useVisit(leave)
  const asking = useMemo(newAsking, [])
  const ask = useCallback(
    <T,>(query: ApiQuery, signal?: AbortSignal) => {
      const visit = visits.current
      return asking.ask<T>(query, key, (exchange) => tell(exchange, visit), signal)
    },
    [asking, key, tell],
  )
  const seen = useCallback(<T,>(query: ApiQuery) => asking.seen<T>(query, key), [asking, key])
  const session = useMemo(
    () => ({ ...credential, ...shown, takeKey, ask, seen, announce }),
    [credential, shown, takeKey, ask, seen],
  )
  return (
    <SessionContext.Provider value={session}>
      <ToldContext.Provider value={told}>{children}</ToldContext.Provider>
    </SessionContext.Provider>
  )
}

/** The key in the fragment of the address, which is taken out at once; '' where there is none. */
export function takenFromAddress(): string {
  const key = keyInFragment(location.hash)
  // So that the key is in no bookmark and in nothing that is shared.
  if (key !== '') history.replaceState(history.state, '', location.pathname + location.search)
  return key
}

/** Takes a key that is put into the address of the open page. */
function useKeyInAddress(takeKey: (key: string, isKept: boolean) => void): void {
  useEffect(() => {
    const onFragment = () => {
      const key = takenFromAddress()
      if (key !== '') takeKey(key, false)
    }
    addEventListener('hashchange', onFragment)
    return () => removeEventListener('hashchange', onFragment)
  }, [takeKey])
}

/** The visit that is shown, and the way to others; `leave` is called before each. */
function useVisit(leave: () => void) {
  const [shown, setShown] = useState(() => ({ visit: visitNow(), round: 0 }))
  const show = useCallback(
    (visit: Visit) => {
      leave()
      setShown(({ round }) => ({ visit, round }))
    },
    [leave],
  )
  const go = useCallback(
    (place: Place, isReplacing = false) => {
      const visit = { place, snapshotId: '' }
      if (isSamePlace(place, visitNow().place)) {
        leave()
        return setShown(({ round }) => ({ visit, round: round + 1 }))
      }
      if (isReplacing) history.replaceState(null, '', addressOf(visit))
      else history.pushState(null, '', addressOf(visit))
      show(visit)
      if (!isReplacing) scrollTo(0, 0)
    },
    [leave, show],
  )
  const { place } = shown.visit
  useEffect(() => {
    const onBack = () => {
      const visit = visitNow()
      // A step within a page is none to another.
      if (!isSamePlace(visit.place, place)) show(visit)
    }
    addEventListener('popstate', onBack)
    return () => removeEventListener('popstate', onBack)
  }, [show, place])
  return useMemo(() => ({ ...shown, go }), [shown, go])
}

function newAsking(): Asking {
  return new Asking({
    fetch: (target, init) => fetch(target, init),
    clock: () => performance.now(),
  })
}

function visitNow(): Visit {
  return visitAt(location.pathname, location.search)
}

/** Writes the snapshot that answered into the address, which is then what may be shared. */
function nameSnapshot(snapshotId: string): void {
  const { place, snapshotId: named } = visitNow()
  const isUnnamed = place.view === 'home' || place.view === 'reference'
  if (isUnnamed || snapshotId === '' || named === snapshotId) return
  history.replaceState(history.state, '', addressOf({ place, snapshotId }))
}

/** Says a text in the region that screen readers listen to. */
function announce(text: string): void {
  const region = document.getElementById('status')
  if (region !== null) region.textContent = text
}
