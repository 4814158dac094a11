/**
 * The header of every view: the name, the field to search with, where one can go, and the account; on phones in three
 * rows.
 */
import { addressOf, type Place } from '../model/address.ts'
import { AccountPanel } from './account.tsx'
import { SearchField } from './search-field.tsx'

const entries = [
  { text: 'Explore', view: 'home', address: '/' },
  { text: 'Topics', view: 'topics', address: addressOf({ view: 'topics', typed: '' }) },
  { text: 'API', view: 'docs', address: '/docs' },
] as const

export function PageHeader({ place }: { place: Place }) {
  // The first view has a larger one.
  const hasField = place.view !== 'home'
  return (
    <header class={`bar ${hasField ? 'has-field' : ''}`}>
      <a href="/" class="brand">
        <Mark />
        <span>Authority Index</span>
      </a>
      {hasField && <SearchField typed={place.view === 'search' ? place.query : ''} />}
      <nav aria-label="Views" class="views">
        {entries.map(({ text, view, address }) => (
          <a key={text} href={address} aria-current={view === place.view ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
      <AccountPanel place={place} />
      <div id="status" role="status" class="unseen" />
    </header>
  )
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect class="mark-ground" width="32" height="32" rx="7" />
      <rect class="mark-bar" x="7" y="7.5" width="18" height="4" rx="2" />
      <rect class="mark-bar" x="7" y="14" width="12" height="4" rx="2" opacity=".8" />
      <rect class="mark-bar" x="7" y="20.5" width="7" height="4" rx="2" opacity=".6" />
    </svg>
  )
}
