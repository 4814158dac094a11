/** All topics, the largest first, to be browsed or thinned out by what is typed. */
import { useEffect, useId, useState } from 'preact/hooks'
import { noFilters } from '../model/address.ts'
import type { Envelope, TopicItem } from '../model/answers.ts'
import { topicsQuery } from '../model/requests.ts'
import { countText, wholeText } from '../model/wording.ts'
import { type Asked, useAnswer, useSession } from '../page-session.ts'
import { PlaceLink } from '../parts/place-link.tsx'
import { RequestPanel } from '../parts/request-panel.tsx'
import { State, Trouble } from '../parts/states.tsx'

export function TopicsView({ typed }: { typed: string }) {
  const { go } = useSession()
  const { asked, before, again } = useAnswer<Envelope<TopicItem>>(topicsQuery(typed.trim(), ''))
  const shown = asked.kind === 'answer' ? asked.json : asked.kind === 'loading' ? before : undefined
  const id = useId()
  return (
    <div class="with-aside">
      <section class="content" aria-busy={asked.kind === 'loading'}>
        <h1>Topics</h1>
        <label class="field" for={id}>
          <span>Find a topic</span>
          <input
            id={id}
            type="search"
            value={typed}
            autocomplete="off"
            onInput={({ currentTarget }) =>
              go({ view: 'topics', typed: currentTarget.value }, true)
            }
          />
        </label>
        {shown === undefined ? (
          <Trouble asked={asked} again={again} />
        ) : (
          <TopicPages key={typed.trim()} typed={typed.trim()} first={shown} />
        )}
      </section>
      <aside class="aside" aria-label="Request">
        <RequestPanel />
      </aside>
    </div>
  )
}

function TopicPages({ typed, first }: { typed: string; first: Envelope<TopicItem> }) {
  const { ask, announce } = useSession()
  const [rest, setRest] = useState<readonly Envelope<TopicItem>[]>([])
  const [more, setMore] = useState<Asked<Envelope<TopicItem>>>({ kind: 'cancelled' })
  const topics = [first, ...rest].flatMap(({ results }) => results)
  const next = (rest.at(-1) ?? first).next_cursor ?? null
  const showMore = async () => {
    if (next === null) return
    setMore({ kind: 'loading' })
    const outcome = await ask<Envelope<TopicItem>>(topicsQuery(typed, next))
    setMore(outcome)
    if (outcome.kind === 'answer') setRest([...rest, outcome.json])
  }
  useEffect(() => announce(countText(topics.length, 'topic', 'topics')), [topics.length, announce])
  if (topics.length === 0) {
    return (
      <State title="No such topic">
        <p>No topic and no alias of one begins with these words.</p>
      </State>
    )
  }
  const most = topics[0]!.authorities
  return (
    <>
      <ol class="topics">
        {topics.map(({ topic, aliases, authorities }) => (
          <li key={topic}>
            <PlaceLink to={{ view: 'search', query: topic, filters: noFilters }}>{topic}</PlaceLink>
            <span class="aliases muted small">{aliases.join(', ')}</span>
            <span class="facet-track" aria-hidden="true">
              <span class="facet-fill" style={{ width: `${(authorities / most) * 100}%` }} />
            </span>
            <span class="number">
              {wholeText(authorities)}
              <span class="unseen"> people</span>
            </span>
          </li>
        ))}
      </ol>
      {next !== null && more.kind !== 'loading' && (
        <button type="button" class="more" onClick={showMore}>
          Show more
        </button>
      )}
      {more.kind !== 'answer' && <Trouble asked={more} again={showMore} />}
    </>
  )
}
