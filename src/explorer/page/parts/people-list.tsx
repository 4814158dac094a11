/** People with their share of the topic, and the authority score as a column of its own. Each row can explain the rank. */
import { useId, useState } from 'preact/hooks'
import { addressOf } from '../model/address.ts'
import {
  colorOfPerson,
  initialsOf,
  ordinalText,
  placeTitle,
  shownPlace,
} from '../model/people/people-rows.ts'
import type { Person } from '../model/questions.ts'
import { isolated, scoreText, shareText, wholeText } from '../model/wording.ts'
import { PartTrack, ShareBars } from './share-bars.tsx'

interface ListProps {
  readonly people: readonly Person[]
  /** Number of people in the whole list, with those not shown yet. */
  readonly total: number
  /** The topic whose shares are listed; '' if each row has its own, or none. */
  readonly topic: string
  /** Whether filters leave people out: each rank then names the number of ranked people. */
  readonly isFiltered: boolean
}

export function PeopleList({ people, total, topic, isFiltered }: ListProps) {
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
      <ol class={`people ${isFiltered ? 'is-filtered' : ''}`}>
        {people.map((person) => (
          <PersonRow key={person.sdu} {...{ person, total, topic, most, isFiltered }} />
        ))}
      </ol>
    </>
  )
}

interface RowProps extends Omit<ListProps, 'people'> {
  readonly person: Person
  /** The greatest share that is shown. */
  readonly most: number
}

function PersonRow({ person, total, topic: listed, most, isFiltered }: RowProps) {
  const { sdu, name, rank, explanation, authority_score: score } = person
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <li class="person">
      <span class="rank number" title={placeTitle(person, total)}>
        {isFiltered ? <PlaceAmong person={person} total={total} /> : wholeText(rank)}
      </span>
      <Avatar sdu={sdu} name={name} />
      <Who person={person} />
      {explanation === undefined || explanation.topic === null ? (
        <span class="share" />
      ) : (
        <span class="share score">
          <span class="unseen">Share of {isolated(explanation.topic)} </span>
          <span class="number">{shareText(explanation.share)}</span>
          <PartTrack of="score" part={explanation.share / most} />
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

/** `3rd of 23`: filters take people out of a list, and no rank changes. */
function PlaceAmong({ person, total }: Pick<RowProps, 'person' | 'total'>) {
  const { place, of } = shownPlace(person, total)
  return (
    <>
      {ordinalText(place)} <span class="small">of {wholeText(of)}</span>
    </>
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
      <span class="muted">{[topic, country].filter(Boolean).map(isolated).join(' · ')}</span>
    </span>
  )
}

/** An authority score, of 100. */
function ScoreBar({ score }: { score: number }) {
  return (
    <span class="score of-score">
      <span class="unseen">Authority score </span>
      <span class="number">{scoreText(score)}</span>
      <PartTrack of="score" part={score / 100} />
    </span>
  )
}
