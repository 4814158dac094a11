/** All topics, the largest first, to browse or to narrow by a typed text. */
import { useEffect, useId } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Schemas } from '../../../client/client.ts'
import { addressOf, searchFor } from '../model/address.ts'
import { askTopics } from '../model/questions.ts'
import { countText, isolated, wholeText } from '../model/wording.ts'
import { PartTrack } from '../parts/share-bars.tsx'
import { Rest, State } from '../parts/states.tsx'
import { announce, useAnswer } from '../session.tsx'

type Topic = Schemas['Topic']

export function TopicsView({ typed }: { typed: string }) {
  const { route } = useLocation()
  const text = typed.trim()
  const asked = useAnswer(['topics', text], (client, options) => askTopics(client, text, options))
  const { kind, pages, isCurrent } = asked
  const id = useId()
  useEffect(() => {
    if (kind === 'answer') announce(countText(pages.at(-1)!.results.length, 'topic', 'topics'))
  }, [kind, pages])
  return (
    <section class="content" aria-busy={!isCurrent}>
      <h1>Topics</h1>
      <label class="field" for={id}>
        <span>Find a topic</span>
        <input
          id={id}
          type="search"
          value={typed}
          autocomplete="off"
          onInput={({ currentTarget }) =>
            route(addressOf({ view: 'topics', typed: currentTarget.value }), true)
          }
        />
      </label>
      {pages.length > 0 && <Topics typed={text} topics={pages.flatMap(({ results }) => results)} />}
      <Rest of={asked} />
    </section>
  )
}

function Topics({ typed, topics }: { typed: string; topics: readonly Topic[] }) {
  const [largest] = topics
  if (largest === undefined) {
    return (
      <State title="No such topic">
        <p>No topic and no alias of one begins with these words.</p>
        <p>
          <a href={addressOf(searchFor(typed))}>Search for “{isolated(typed)}”</a>, which forgives
          slips.
        </p>
      </State>
    )
  }
  return (
    <ol class="topics">
      {topics.map((item) => (
        <TopicRow key={item.topic} item={item} most={largest.authorities} />
      ))}
    </ol>
  )
}

/** @param most how many people the largest topic has. */
function TopicRow({ item: { topic, aliases, authorities }, most }: { item: Topic; most: number }) {
  return (
    <li>
      <a href={addressOf(searchFor(topic))}>{isolated(topic)}</a>
      <span class="muted small cut">{aliases.map(isolated).join(', ')}</span>
      <PartTrack part={authorities / most} />
      <span class="number">
        {wholeText(authorities)}
        <span class="unseen"> people</span>
      </span>
    </li>
  )
}
