/**
 * Creates the session: holds the key, the visit and the facts of answers. A change renders only the parts
 * that read it.
 */
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useKeySession } from './key-session.ts'
import { addressOf, isSamePlace, type Place, type Visit, visitAt } from './model/address.ts'
import { Asking, type Exchange } from './model/asking.ts'
import type { ApiQuery } from './model/requests.ts'
import { emptyLog, isOfPlace, logged, toldBeside } from './model/session-log.ts'
import { SessionContext, ToldContext } from './page-session.ts'

interface Props {
  readonly children: ComponentChildren
}

export function SessionProvider({ children }: Props) {
  const keys = useKeySession()
  const { key } = keys
  const [told, setTold] = useState(emptyLog)
  const visits = useRef(0)
  const leave = useCallback(() => {
    visits.current += 1
    setTold((before) => ({ ...before, exchanges: [] }))
  }, [])
  /** Logs an exchange. One that belongs to a place left meanwhile is no part of the shown place. */
  const tell = useCallback((exchange: Exchange, visit: number) => {
    if (visit !== visits.current) return setTold((before) => toldBeside(before, exchange))
    if (isOfPlace(exchange)) nameSnapshot(exchange.snapshotId)
    setTold((before) => logged(before, exchange))
  }, [])
  // Another account has another balance.
  useEffect(() => setTold((before) => ({ ...before, balanceUsd: undefined })), [key])
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
    () => ({ ...keys, ...shown, ask, seen, announce }),
    [keys.key, keys.place, keys.link, shown, ask, seen],
  )
  return (
    <SessionContext.Provider value={session}>
      <ToldContext.Provider value={told}>{children}</ToldContext.Provider>
    </SessionContext.Provider>
  )
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
      else {
        history.replaceState({ ...history.state, scrolled: scrollY }, '')
        history.pushState(null, '', addressOf(visit))
      }
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
      if (isSamePlace(visit.place, place)) return
      show(visit)
      const { scrolled } = (history.state ?? {}) as { readonly scrolled?: number }
      // Scrolls once the earlier contents are there again.
      requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, scrolled ?? 0)))
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

/** Writes the snapshot that answered into the address, so that the address can be shared. */
function nameSnapshot(snapshotId: string): void {
  const { place, snapshotId: named } = visitNow()
  const isUnnamed = ['home', 'reference'].includes(place.view)
  if (isUnnamed || snapshotId === '' || named === snapshotId) return
  history.replaceState(history.state, '', addressOf({ place, snapshotId }))
}

/** Says a text in the region that screen readers listen to. */
function announce(text: string): void {
  const region = document.getElementById('status')
  if (region !== null) region.textContent = text
}
