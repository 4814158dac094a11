/** The heads of the columns of a table; those of numbers are aligned like the numbers. */

interface Props {
  readonly names: readonly string[]
  readonly ofNumbers?: readonly string[]
  /** Whether only those hear them who do not see the table. */
  readonly areUnseen?: boolean
}

export function ColumnHeads({ names, ofNumbers = [], areUnseen = false }: Props) {
  return (
    <thead class={areUnseen ? 'unseen' : ''}>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col" class={ofNumbers.includes(name) ? 'number' : ''}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
