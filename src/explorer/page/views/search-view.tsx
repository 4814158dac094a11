/** The page of a search: how the text was understood, the people, and the filters that narrow the list. */
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { addressOf, type ListFilters, searchFor, setCount } from '../model/address.ts'
import { sharedTopic } from '../model/people/people-rows.ts'
import { askSearch, type PeoplePage } from '../model/questions.ts'
import {
  countText,
  exactQuery,
  isolated,
  type Understanding,
  understandingWords,
} from '../model/wording.ts'
import { FilterPanel, SetFilters } from '../parts/filter-panel.tsx'
import { PeopleList } from '../parts/people-list.tsx'
import { Rest, State } from '../parts/states.tsx'
import { announce, useAnswer } from '../session.tsx'

interface Props {
  readonly query: string
  readonly filters: ListFilters
}

export function SearchView({ query, filters }: Props) {
  const { route } = useLocation()
  const asked = useAnswer(['search', query, filters], (client, options) =>
    askSearch(client, query, filters, options),
  )
  const { pages, isCurrent } = asked
  const [first] = pages
  useEffect(() => {
    if (first !== undefined && isCurrent) announce(foundText(first))
  }, [first, isCurrent])
  const onChange = (next: ListFilters) => route(addressOf({ view: 'search', query, filters: next }))
  const set = setCount(filters)
  const hasFilters = first?.facets !== undefined && (first.total !== 0 || set > 0)
  return (
    <div class="with-aside">
      {hasFilters && (
        <aside class="aside" aria-label="Filters">
          <a class="skip" href="#people">
            Skip to the people
          </a>
          <details open={hasRoom}>
            <summary class="button">Filters{set > 0 && ` (${set})`}</summary>
            <FilterPanel filters={filters} facets={first.facets!} onChange={onChange} />
          </details>
        </aside>
      )}
      <section id="people" tabIndex={-1} class="content" aria-busy={!isCurrent}>
        <h1 class="unseen">Search: {query}</h1>
        {first !== undefined && <Found {...{ query, filters, pages, onChange }} />}
        <Rest of={asked} />
      </section>
    </div>
  )
}

/** Whether filters have room beside the people; else they are folded at first. */
const hasRoom = matchMedia('(min-width: 64rem)').matches

function foundText({ total = 0 }: PeoplePage): string {
  return total === 0 ? 'Nobody was found' : `${countText(total, 'person', 'people')} found`
}

interface FoundProps extends Props {
  readonly pages: readonly PeoplePage[]
  readonly onChange: (filters: ListFilters) => void
}

function Found({ query, filters, pages, onChange }: FoundProps) {
  const { query: understanding, total } = pages[0]!
  const people = pages.flatMap(({ results }) => results)
  return (
    <>
      {understanding !== undefined && <Understood query={query} understanding={understanding} />}
      <SetFilters filters={filters} onChange={onChange} />
      {people.length === 0 ? (
        <Nobody
          query={query}
          isFiltered={setCount(filters) > 0}
          suggestions={understanding?.suggestions}
        />
      ) : (
        <PeopleList people={people} total={total ?? people.length} topic={sharedTopic(people)} />
      )}
    </>
  )
}

function Understood({ query, understanding }: { query: string; understanding: Understanding }) {
  const exact = exactQuery(query, understanding)
  if (understanding.way === 'nobody') return null
  return (
    <p class="understood">
      {understandingWords(understanding).map(({ text, isFound }) =>
        isFound ? <strong key={text}>{isolated(text)}</strong> : text,
      )}{' '}
      {exact !== undefined && (
        <a href={addressOf(searchFor(exact))}>Search only for {isolated(exact)}</a>
      )}
    </p>
  )
}

function Suggested({ texts, of }: { texts: readonly string[]; of: string }) {
  if (texts.length === 0) return null
  return (
    <p>
      {of}:{' '}
      {texts.map((text, index) => (
        <span key={text}>
          {index > 0 && ', '}
          <a href={addressOf(searchFor(text))}>{isolated(text)}</a>
        </span>
      ))}
    </p>
  )
}

interface NobodyProps {
  readonly query: string
  readonly isFiltered: boolean
  readonly suggestions: Understanding['suggestions']
}

function Nobody({ query, isFiltered, suggestions }: NobodyProps) {
  const { topics = [], names = [] } = suggestions ?? {}
  return (
    <State title="Nobody was found">
      {isFiltered ? (
        <p>
          Nobody of those who match passes the filters.{' '}
          <a href={addressOf(searchFor(query))}>Search without them</a>
        </p>
      ) : (
        <>
          <p>No person has these words, and no topic is near them.</p>
          <Suggested texts={topics} of="Topics that are near" />
          <Suggested texts={names} of="Names that are near" />
          <p>
            Try fewer words, another spelling, or{' '}
            <a href={addressOf({ view: 'topics', typed: '' })}>the topics</a>.
          </p>
        </>
      )}
    </State>
  )
}
