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
import { MoreButton, State, Trouble } from '../parts/states.tsx'
import { announce, useAnswer, useIsWide, usePages } from '../session.tsx'

interface Props {
  readonly query: string
  readonly filters: ListFilters
}

export function SearchView({ query, filters }: Props) {
  const { route } = useLocation()
  const question = ['search', query, filters]
  const { asked, shown, again } = useAnswer(question, (client, options) =>
    askSearch(client, query, filters, options),
  )
  const answer = asked.kind === 'answer' ? asked.data : undefined
  useEffect(() => {
    if (answer !== undefined) announce(foundText(answer))
  }, [answer])
  const onChange = (next: ListFilters) => route(addressOf({ view: 'search', query, filters: next }))
  const isWide = useIsWide(64)
  const set = setCount(filters)
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
            // What is shown meanwhile is the list of another search.
            key={`${JSON.stringify(question)} ${asked.kind}`}
            {...{ query, filters, onChange }}
            answer={shown}
            isCurrent={answer !== undefined}
          />
        )}
      </section>
      {isWide && filterPanel !== null && (
        <aside id="filters" tabIndex={-1} class="aside" aria-label="Filters">
          {filterPanel}
        </aside>
      )}
    </div>
  )
}

function foundText({ total = 0 }: PeoplePage): string {
  return total === 0 ? 'Nobody was found' : `${countText(total, 'person', 'people')} found`
}

interface FoundProps extends Props {
  readonly answer: PeoplePage
  /** Whether it is the answer to this query, and not an earlier one that is shown meanwhile. */
  readonly isCurrent: boolean
  readonly onChange: (filters: ListFilters) => void
}

function Found({ query, filters, answer, isCurrent, onChange }: FoundProps) {
  const pages = usePages(['search', query, filters], answer, (client, options) =>
    askSearch(client, query, filters, options),
  )
  const people = pages.items
  const { total = people.length } = answer
  const isFiltered = setCount(filters) > 0
  return (
    <>
      {answer.query !== undefined && <Understood query={query} understanding={answer.query} />}
      <SetFilters filters={filters} onChange={onChange} />
      {people.length === 0 ? (
        <Nobody query={query} isFiltered={isFiltered} suggestions={answer.query?.suggestions} />
      ) : (
        <PeopleList {...{ people, total, isFiltered }} topic={sharedTopic(people)} />
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
        <a href={addressOf(searchFor(exact))}>Search only for {isolated(exact)}</a>
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
