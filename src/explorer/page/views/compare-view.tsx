/** Two to five people side by side: the same facts of all, what they share, and who endorses all. */
import { useEffect } from 'preact/hooks'
import { comparedPeopleMax, searchFor } from '../model/address.ts'
import type { AnswerEnvelope, Profile } from '../model/answers.ts'
import {
  type ComparedRow,
  comparedRows,
  sharedEndorsers,
  sharedTopics,
} from '../model/comparison.ts'
import { profileQuery } from '../model/requests.ts'
import { isolated } from '../model/wording.ts'
import { useAnswer, useSession } from '../page-session.ts'
import { PersonField } from '../parts/fields/person-field.tsx'
import { PartTrack } from '../parts/part-track.tsx'
import { PlaceLink } from '../parts/place-link.tsx'
import { RequestPanel } from '../parts/request-panel.tsx'
import { State, Trouble } from '../parts/states.tsx'

const fieldLabels = ['First person', 'Second person', 'Another person'] as const

export function CompareView({ sdus }: { sdus: readonly string[] }) {
  const { go, key } = useSession()
  const put = (at: number, sdu: string) => {
    if (sdus.includes(sdu)) return
    go({ view: 'compare', sdus: at === 0 ? [sdu, ...sdus] : [...sdus, sdu] })
  }
  const fields = sdus.length < 2 ? [0, 1].slice(sdus.length) : [2]
  return (
    <>
      <h1>Compare two to five people</h1>
      {key === '' ? (
        <Trouble asked={{ kind: 'no-key' }} again={() => {}} />
      ) : (
        <>
          {sdus.length === 0 ? null : <Compared sdus={sdus} />}
          {sdus.length < comparedPeopleMax && (
            <div class="choosers">
              {fields.map((at) => (
                <PersonField
                  key={`${at} ${sdus.length}`}
                  label={fieldLabels[at]!}
                  onChosen={(sdu) => put(at, sdu)}
                />
              ))}
            </div>
          )}
          <RequestPanel />
        </>
      )}
    </>
  )
}

function Compared({ sdus }: { sdus: readonly string[] }) {
  const { announce } = useSession()
  const { asked, shown, again } = useAnswer<AnswerEnvelope<Profile>>(profileQuery(sdus))
  const people = shown?.results
  useEffect(() => {
    if (people !== undefined) announce(people.map(({ name }) => isolated(name)).join(' and '))
  }, [people, announce])
  if (people === undefined) return <Trouble asked={asked} again={again} />
  const [first] = people
  if (first === undefined || people.length < sdus.length) {
    return (
      <State title="One of them is not in the index">
        <p>Not in this snapshot: removed, merged, or never there.</p>
        <p>
          <PlaceLink to={{ view: 'compare', sdus: people.map(({ sdu }) => sdu) }}>
            Choose somebody else
          </PlaceLink>
        </p>
      </State>
    )
  }
  if (people.length === 1) {
    return (
      <p class="understood">
        <strong>{isolated(first.name)}</strong> and …
      </p>
    )
  }
  return <Comparison people={people} />
}

function Comparison({ people }: { people: readonly Profile[] }) {
  const topics = sharedTopics(people)
  const endorsers = sharedEndorsers(people)
  const rows = comparedRows(people)
  return (
    <div class="comparison">
      <section
        class="scrolled"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls to the side, also by keys
        tabIndex={0}
        aria-label="The comparison, greatest differences first"
      >
        <p class="muted small">What differs most stands first.</p>
        <table class="compare-table">
          <thead>
            <tr>
              <td />
              {people.map(({ sdu, name }) => (
                <th key={sdu} scope="col">
                  <PlaceLink to={{ view: 'person', sdu }}>{isolated(name)}</PlaceLink>
                  <RemoveLink sdu={sdu} others={people} name={name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              .filter(({ difference }) => difference > 0)
              .map((row) => (
                <Row key={row.name} row={row} />
              ))}
          </tbody>
          <tbody class="is-same">
            {rows
              .filter(({ difference }) => difference === 0)
              .map((row) => (
                <Row key={row.name} row={row} />
              ))}
          </tbody>
        </table>
      </section>
      <section aria-labelledby="shared">
        <h2 id="shared">What they share</h2>
        {topics.length === 0 ? (
          <p class="muted">No topic.</p>
        ) : (
          <ul class="chips" aria-label="Topics that all have">
            {topics.map((topic) => (
              <li key={topic}>
                <PlaceLink to={searchFor(topic)} class="chip">
                  {topic}
                </PlaceLink>
              </li>
            ))}
          </ul>
        )}
        <p class="muted">
          {endorsers.length === 0
            ? 'No strong endorser of one is one of all the others.'
            : `All are endorsed by ${endorsers.map(isolated).join(', ')}.`}
        </p>
      </section>
    </div>
  )
}

function RemoveLink({
  sdu,
  others,
  name,
}: {
  sdu: string
  others: readonly Profile[]
  name: string
}) {
  const left = others.map((other) => other.sdu).filter((other) => other !== sdu)
  return (
    <PlaceLink to={{ view: 'compare', sdus: left }} class="remove small">
      <span aria-hidden="true">×</span>
      <span class="unseen">Take {isolated(name)} out</span>
    </PlaceLink>
  )
}

function Row({ row: { name, values, parts } }: { row: ComparedRow }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {values.map((value, index) => (
        <td key={index} class={parts === undefined ? '' : 'number'}>
          {value}
          {parts !== undefined && <PartTrack of="score" part={parts[index]!} />}
        </td>
      ))}
    </tr>
  )
}
