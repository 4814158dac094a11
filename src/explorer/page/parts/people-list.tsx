/**
 * People with the number that puts them in their order, and the authority score as a column of its own.
 * The loaded part of a list can be sorted by either. Each row can explain the person's place.
 */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Summary } from '../model/answers.ts'
import {
  colorOfPerson,
  initialsOf,
  inOrder,
  isListedByScore,
  ordinalText,
  type PeopleOrder,
  placeTitle,
  shownPlace,
} from '../model/people/people-rows.ts'
import { isolated, scoreText, shareText, wholeText } from '../model/wording.ts'
import { useSession } from '../page-session.ts'
import { PartTrack } from './part-track.tsx'
import { PlaceLink } from './place-link.tsx'
import { ShareBars } from './share-bars.tsx'

interface ListProps {
  readonly people: readonly Summary[]
  /** Number of people in the whole list, with those not shown yet. */
  readonly total: number
  /** The topic whose shares are listed; '' if each row has its own, or none. */
  readonly topic: string
  /** Whether filters leave people out: each rank then names the number of ranked people. */
  readonly isFiltered: boolean
  /** Note below the heads, shown while the list is sorted by another number than the service's. */
  readonly sortedPart: ComponentChildren
}

export function PeopleList({ people, total, topic, isFiltered, sortedPart }: ListProps) {
  const { announce } = useSession()
  const [order, setOrder] = useState<PeopleOrder>('place')
  const shares = people.map(({ explanation }) => explanation?.share ?? 0)
  const most = Math.max(...shares, Number.MIN_VALUE)
  const isByScore = isListedByScore(people)
  const sort = (next: PeopleOrder) => {
    setOrder(next)
    announce(`Sorted by ${next === 'place' ? 'place' : 'authority score'}`)
  }
  const place = topic === '' ? 'Relevance' : `Share of ${isolated(topic)}`
  return (
    <>
      <div class="list-head muted">
        <span>
          <b class="number">{wholeText(total)}</b> {total === 1 ? 'person' : 'people'}
        </span>
        {isByScore ? (
          <span />
        ) : (
          <SortButton order="place" current={order} text={place} onSort={sort} />
        )}
        <SortButton
          order="score"
          current={isByScore ? 'score' : order}
          text="Authority score"
          onSort={sort}
        />
      </div>
      {order === 'score' && !isByScore && sortedPart}
      <ol class={`people ${isFiltered ? 'is-filtered' : ''}`}>
        {inOrder(people, order).map((person) => (
          <PersonRow key={person.sdu} {...{ person, total, topic, most, isFiltered }} />
        ))}
      </ol>
    </>
  )
}

interface SortProps {
  readonly order: PeopleOrder
  readonly current: PeopleOrder
  readonly text: string
  readonly onSort: (order: PeopleOrder) => void
}

function SortButton({ order, current, text, onSort }: SortProps) {
  const isSet = order === current
  return (
    <button
      type="button"
      class={`plain sort of-${order}`}
      aria-pressed={isSet}
      title={`Sort by ${text}`}
      onClick={() => onSort(order)}
    >
      {text}{' '}
      <span class="sort-mark" aria-hidden="true">
        {isSet && '↓'}
      </span>
    </button>
  )
}

interface RowProps extends Omit<ListProps, 'people' | 'sortedPart'> {
  readonly person: Summary
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

function Who({ person: { sdu, name, topic, country_name: country } }: { person: Summary }) {
  return (
    <span class="who">
      <PlaceLink to={{ view: 'person', sdu }} class="name">
        {isolated(name)}
      </PlaceLink>
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
