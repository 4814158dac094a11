/** A field that selects one person from suggestions for a name. */
import { peopleQuery } from '../../model/requests.ts'
import { SuggestionField } from './suggestion-field.tsx'

interface Props {
  readonly label: string
  readonly onChosen: (sdu: string) => void
  /** Whether it takes the focus at first, because the field before it was just filled. */
  readonly isNext: boolean
}

export function PersonField({ label, onChosen, isNext }: Props) {
  return (
    <SuggestionField
      label={label}
      isLabelSeen
      isFirstFocus={isNext}
      placeholder="Type a name and choose"
      typed=""
      queryOf={peopleQuery}
      onAccept={({ sdu }) => sdu !== null && onChosen(sdu)}
    />
  )
}
