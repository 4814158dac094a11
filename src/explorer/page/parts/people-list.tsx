/** People in their order, with scores that align; each can be asked why it stands where it does. */
import { useId, useState } from 'preact/hooks'
import type { Summary } from '../model/answers.ts'
import { isolated, scoreText, wholeText } from '../model/wording.ts'
import { PartTrack } from './part-track.tsx'
import { PlaceLink } from './place-link.tsx'
import { ShareBars } from './share-bars.tsx'

export function PeopleList({ people }: { people: readonly Summary[] }) {
  return (
    <ol class="people">
      {people.map((person) => (
        <PersonRow key={person.sdu} person={person} />
      ))}
    </ol>
  )
}

function PersonRow({ person }: { person: Summary }) {
  const { sdu, name, rank, country_name: country, topic, authority_score: score } = person
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <li class="person">
      <span class="rank number">{wholeText(rank)}</span>
      <span class="who">
        <PlaceLink to={{ view: 'person', sdu }} class="name">
          {isolated(name)}
        </PlaceLink>
        <span class="muted">{[topic, country].filter(Boolean).map(isolated).join(' · ')}</span>
      </span>
      <ScoreBar score={score} />
      {person.explanation === undefined ? (
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
        {isOpen && person.explanation !== undefined && (
          <ShareBars explanation={person.explanation} />
        )}
      </div>
    </li>
  )
}

/** An authority score, of 100. */
export function ScoreBar({ score }: { score: number }) {
  return (
    <span class="score">
      <span class="unseen">Authority score </span>
      <span class="number">{scoreText(score)}</span>
      <PartTrack of="score" part={score / 100} />
    </span>
  )
}
