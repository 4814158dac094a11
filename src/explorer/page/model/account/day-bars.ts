/** Usage by day as bars: a place for each day, also for those without usage. Days are UTC. */
import { usdText, wholeText } from '../wording.ts'

/** Sales of a day. */
export interface DayFigures {
  readonly day: string
  readonly queries: number
  readonly cost_usd: number
}

/** The figure of each day that a chart shows. */
export type DayMeasure = 'cost_usd' | 'queries'

/** A bar in a field of its own units; y downwards. */
interface DayBar {
  readonly day: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Text of its tooltip. */
  readonly text: string
}

/** The field that the bars are drawn in. */
export const barsField = { width: 720, height: 140 } as const

/** Fraction of a day's width that its bar takes. */
const barShare = 0.72

/** The bars of days, and the value of the highest. */
export function barsOf(
  days: readonly DayFigures[],
  measure: DayMeasure,
): { readonly bars: readonly DayBar[]; readonly most: number } {
  const most = Math.max(0, ...days.map((each) => each[measure]))
  const place = barsField.width / Math.max(1, days.length)
  const bars = days.map((each, index) => {
    const value = each[measure]
    // A value above 0 has a visible bar.
    const height = value === 0 ? 0 : Math.max(2, (value / most) * barsField.height)
    return {
      day: each.day,
      x: tenth((index + (1 - barShare) / 2) * place),
      y: tenth(barsField.height - height),
      width: tenth(place * barShare),
      height: tenth(height),
      text: `${each.day}: ${usdText(each.cost_usd)}, ${wholeText(each.queries)} queries`,
    }
  })
  return { bars, most }
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10
}

/** An amount of a measure in words. */
export function measureText(value: number, measure: DayMeasure): string {
  return measure === 'cost_usd' ? usdText(value) : wholeText(value)
}

/** Text alternative of a chart. */
export function barsText(days: readonly DayFigures[], measure: DayMeasure): string {
  const name = measure === 'cost_usd' ? 'Cost' : 'Queries'
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return `${name} by day: no days.`
  const sum = days.reduce((total, each) => total + each[measure], 0)
  const highest = days.reduce((most, each) => (each[measure] > most[measure] ? each : most))
  const all = `${name} by day from ${first.day} to ${last.day}: ${measureText(sum, measure)} in all`
  return sum === 0
    ? `${all}.`
    : `${all}, most on ${highest.day}: ${measureText(highest[measure], measure)}.`
}

/** Every day of a range with its sums; a day without usage has zeros. */
export function everyDay(
  known: readonly DayFigures[],
  lastDay: string,
  count: number,
): readonly DayFigures[] {
  const sums = new Map<string, DayFigures>()
  for (const { day, queries, cost_usd: cost } of known) {
    const before = sums.get(day) ?? { day, queries: 0, cost_usd: 0 }
    // Cents of a cent add up as whole numbers.
    const micro = Math.round(before.cost_usd * 1e6) + Math.round(cost * 1e6)
    sums.set(day, { day, queries: before.queries + queries, cost_usd: micro / 1e6 })
  }
  const lastMs = Date.parse(lastDay)
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(lastMs - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10)
    return sums.get(day) ?? { day, queries: 0, cost_usd: 0 }
  })
}
