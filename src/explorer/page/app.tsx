/** The frame of the page: header, the view of the place, footer. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { contacts } from './contacts.ts'
import { type Place, placeAt } from './model/address.ts'
import { PageHeader } from './parts/header.tsx'
import { HomeView } from './views/home-view.tsx'
import { NetworkView } from './views/network-view.tsx'
import { PersonView } from './views/person-view.tsx'
import { SearchView } from './views/search-view.tsx'
import { TopicsView } from './views/topics-view.tsx'

export function App() {
  const { url } = useLocation()
  const place = placeAt(url)
  useLayoutEffect(() => {
    document.title = `${titleOf(place)} · Authority Index`
  }, [url])
  useFocus(url)
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <PageHeader place={place} />
      <main id="main" tabIndex={-1} class={`main view-${place.view}`}>
        <View place={place} />
      </main>
      <footer class="foot muted small">
        {contacts().map(({ name, address, target }) => (
          <span key={name}>
            {name}: <a href={target}>{address}</a>
          </span>
        ))}
        <a href="/openapi.json">OpenAPI</a>
      </footer>
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
  }
}

/** The name of the tab; a view that knows better says so later. */
function titleOf(place: Place): string {
  switch (place.view) {
    case 'home':
      return 'Explore'
    case 'search':
      return `${place.query} · Search`
    case 'person':
      return 'Profile'
    case 'network':
      return `${place.handle} · Network`
    case 'topics':
      return 'Topics'
  }
}

/** Begins each new place at its top, with the focus on its main part, unless the person types. */
function useFocus(url: string): void {
  const shown = useRef(url)
  const { wasPush } = useLocation() as { wasPush?: boolean }
  useEffect(() => {
    if (shown.current === url) return
    shown.current = url
    if (document.activeElement instanceof HTMLInputElement) return
    if (wasPush === true) scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [url])
}
