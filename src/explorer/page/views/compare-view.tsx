/** Two to five people side by side: their ranks in the topics that they share, then the same facts of all. */
import { useEffect, useRef } from 'preact/hooks'
import { comparedPeopleMax, searchFor } from '../model/address.ts'
import type { AnswerEnvelope, Profile } from '../model/answers.ts'
import {
  type ComparedRow,
  comparedRows,
  differenceText,
  sharedEndorsers,
  sharedTopics,
  topicRows,
} from '../model/comparison.ts'
import { profileQuery } from '../model/requests.ts'
import { countText, isolated } from '../model/wording.ts'
import { useAnswer, useSession } from '../page-session.ts'
import { PersonField } from '../parts/fields/person-field.tsx'
import { PartTrack } from '../parts/part-track.tsx'
import { useTopicRanks } from '../parts/people/topic-ranks.ts'
import { PlaceLink } from '../parts/place-link.tsx'
import { RequestPanel } from '../parts/request-panel.tsx'
import { State, Trouble } from '../parts/states.tsx'

const fieldLabels = ['First person', 'Second person', 'Another person'] as const

export function CompareView({ sdus }: { sdus: readonly string[] }) {
  const { go, key } = useSession()
  const hasChosen = useRef(false)
  const put = (at: number, sdu: string) => {
    if (sdus.includes(sdu)) return
    hasChosen.current = true
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
                  isNext={hasChosen.current && sdus.length === 1}
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
  return <Comparison key={sdus.join()} people={people} />
}

function Comparison({ people }: { people: readonly Profile[] }) {
  const { known, left, isAsking, askForMore, trouble } = useSharedRanks(people)
  const rows = comparedRows(people)
  const topics = topicRows(people, known)
  const endorsers = sharedEndorsers(people)
  return (
    <div class="comparison">
      <p class="understood">{differenceText(topics.length > 0 ? topics : rows, people)}</p>
      <section
        class="scrolled"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls to the side, also by keys
        tabIndex={0}
        aria-label="The comparison, greatest differences first"
        aria-busy={isAsking}
      >
        <table class="compare-table" style={{ minWidth: `${6 + 7.5 * people.length}rem` }}>
          <thead>
            <tr>
              <td class="muted small">What differs most stands first.</td>
              {people.map(({ sdu, name }) => (
                <th key={sdu} scope="col">
                  <PlaceLink to={{ view: 'person', sdu }}>{isolated(name)}</PlaceLink>
                  <RemoveLink sdu={sdu} others={people} name={name} />
                </th>
              ))}
            </tr>
          </thead>
          <RowGroup title="Rank in the topics that they share" rows={topics} areTopics />
          <RowGroup
            title={topics.length === 0 ? 'What differs' : 'What differs otherwise'}
            rows={rows.filter(({ difference }) => difference > 0)}
          />
          <RowGroup
            title="The same"
            rows={rows.filter(({ difference }) => difference === 0)}
            class="is-same"
          />
        </table>
      </section>
      {left.length > 0 && !isAsking && (
        <p>
          <button type="button" onClick={askForMore}>
            Rank them in {countText(left.length, 'more topic', 'more topics')} (
            {countText(left.length * people.length, 'query', 'queries')})
          </button>
        </p>
      )}
      {trouble}
      <p class="muted">
        {sharedTopics(people).length === 0 && 'They share no topic. '}
        {endorsers.length === 0
          ? 'No strong endorser of one is one of all the others.'
          : `All are endorsed by ${endorsers.map(isolated).join(', ')}.`}
      </p>
    </div>
  )
}

/** Topics whose ranks are asked for at once: each costs a query for each person. */
const topicsAtOnce = 4

/** The ranks in the topics that all have: the first at once, the others on request. */
function useSharedRanks(people: readonly Profile[]) {
  const { places, asked, askFor } = useTopicRanks(people)
  const left = sharedTopics(people).filter((topic) => !places.has(topic))
  const askForMore = () => askFor(left)
  useEffect(() => void askFor(left.slice(0, topicsAtOnce)), [])
  const isAsking = asked.kind === 'loading'
  const trouble = isAsking ? null : <Trouble asked={asked} again={askForMore} />
  return { known: places, left, isAsking, askForMore, trouble }
}

interface GroupProps {
  readonly title: string
  readonly rows: readonly ComparedRow[]
  /** Whether the rows are topics, which lead to their lists. */
  readonly areTopics?: boolean
  readonly class?: string
}

function RowGroup({ title, rows, areTopics = false, class: name = '' }: GroupProps) {
  const [first] = rows
  if (first === undefined) return null
  return (
    <tbody class={name}>
      <tr class="group">
        <th scope="rowgroup" colSpan={first.values.length + 1}>
          {title}
        </th>
      </tr>
      {rows.map((row) => (
        <Row key={row.name} row={row} isTopic={areTopics} />
      ))}
    </tbody>
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

function Row({ row: { name, values, parts }, isTopic }: { row: ComparedRow; isTopic: boolean }) {
  return (
    <tr>
      <th scope="row">
        {isTopic ? <PlaceLink to={searchFor(name)}>{isolated(name)}</PlaceLink> : name}
      </th>
      {values.map((value, index) => (
        <td key={index} class={parts === undefined ? '' : 'number'}>
          {isolated(value)}
          {parts !== undefined && <PartTrack of="score" part={parts[index]!} />}
        </td>
      ))}
    </tr>
  )
}
