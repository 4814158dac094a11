/** The first view: the search field, the contents of the index, and topics to begin with. */

import { searchFor } from '../model/address.ts'
import type { AnswerEnvelope, SnapshotItem, TopicItem } from '../model/answers.ts'
import { snapshotQuery, snapshotsQuery, topicsQuery } from '../model/requests.ts'
import { dayText, isolated, wholeText } from '../model/wording.ts'
import { useAnswer, useSession } from '../page-session.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { SearchField } from '../parts/fields/search-field.tsx'
import { PlaceLink } from '../parts/place-link.tsx'
import { RequestPanel } from '../parts/request-panel.tsx'
import { Trouble } from '../parts/states.tsx'

const topicsShown = 24

export function HomeView() {
  const { key } = useSession()
  return (
    <>
      <section class="hero">
        <h1>Who is the authority on this?</h1>
        <p class="lead muted">
          Search verified people by topic, name, handle or question, and see why each stands where
          they stand.
        </p>
        <SearchField typed="" isLarge />
      </section>
      {key === '' ? <Trouble asked={{ kind: 'no-key' }} again={() => {}} /> : <Beginnings />}
    </>
  )
}

function Beginnings() {
  const { asked, shown, again } = useAnswer<AnswerEnvelope<SnapshotItem>>(snapshotsQuery())
  if (shown === undefined) return <Trouble asked={asked} again={again} />
  const [newest] = shown.results
  return (
    <>
      {newest !== undefined && <IndexFacts id={newest.id} />}
      <LargestTopics />
      <RequestPanel />
    </>
  )
}

/** The contents of the index in numbers, and its citation. */
function IndexFacts({ id }: { id: string }) {
  const { shown } = useAnswer<AnswerEnvelope<SnapshotItem>>(snapshotQuery(id))
  const item = shown?.results[0]
  if (item === undefined) return null
  const made = dayText(item.created_at) || dayText(item.published_at)
  const { handles, connections } = item.counts ?? {}
  return (
    <section class="index-facts" aria-label="What is in the index">
      <dl>
        <Figure name="people" value={wholeText(item.authorities)} />
        <Figure name="topics" value={wholeText(item.topics)} />
        {handles !== undefined && <Figure name="handles" value={wholeText(handles)} />}
        {connections !== undefined && <Figure name="connections" value={wholeText(connections)} />}
      </dl>
      <p class="muted small">
        Snapshot <code title={item.id}>{item.id.slice(0, 8)}</code>
        {made !== '' && `, ${made}`}.{' '}
        {item.citation !== undefined && (
          <CopyButton text={item.citation.text} label={item.citation.text} shown="Copy citation" />
        )}
      </p>
    </section>
  )
}

/** A number with its name, in a list of figures (`dl`). */
function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dd class="number">{value}</dd>
      <dt>{name}</dt>
    </div>
  )
}

function LargestTopics() {
  const { asked, shown, again } = useAnswer<AnswerEnvelope<TopicItem>>(topicsQuery('', ''))
  if (shown === undefined) return <Trouble asked={asked} again={again} />
  const topics = shown.results.slice(0, topicsShown)
  return (
    <section aria-labelledby="beginnings">
      <h2 id="beginnings">Topics to begin with</h2>
      <ul class="chips">
        {topics.map(({ topic, authorities }) => (
          <li key={topic}>
            <PlaceLink to={searchFor(topic)} class="chip">
              {isolated(topic)} <span class="number muted">{wholeText(authorities)}</span>
            </PlaceLink>
          </li>
        ))}
        <li>
          <PlaceLink to={{ view: 'topics', typed: '' }} class="chip is-more">
            All topics
          </PlaceLink>
        </li>
      </ul>
    </section>
  )
}
