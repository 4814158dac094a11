/** The history of a rank or a score as a small chart, with its values in words beside it. */
import type { HistoryMoment } from '../model/answers.ts'
import { chartSize, chartText, type Measure, sinceText, stepChart } from '../model/moments.ts'
import { isolated, scoreText, wholeText } from '../model/wording.ts'
import { ColumnHeads } from './column-heads.tsx'

interface Props {
  readonly moments: readonly HistoryMoment[]
  readonly measure: Measure
}

function StepChart({ moments, measure }: Props) {
  const { path, end } = stepChart(moments, measure)
  const { width, height } = chartSize
  return (
    <svg
      class={`step-chart ${measure}`}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={chartText(moments, measure)}
    >
      <path d={path} />
      {end !== undefined && <circle cx={end.x} cy={end.y} r="3" />}
    </svg>
  )
}

/** A history: two charts and the same facts as a table. */
export function HistoryCharts({ moments }: { moments: readonly HistoryMoment[] }) {
  const [last] = moments
  if (last === undefined) return <p class="muted">Nothing is known of how this came to be.</p>
  if (moments.length === 1) {
    return <p class="muted">Unchanged since {sinceText(last)}, as far back as changes are kept.</p>
  }
  return (
    <>
      <div class="charts">
        <figure>
          <figcaption>
            Authority score <b class="number">{valueText(last, 'authority_score')}</b>
          </figcaption>
          <StepChart moments={moments} measure="authority_score" />
        </figure>
        <figure>
          <figcaption>
            Rank in {isolated(last.topic ?? '')} <b class="number">{valueText(last, 'rank')}</b>
          </figcaption>
          <StepChart moments={moments} measure="rank" />
        </figure>
      </div>
      <details>
        <summary>The same as a table</summary>
        <table class="facts-table">
          <ColumnHeads names={['Since', 'Topic', 'Rank', 'Score']} ofNumbers={['Rank', 'Score']} />
          <tbody>
            {moments.map((moment) => (
              <tr key={moment.snapshot_id}>
                <th scope="row">{sinceText(moment)}</th>
                <td>{moment.topic ?? 'not in the index'}</td>
                <td class="number">{valueText(moment, 'rank')}</td>
                <td class="number">{valueText(moment, 'authority_score')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

function valueText(moment: HistoryMoment, measure: Measure): string {
  const value = moment[measure]
  if (value === null) return moment.topic === null ? '–' : 'behind 50'
  return measure === 'rank' ? wholeText(value) : scoreText(value)
}
