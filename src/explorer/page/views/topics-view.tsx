/** All topics, the largest first, to browse or to narrow by a typed text. */
import { useEffect, useId } from 'preact/hooks'
import { searchFor } from '../model/address.ts'
import type { AnswerEnvelope, TopicItem } from '../model/answers.ts'
import { topicsQuery } from '../model/requests.ts'
import { countText, isolated, wholeText } from '../model/wording.ts'
import { useAnswer, useSession } from '../page-session.ts'
import { MoreButton, usePages } from '../parts/pages.tsx'
import { PartTrack } from '../parts/part-track.tsx'
import { Near } from '../parts/people/near.tsx'
import { PlaceLink } from '../parts/place-link.tsx'
import { RequestPanel } from '../parts/request-panel.tsx'
import { State, Trouble } from '../parts/states.tsx'

export function TopicsView({ typed }: { typed: string }) {
  const { go } = useSession()
  const { asked, shown, again } = useAnswer<AnswerEnvelope<TopicItem>>(
    topicsQuery(typed.trim(), ''),
  )
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
          <TopicPages
            key={typed.trim()}
            typed={typed.trim()}
            first={shown}
            isCurrent={asked.kind === 'answer'}
          />
        )}
      </section>
      <aside class="aside" aria-label="Request">
        <RequestPanel />
      </aside>
    </div>
  )
}

interface PagesProps {
  readonly typed: string
  readonly first: AnswerEnvelope<TopicItem>
  /** Whether it is the list of this text, and not an earlier one that is shown meanwhile. */
  readonly isCurrent: boolean
}

function TopicPages({ typed, first, isCurrent }: PagesProps) {
  const { announce } = useSession()
  const pages = usePages(first, (cursor) => topicsQuery(typed, cursor))
  const [largest] = pages.items
  useEffect(() => announce(countText(first.results.length, 'topic', 'topics')), [first, announce])
  if (largest === undefined) {
    return (
      <State title="No such topic">
        <p>No topic and no alias of one begins with these words.</p>
        <Near typed={typed} kind="topic" />
        <p>
          <PlaceLink to={searchFor(typed)}>Search for “{isolated(typed)}”</PlaceLink>, which
          forgives slips.
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
function TopicRow({
  item: { topic, aliases, authorities },
  most,
}: {
  item: TopicItem
  most: number
}) {
  return (
    <li>
      <PlaceLink to={searchFor(topic)}>{isolated(topic)}</PlaceLink>
      <span class="aliases muted small">{aliases.map(isolated).join(', ')}</span>
      <PartTrack of="facet" part={authorities / most} />
      <span class="number">
        {wholeText(authorities)}
        <span class="unseen"> people</span>
      </span>
    </li>
  )
}
