/** The frame of the page: header, the view of the place, footer; and the session they share. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addressOf, isSamePlace, type Place, type Visit, visitAt } from './model/address.ts'
import { Asking, type Exchange } from './model/asking.ts'
import { keepKey } from './model/credentials.ts'
import type { ApiQuery } from './model/requests.ts'
import { type Session, SessionContext } from './page-session.ts'
import { Footer } from './parts/frame/footer.tsx'
import { Header } from './parts/frame/header.tsx'
import { SnapshotNotice } from './parts/frame/snapshot-notice.tsx'
import { CompareView } from './views/compare-view.tsx'
import { HomeView } from './views/home-view.tsx'
import { NetworkView } from './views/network-view.tsx'
import { PersonView } from './views/person-view.tsx'
import { ReferenceView } from './views/reference-view.tsx'
import { SearchView } from './views/search-view.tsx'
import { TopicsView } from './views/topics-view.tsx'

/** Exchanges that are told of; more are not made for one place. */
const exchangesMax = 40

interface FirstKey {
  readonly key: string
  readonly isKept: boolean
}

export function App({ firstKey }: { firstKey: FirstKey }) {
  const { session, opened } = useNewSession(firstKey)
  const { place } = session.visit
  useTitle(place)
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header />
      <main id="main" tabIndex={-1} class={`main view-${place.view}`}>
        <SnapshotNotice opened={opened} />
        <View place={place} />
      </main>
      <Footer />
    </SessionContext.Provider>
  )
}

function View({ place }: { place: Place }) {
  switch (place.view) {
    case 'home':
      return <HomeView />
    case 'search':
      return <SearchView query={place.query} filters={place.filters} />
    case 'person':
      return <PersonView key={place.sdu} sdu={place.sdu} />
    case 'network':
      return <NetworkView key={place.handle} handle={place.handle} />
    case 'topics':
      return <TopicsView typed={place.typed} />
    case 'compare':
      return <CompareView sdus={place.sdus} />
    case 'reference':
      return <ReferenceView />
  }
}

/** The session, and the visit that the page was opened with or that was gone back to. */
function useNewSession(firstKey: FirstKey): { session: Session; opened: Visit } {
  const [credential, setCredential] = useState(firstKey)
  const [visit, setVisit] = useState(visitNow)
  const [opened, setOpened] = useState(visitNow)
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const [balanceUsd, setBalanceUsd] = useState<number>()
  const [snapshotId, setSnapshotId] = useState('')
  const [said, announce] = useState('')
  const asking = useMemo(() => newAsking(), [])
  useAnnouncement(said)

  const show = useCallback((next: Visit) => {
    setExchanges([])
    setVisit(next)
  }, [])
  const go = useCallback(
    (place: Place, isReplacing = false) => {
      const next = { place, snapshotId: '' }
      if (isReplacing) history.replaceState(null, '', addressOf(next))
      else history.pushState(null, '', addressOf(next))
      setOpened(next)
      show(next)
      if (!isReplacing) scrollTo(0, 0)
    },
    [show],
  )
  useEffect(() => {
    const onBack = () => {
      setOpened(visitNow())
      show(visitNow())
    }
    addEventListener('popstate', onBack)
    return () => removeEventListener('popstate', onBack)
  }, [show])

  const onExchange = useCallback((exchange: Exchange) => {
    if (exchange.balanceUsd !== undefined) setBalanceUsd(exchange.balanceUsd)
    if (exchange.snapshotId !== '') {
      setSnapshotId(exchange.snapshotId)
      nameSnapshot(exchange.snapshotId)
    }
    // What is asked while typing would hide what the place is made of.
    if (exchange.query.path.endsWith('/autocomplete')) return
    setExchanges((all) => [...all, exchange].slice(-exchangesMax))
  }, [])
  const { key } = credential
  const ask = useCallback(
    <T,>(query: ApiQuery, signal?: AbortSignal) => asking.ask<T>(query, key, onExchange, signal),
    [asking, key, onExchange],
  )
  const takeKey = useCallback((next: string, isKept: boolean) => {
    keepKey(sessionStorage, isKept ? next : '')
    setBalanceUsd(undefined)
    setCredential({ key: next, isKept })
  }, [])
  const { isKept } = credential
  const session = useMemo(
    () => ({
      key,
      isKept,
      takeKey,
      visit,
      go,
      ask,
      exchanges,
      balanceUsd,
      snapshotId,
      announce,
    }),
    [key, isKept, takeKey, visit, go, ask, exchanges, balanceUsd, snapshotId],
  )
  return { session, opened }
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
  if (place.view === 'home' || place.view === 'reference' || named === snapshotId) return
  history.replaceState(null, '', addressOf({ place, snapshotId }))
}

const titles: Readonly<Record<Place['view'], string>> = {
  home: 'Explore',
  search: 'Search',
  person: 'Profile',
  network: 'Network',
  topics: 'Topics',
  compare: 'Compare',
  reference: 'API',
}

/** Names the tab, and takes the focus to what is new, unless somebody is typing. */
function useTitle(place: Place): void {
  const shown = useRef(place)
  useEffect(() => {
    const { view } = place
    const detail =
      view === 'search' ? `${place.query} · ` : view === 'network' ? `${place.handle} · ` : ''
    document.title = `${detail}${titles[view]} · Authority Index`
    if (isSamePlace(shown.current, place)) return
    shown.current = place
    const isTyping = document.activeElement instanceof HTMLInputElement
    if (!isTyping) document.getElementById('main')?.focus({ preventScroll: true })
  }, [place])
}

/** Says a text in the region that screen readers listen to. */
function useAnnouncement(text: string): void {
  useEffect(() => {
    const region = document.getElementById('status')
    if (region !== null) region.textContent = text
  }, [text])
}
