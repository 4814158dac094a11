/** A field that selects one person from suggestions for a name. */
import { peopleQuery } from '../../model/requests.ts'
import { SuggestionField } from './suggestion-field.tsx'

interface Props {
  readonly label: string
  readonly onChosen: (sdu: string) => void
}

export function PersonField({ label, onChosen }: Props) {
  return (
    <SuggestionField
      label={label}
      isLabelSeen
      placeholder="Type a name and choose"
      typed=""
      queryOf={peopleQuery}
      onAccept={({ sdu }) => sdu !== null && onChosen(sdu)}
    />
  )
}
