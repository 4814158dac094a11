/** People with their share of the topic, and the authority score as a column of its own. Each row can explain the rank. */
import { useId, useState } from 'preact/hooks'
import { addressOf } from '../model/address.ts'
import { colorOfPerson, initialsOf } from '../model/people/people-rows.ts'
import type { Person } from '../model/questions.ts'
import { isolated, scoreText, shareText, wholeText } from '../model/wording.ts'
import { PartTrack, ShareBars } from './share-bars.tsx'

interface ListProps {
  readonly people: readonly Person[]
  /** Number of people in the whole list, with those not shown yet. */
  readonly total: number
  /** The topic whose shares are listed; '' if each row has its own, or none. */
  readonly topic: string
}

export function PeopleList({ people, total, topic }: ListProps) {
  const shares = people.map(({ explanation }) => explanation?.share ?? 0)
  const most = Math.max(...shares, Number.MIN_VALUE)
  return (
    <>
      <div class="list-head muted">
        <span>
          <b class="number">{wholeText(total)}</b> {total === 1 ? 'person' : 'people'}
        </span>
        <span class="number">{topic !== '' && `Share of ${isolated(topic)}`}</span>
        <span class="number">Authority score</span>
      </div>
      <ol class="people">
        {people.map((person) => (
          <PersonRow key={person.sdu} {...{ person, topic, most }} />
        ))}
      </ol>
    </>
  )
}

interface RowProps extends Pick<ListProps, 'topic'> {
  readonly person: Person
  /** The greatest share that is shown. */
  readonly most: number
}

function PersonRow({ person, topic: listed, most }: RowProps) {
  const { sdu, name, explanation, authority_score: score } = person
  // The rank in the topic of the list: filters leave people out, and change no rank.
  const rank = listed === '' ? person.rank : explanation!.rank
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <li class="person">
      <span class="rank number">{wholeText(rank)}</span>
      <Avatar sdu={sdu} name={name} />
      <Who person={person} />
      {explanation === undefined || explanation.topic === null ? (
        <span class="share" />
      ) : (
        <span class="share score">
          <span class="unseen">Share of {isolated(explanation.topic)} </span>
          <span class="number">{shareText(explanation.share)}</span>
          <PartTrack part={explanation.share / most} />
          {listed === '' && <span class="muted small">of {isolated(explanation.topic)}</span>}
        </span>
      )}
      <ScoreBar score={score} />
      {explanation === undefined ? (
        <span />
      ) : (
        <button
          type="button"
          class="plain why-button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`Why ${isolated(name)} has rank ${rank}`}
          onClick={() => setOpen(!isOpen)}
        >
          Why
        </button>
      )}
      <div id={id} class="person-why" hidden={!isOpen}>
        {isOpen && explanation !== undefined && <ShareBars explanation={explanation} />}
      </div>
    </li>
  )
}

/** The initials of a person: records hold no pictures. */
export function Avatar({ sdu, name }: { readonly sdu: string; readonly name: string }) {
  return (
    <span class={`avatar color-${colorOfPerson(sdu)}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

function Who({ person: { sdu, name, topic, country_name: country } }: { person: Person }) {
  return (
    <span class="who">
      <a href={addressOf({ view: 'person', sdu })} class="name">
        {isolated(name)}
      </a>
      <span class="muted small">{[topic, country].filter(Boolean).map(isolated).join(' · ')}</span>
    </span>
  )
}

function ScoreBar({ score }: { score: number }) {
  return (
    <span class="score of-score">
      <span class="unseen">Authority score </span>
      <span class="number">{scoreText(score)}</span>
      <PartTrack part={score / 100} />
    </span>
  )
}
