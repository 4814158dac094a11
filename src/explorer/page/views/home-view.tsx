/** The first view: the search field, and the largest topics; without a key what the service answers, and where to put one. */
import { addressOf, searchFor } from '../model/address.ts'
import { askTopics } from '../model/questions.ts'
import { isolated, wholeText } from '../model/wording.ts'
import { Examples } from '../parts/examples.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { NoKey, Rest } from '../parts/states.tsx'
import { useAnswer, useSession } from '../session.tsx'

const topicsShown = 24

export function HomeView() {
  const { key, link } = useSession()
  const isStranger = key === '' && link === 'none'
  return (
    <>
      <section class="hero">
        <h1>Who is the authority on this?</h1>
        <p class="lead muted">
          Search verified people by topic, name, handle or question, and see why each has their
          rank.
        </p>
        {key !== '' && <SearchField typed="" isLarge />}
      </section>
      {isStranger && <Examples />}
      {key === '' ? <NoKey /> : <LargestTopics />}
    </>
  )
}

function LargestTopics() {
  const asked = useAnswer(['topics', ''], (client, options) => askTopics(client, '', options))
  const [first] = asked.pages
  if (first === undefined) return <Rest of={asked} />
  return (
    <section aria-labelledby="beginnings">
      <h2 id="beginnings">Topics to begin with</h2>
      <ul class="chips">
        {first.results.slice(0, topicsShown).map(({ topic, authorities }) => (
          <li key={topic}>
            <a href={addressOf(searchFor(topic))} class="chip">
              {isolated(topic)} <span class="number muted small">{wholeText(authorities)}</span>
            </a>
          </li>
        ))}
        <li>
          <a href={addressOf({ view: 'topics', typed: '' })} class="chip">
            All topics
          </a>
        </li>
      </ul>
    </section>
  )
}
