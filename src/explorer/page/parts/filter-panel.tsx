/** The filters of a search: the counts of all matches, and two numbers. */
import { useState } from 'preact/hooks'
import {
  type ListFilter,
  type ListFilters,
  listFilters,
  listNames,
  type NumberFilter,
  numberFilters,
  numberNames,
  wholeNumber,
  withToggledFilter,
} from '../model/address.ts'
import { valueName } from '../model/names.ts'
import type { PeoplePage } from '../model/questions.ts'
import { isolated, wholeText } from '../model/wording.ts'
import { PartTrack } from './share-bars.tsx'

interface Props {
  readonly filters: ListFilters
  readonly facets: NonNullable<PeoplePage['facets']>
  readonly onChange: (filters: ListFilters) => void
}

const firstMax = 6

export function FilterPanel({ filters, facets, onChange }: Props) {
  return (
    <section class="filters" aria-label="Filters">
      {listNames.map((name) => (
        <FacetList
          key={name}
          name={name}
          chosen={filters[name]}
          counts={facets[name] ?? []}
          onToggle={(value) => onChange(withToggledFilter(filters, name, value))}
        />
      ))}
      <NumberFilters
        key={numberNames.map((name) => filters[name]).join(' ')}
        {...{ filters, onChange }}
      />
    </section>
  )
}

interface FacetProps {
  readonly name: ListFilter
  readonly chosen: readonly string[]
  readonly counts: readonly { readonly key: string; readonly count: number }[]
  readonly onToggle: (value: string) => void
}

function FacetList({ name, chosen, counts, onToggle }: FacetProps) {
  const [isLong, setLong] = useState(false)
  if (counts.length === 0 && chosen.length === 0) return null
  const most = Math.max(...counts.map(({ count }) => count), 1)
  const missing = chosen.filter((value) => !counts.some(({ key }) => key === value))
  const all = [...missing.map((key) => ({ key, count: 0 })), ...counts]
  const shown = isLong ? all : all.slice(0, Math.max(firstMax, missing.length))
  return (
    <fieldset class="facet">
      <legend>{listFilters[name]}</legend>
      {shown.map(({ key, count }) => (
        <label key={key} class="facet-row">
          <input type="checkbox" checked={chosen.includes(key)} onChange={() => onToggle(key)} />
          <span class="cut">{isolated(valueName(name, key))}</span>
          <PartTrack part={count / most} />
          <span class="number muted small">{wholeText(count)}</span>
        </label>
      ))}
      {all.length > shown.length && (
        <button type="button" class="plain small" onClick={() => setLong(true)}>
          {all.length - shown.length} more
        </button>
      )}
    </fieldset>
  )
}

function NumberFilters({ filters, onChange }: Pick<Props, 'filters' | 'onChange'>) {
  const [texts, setTexts] = useState<Readonly<Partial<Record<NumberFilter, string>>>>({})
  const textOf = (name: NumberFilter) =>
    texts[name] ?? (filters[name] === 0 ? '' : String(filters[name]))
  const apply = () => {
    const numbers = numberNames.map(
      (name) => [name, wholeNumber(textOf(name), numberFilters[name].most)] as const,
    )
    onChange({ ...filters, ...Object.fromEntries(numbers) })
  }
  return (
    <form
      class="facet number-filters"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      {numberNames.map((name) => (
        <NumberField
          key={name}
          label={numberFilters[name].label}
          value={textOf(name)}
          onValue={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
      <button type="submit">Apply</button>
    </form>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
}

function NumberField({ label, value, onValue }: NumberFieldProps) {
  return (
    <label>
      {label}
      <input
        inputMode="numeric"
        value={value}
        placeholder="0"
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </label>
  )
}

/** The filters that are set, each with a way out of it. */
export function SetFilters({ filters, onChange }: Pick<Props, 'filters' | 'onChange'>) {
  const chips = [
    ...listNames.flatMap((name) =>
      filters[name].map((value) => ({
        text: valueName(name, value),
        without: withToggledFilter(filters, name, value),
      })),
    ),
    ...numberNames
      .filter((name) => filters[name] > 0)
      .map((name) => ({
        text: `${numberFilters[name].chip} ≥ ${wholeText(filters[name])}`,
        without: { ...filters, [name]: 0 },
      })),
  ]
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters that are set">
      {chips.map(({ text, without }) => (
        <li key={text}>
          <button
            type="button"
            class="chip is-set"
            aria-label={`Remove the filter ${text}`}
            onClick={() => onChange(without)}
          >
            {isolated(text)} <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
