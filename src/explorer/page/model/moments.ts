/**
 * A history as a small chart: what held when, as steps, because a rank holds from one snapshot until
 * the next that changed it.
 */
import type { HistoryMoment } from './answers.ts'

/** The part of a history that the page shows. */
export type Measure = 'rank' | 'authority_score'

/** A chart in a field of its own units; x to the right, y downwards. */
interface ChartSteps {
  /** The `d` of an SVG path; '' if no value is known. */
  readonly path: string
  /** Position of the last value; undefined if there is none now. */
  readonly end: { readonly x: number; readonly y: number } | undefined
  readonly least: number
  readonly most: number
}

/** The field that charts are drawn in. */
export const chartSize = { width: 240, height: 48, margin: 6 } as const

/**
 * The chart of a history as it is served, the last first. The snapshots stand at even distances: what
 * is charted is what changed, not how long it took. Of ranks the best is on top.
 */
export function stepChart(moments: readonly HistoryMoment[], measure: Measure): ChartSteps {
  const values = moments.toReversed().map((moment) => moment[measure])
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return { path: '', end: undefined, least: 0, most: 0 }
  const least = Math.min(...known)
  const most = Math.max(...known)
  const { width, height, margin } = chartSize
  const step = (width - 2 * margin) / values.length
  const heightOf = (value: number) => {
    const part = most === least ? 0.5 : (value - least) / (most - least)
    const down = measure === 'rank' ? part : 1 - part
    return round(margin + down * (height - 2 * margin))
  }
  const parts = values.map((value, index) => {
    if (value === null) return ''
    const before = index === 0 ? null : values[index - 1]!
    const start = round(margin + index * step)
    const begin = before === null ? `M${start} ` : `H${start}V`
    return `${begin}${heightOf(value)}H${round(margin + (index + 1) * step)}`
  })
  const last = values.at(-1)
  const end = typeof last === 'number' ? { x: width - margin, y: heightOf(last) } : undefined
  return { path: parts.join(''), end, least, most }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Text alternative of a chart. */
export function chartText(moments: readonly HistoryMoment[], measure: Measure): string {
  const name = measure === 'rank' ? 'rank' : 'authority score'
  const told = moments.map((moment) => `${moment[measure] ?? 'none'} since ${sinceText(moment)}`)
  return told.length === 0 ? `No ${name} is known.` : `The ${name}: ${told.join('; ')}.`
}

/** The day from which a rank or score holds, or the snapshot if the day is not known. */
export function sinceText({ at, snapshot_id: id }: HistoryMoment): string {
  return at === null ? `snapshot ${id.slice(0, 8)}` : at.slice(0, 10)
}
