/** Two people side by side: the same facts of both, what they share, and who endorses both. */
import { useEffect } from 'preact/hooks'
import { searchFor } from '../model/address.ts'
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

export function CompareView({ sdus }: { sdus: readonly string[] }) {
  const { go, key } = useSession()
  const put = (at: number, sdu: string) => {
    const others = sdus.filter((_, index) => index !== at)
    if (others.includes(sdu)) return
    const next = at === 0 ? [sdu, ...others] : [...others, sdu]
    go({ view: 'compare', sdus: next })
  }
  return (
    <>
      <h1>Compare two people</h1>
      {key === '' ? (
        <Trouble asked={{ kind: 'no-key' }} again={() => {}} />
      ) : (
        <>
          {sdus.length === 0 ? null : <Compared sdus={sdus} />}
          {sdus.length < 2 && (
            <div class="choosers">
              {[0, 1].slice(sdus.length).map((at) => (
                <PersonField
                  key={at}
                  label={at === 0 ? 'First person' : 'Second person'}
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
  const [first, second] = people
  if (first === undefined || (second === undefined && sdus.length > 1)) {
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
  if (second === undefined) {
    return (
      <p class="understood">
        <strong>{isolated(first.name)}</strong> and …
      </p>
    )
  }
  return <Comparison first={first} second={second} />
}

function Comparison({ first, second }: { first: Profile; second: Profile }) {
  const topics = sharedTopics(first, second)
  const endorsers = sharedEndorsers(first, second)
  return (
    <div class="comparison">
      <table class="compare-table">
        <thead>
          <tr>
            <td />
            {[first, second].map(({ sdu, name }) => (
              <th key={sdu} scope="col">
                <PlaceLink to={{ view: 'person', sdu }}>{isolated(name)}</PlaceLink>
                <RemoveLink sdu={sdu} others={[first, second]} name={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparedRows(first, second).map((row) => (
            <Row key={row.name} row={row} />
          ))}
        </tbody>
      </table>
      <section aria-labelledby="shared">
        <h2 id="shared">What they share</h2>
        {topics.length === 0 ? (
          <p class="muted">No topic.</p>
        ) : (
          <ul class="chips" aria-label="Topics that both have">
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
            ? 'None of the strongest endorsers of one is one of the other.'
            : `Both are endorsed by ${endorsers.map(isolated).join(', ')}.`}
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
