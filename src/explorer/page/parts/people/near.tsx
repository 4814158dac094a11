/** Suggestions that begin like a text without a match. They cost nothing beyond the suggestions themselves. */
import { placeOfSuggestion } from '../../model/address.ts'
import type { AnswerEnvelope, Suggestion } from '../../model/answers.ts'
import { kindQuery, suggestionsQuery } from '../../model/requests.ts'
import { isolated } from '../../model/wording.ts'
import { useAnswer } from '../../page-session.ts'
import { PlaceLink } from '../place-link.tsx'

interface Props {
  readonly typed: string
  /** Kind of the suggestions; all kinds unless given. */
  readonly kind?: Suggestion['kind']
}

const shownMax = 6

export function Near({ typed, kind }: Props) {
  const beginning = beginningOf(typed)
  const query = kind === undefined ? suggestionsQuery(beginning) : kindQuery(beginning, kind)
  const { shown } = useAnswer<AnswerEnvelope<Suggestion>>(query)
  const offered = (shown?.results ?? []).slice(0, shownMax)
  if (offered.length === 0) return null
  return (
    <>
      <p>Near it, because they begin with “{isolated(beginning)}”:</p>
      <ul class="chips">
        {offered.map((suggestion) => (
          <li key={`${suggestion.kind} ${suggestion.text} ${suggestion.sdu}`}>
            <PlaceLink to={placeOfSuggestion(suggestion)} class="chip">
              {isolated(suggestion.text)}
            </PlaceLink>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The first half of a text, of three letters at least: slips are mostly behind it. */
function beginningOf(typed: string): string {
  const letters = [...typed.trim().replace(/^(?:\w+:)?@?/, '')]
  return letters.slice(0, Math.max(3, Math.floor(letters.length / 2))).join('')
}
