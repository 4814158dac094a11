/** All topics, the largest first, to browse or to narrow by a typed text. */
import { useEffect, useId } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Page, Schemas } from '../../../client/client.ts'
import { addressOf, searchFor } from '../model/address.ts'
import { askTopics } from '../model/questions.ts'
import { countText, isolated, wholeText } from '../model/wording.ts'
import { PartTrack } from '../parts/share-bars.tsx'
import { MoreButton, State, Trouble } from '../parts/states.tsx'
import { announce, useAnswer, usePages } from '../session.tsx'

type Topic = Schemas['Topic']

export function TopicsView({ typed }: { typed: string }) {
  const { route } = useLocation()
  const text = typed.trim()
  const { asked, shown, again } = useAnswer(['topics', text], (client, options) =>
    askTopics(client, text, options),
  )
  const id = useId()
  return (
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
            route(addressOf({ view: 'topics', typed: currentTarget.value }), true)
          }
        />
      </label>
      {shown === undefined ? (
        <Trouble asked={asked} again={again} />
      ) : (
        <TopicPages
          // What is shown meanwhile is the list of another text.
          key={`${text} ${asked.kind}`}
          typed={text}
          first={shown}
          isCurrent={asked.kind === 'answer'}
        />
      )}
    </section>
  )
}

interface PagesProps {
  readonly typed: string
  readonly first: Page<Topic>
  /** Whether it is the list of this text, and not an earlier one that is shown meanwhile. */
  readonly isCurrent: boolean
}

function TopicPages({ typed, first, isCurrent }: PagesProps) {
  const pages = usePages(['topics', typed], first, (client, options) =>
    askTopics(client, typed, options),
  )
  const [largest] = pages.items
  useEffect(() => announce(countText(first.results.length, 'topic', 'topics')), [first])
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
    <>
      <ol class="topics">
        {pages.items.map((item) => (
          <TopicRow key={item.topic} item={item} most={largest.authorities} />
        ))}
      </ol>
      {isCurrent && <MoreButton pages={pages} />}
    </>
  )
}

/** @param most how many people the largest topic has. */
function TopicRow({ item: { topic, aliases, authorities }, most }: { item: Topic; most: number }) {
  return (
    <li>
      <a href={addressOf(searchFor(topic))}>{isolated(topic)}</a>
      <span class="aliases muted small">{aliases.map(isolated).join(', ')}</span>
      <PartTrack of="facet" part={authorities / most} />
      <span class="number">
        {wholeText(authorities)}
        <span class="unseen"> people</span>
      </span>
    </li>
  )
}
