/** Usage by day: bars, and the same as a table. It knows no session, so that any page can show it. */
import { useState } from 'preact/hooks'
import {
  barsField,
  barsOf,
  barsText,
  type DayFigures,
  type DayMeasure,
  measureText,
} from '../../model/account/day-bars.ts'
import { usdText, wholeText } from '../../model/wording.ts'
import { ColumnHeads } from '../column-heads.tsx'

const measures = { cost_usd: 'Cost', queries: 'Queries' } as const
const measureNames = Object.keys(measures) as DayMeasure[]

export function DayChart({ days }: { days: readonly DayFigures[] }) {
  const [measure, setMeasure] = useState<DayMeasure>('cost_usd')
  return (
    <div class="day-chart">
      <fieldset class="tabs" aria-label="What the chart shows">
        {measureNames.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === measure}
            onClick={() => setMeasure(name)}
          >
            {measures[name]}
          </button>
        ))}
      </fieldset>
      <Bars days={days} measure={measure} />
      <details>
        <summary>The same as a table</summary>
        <DayTable days={days} />
      </details>
    </div>
  )
}

interface BarsProps {
  readonly days: readonly DayFigures[]
  readonly measure: DayMeasure
}

function Bars({ days, measure }: BarsProps) {
  const { bars, most } = barsOf(days, measure)
  const { width, height } = barsField
  return (
    <figure class="day-bars">
      <figcaption class="muted small">
        {most === 0 ? 'Nothing was sold on these days.' : `Highest: ${measureText(most, measure)}`}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={barsText(days, measure)}
      >
        {bars.map(({ day, text, ...box }) => (
          <g key={day}>
            <rect class="day-place" x={box.x} width={box.width} y="0" height={height}>
              <title>{text}</title>
            </rect>
            <rect class="day-bar" {...box}>
              <title>{text}</title>
            </rect>
          </g>
        ))}
      </svg>
      <p class="day-ends muted small" aria-hidden="true">
        <span>{days[0]?.day}</span>
        <span>{days.at(-1)?.day}</span>
      </p>
    </figure>
  )
}

/** Days with usage, the last first. */
function DayTable({ days }: { days: readonly DayFigures[] }) {
  const used = days.filter(({ queries }) => queries > 0).toReversed()
  if (used.length === 0) return <p class="muted">Nothing was sold on these days.</p>
  return (
    <table class="facts-table">
      <ColumnHeads names={['Day (UTC)', 'Queries', 'Cost']} ofNumbers={['Queries', 'Cost']} />
      <tbody>
        {used.map(({ day, queries, cost_usd: cost }) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            <td class="number">{wholeText(queries)}</td>
            <td class="number">{usdText(cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
