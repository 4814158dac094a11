/** The frame of the page: header, the view of the place, footer. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isSamePlace, type Place } from './model/address.ts'
import { useSession } from './page-session.ts'
import { Footer } from './parts/frame/footer.tsx'
import { PageHeader } from './parts/frame/header.tsx'
import { KeyNotice } from './parts/frame/key-notice.tsx'
import { SnapshotNotice } from './parts/frame/snapshot-notice.tsx'
import { HomeView } from './views/home-view.tsx'
import { NetworkView } from './views/network-view.tsx'
import { PersonView } from './views/person-view.tsx'
import { ReferenceView } from './views/reference-view.tsx'
import { SearchView } from './views/search-view.tsx'
import { TopicsView } from './views/topics-view.tsx'

export function App() {
  const { visit, round } = useSession()
  const { place } = visit
  useTitle(place)
  useFocus(place)
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <PageHeader />
      <main id="main" tabIndex={-1} class={`main view-${place.view}`}>
        <KeyNotice />
        <SnapshotNotice />
        <View key={round} place={place} />
      </main>
      <Footer />
    </>
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
    case 'reference':
      return <ReferenceView />
  }
}

const titles: Readonly<Record<Place['view'], string>> = {
  home: 'Explore',
  search: 'Search',
  person: 'Profile',
  network: 'Network',
  topics: 'Topics',
  reference: 'API',
}

/** Names the tab; a view that knows better says so later. */
function useTitle(place: Place): void {
  useLayoutEffect(() => {
    const { view } = place
    const detail =
      view === 'search' ? `${place.query} · ` : view === 'network' ? `${place.handle} · ` : ''
    document.title = `${detail}${titles[view]} · Authority Index`
  }, [place])
}

/** Moves the focus to the main part at each new place, unless it is in a field. */
function useFocus(place: Place): void {
  const shown = useRef(place)
  useEffect(() => {
    if (isSamePlace(shown.current, place)) return
    shown.current = place
    const isTyping = document.activeElement instanceof HTMLInputElement
    if (!isTyping) document.getElementById('main')?.focus({ preventScroll: true })
  }, [place])
}
