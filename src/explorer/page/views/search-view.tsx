/** The page of a search: how the text was understood, the people, and the filters that narrow the list. */
import { useEffect } from 'preact/hooks'
import { filterPairs, type ListFilters, searchFor } from '../model/address.ts'
import type { SearchAnswer, Understanding } from '../model/answers.ts'
import { sharedTopic } from '../model/people/people-rows.ts'
import { searchQuery } from '../model/requests.ts'
import { countText, exactQuery, isolated, understandingWords } from '../model/wording.ts'
import { useAnswer, useIsWide, useSession } from '../page-session.ts'
import { FilterPanel, SetFilters } from '../parts/fields/filter-panel.tsx'
import { MoreButton, usePages } from '../parts/pages.tsx'
import { Near } from '../parts/people/near.tsx'
import { SortedPart } from '../parts/people/sorted-part.tsx'
import { PeopleList } from '../parts/people-list.tsx'
import { PlaceLink } from '../parts/place-link.tsx'
import { RequestPanel } from '../parts/request-panel.tsx'
import { State, Trouble } from '../parts/states.tsx'

interface Props {
  readonly query: string
  readonly filters: ListFilters
}

/** The page. Its list is another one (`key`) for each search, so that nothing of the search before stays. */
export function SearchView({ query, filters }: Props) {
  const { go, announce } = useSession()
  const { asked, shown, again } = useAnswer<SearchAnswer>(searchQuery(query, filters))
  const answer = asked.kind === 'answer' ? asked.json : undefined
  useEffect(() => {
    if (answer !== undefined) announce(foundText(answer))
  }, [answer, announce])
  const onChange = (next: ListFilters) => go({ view: 'search', query, filters: next })
  const isWide = useIsWide(64)
  const set = filterPairs(filters).length
  const filterPanel =
    shown?.facets === undefined || (shown.total === 0 && set === 0) ? null : (
      <FilterPanel filters={filters} facets={shown.facets} onChange={onChange} />
    )
  return (
    <div class="with-aside">
      <section class="content" aria-busy={asked.kind === 'loading'}>
        <h1 class="unseen">Search: {query}</h1>
        {isWide && filterPanel !== null && (
          <a class="skip" href="#filters">
            Skip to the filters
          </a>
        )}
        {!isWide && filterPanel !== null && (
          <details class="filter-menu">
            <summary class="button">Filters{set > 0 && ` (${set})`}</summary>
            {filterPanel}
          </details>
        )}
        {shown === undefined ? (
          <Trouble asked={asked} again={again} />
        ) : (
          <Found
            key={searchKey(query, filters)}
            {...{ query, filters, onChange }}
            answer={shown}
            isCurrent={answer !== undefined}
          />
        )}
      </section>
      <aside id="filters" tabIndex={-1} class="aside" aria-label="Filters and request">
        {isWide && filterPanel}
        <RequestPanel />
      </aside>
    </div>
  )
}

function searchKey(query: string, filters: ListFilters): string {
  return JSON.stringify([query, filterPairs(filters)])
}

function foundText({ total = 0 }: SearchAnswer): string {
  return total === 0 ? 'Nobody was found' : `${countText(total, 'person', 'people')} found`
}

interface FoundProps extends Props {
  readonly answer: SearchAnswer
  /** Whether it is the answer to this query, and not an earlier one that is shown meanwhile. */
  readonly isCurrent: boolean
  readonly onChange: (filters: ListFilters) => void
}

function Found({ query, filters, answer, isCurrent, onChange }: FoundProps) {
  const pages = usePages(answer, (cursor, size) => searchQuery(query, filters, cursor, size))
  const people = pages.items
  const { total = people.length } = answer
  const areFiltered = filterPairs(filters).length > 0
  return (
    <>
      {answer.query !== undefined && <Understood query={query} understanding={answer.query} />}
      <SetFilters filters={filters} onChange={onChange} />
      {people.length === 0 ? (
        <Nobody query={query} areFiltered={areFiltered} suggestions={answer.query?.suggestions} />
      ) : (
        <PeopleList
          people={people}
          total={total}
          topic={sharedTopic(people)}
          isFiltered={areFiltered}
          sortedPart={isCurrent && <SortedPart pages={pages} total={total} />}
        />
      )}
      {isCurrent && <MoreButton pages={pages} />}
    </>
  )
}

/** The interpretation of the text, and a link that searches for exactly the typed text. */
function Understood({ query, understanding }: { query: string; understanding: Understanding }) {
  const exact = exactQuery(query, understanding)
  if (understanding.way === 'nobody') return null
  return (
    <p class="understood">
      {understandingWords(understanding).map(({ text, isFound }) =>
        isFound ? <strong key={text}>{isolated(text)}</strong> : text,
      )}{' '}
      {exact !== undefined && (
        <PlaceLink to={searchFor(exact)}>Search only for {isolated(exact)}</PlaceLink>
      )}
    </p>
  )
}

/** Links that search for other texts instead. */
function Suggested({ texts, of }: { texts: readonly string[]; of: string }) {
  if (texts.length === 0) return null
  return (
    <p>
      {of}:{' '}
      {texts.map((text, index) => (
        <span key={text}>
          {index > 0 && ', '}
          <PlaceLink to={searchFor(text)}>{isolated(text)}</PlaceLink>
        </span>
      ))}
    </p>
  )
}

interface NobodyProps {
  readonly query: string
  readonly areFiltered: boolean
  readonly suggestions: Understanding['suggestions']
}

function Nobody({ query, areFiltered, suggestions }: NobodyProps) {
  const { topics = [], names = [] } = suggestions ?? {}
  return (
    <State title="Nobody was found">
      {areFiltered ? (
        <p>
          Nobody of those who match passes the filters.{' '}
          <PlaceLink to={searchFor(query)}>Search without them</PlaceLink>
        </p>
      ) : (
        <>
          <p>
            Nobody holds these words, and no topic is near them. Nobody is a better answer than a
            stranger.
          </p>
          <Suggested texts={topics} of="Topics that are near" />
          <Suggested texts={names} of="Names that are near" />
          {topics.length + names.length === 0 && <Near typed={query} />}
          <p>
            Try fewer words, another spelling, or{' '}
            <PlaceLink to={{ view: 'topics', typed: '' }}>the topics</PlaceLink>.
          </p>
        </>
      )}
    </State>
  )
}
