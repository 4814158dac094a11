/** What came of the bench, and the tables of it. */
import { table } from '../shared/report.ts'
import { median } from '../shared/rounds.ts'
import { type OrderName, orderNames } from './orders.ts'
import type { Quality } from './quality.ts'

/** NDCG@10 in one kind of community, an element for each seed. */
interface QualityRow {
  readonly community: string
  readonly qualities: readonly Quality[]
}

export interface Standing {
  /** In the topic, 1 being the top. */
  readonly rank: number
  /** 0 to 100. */
  readonly score: number
}

/** What one farm does, an element for each seed, and in each a standing for each size. */
interface FarmRow {
  readonly farm: string
  readonly lifts: readonly (readonly Standing[])[]
}

export interface RankingResult {
  /** How many fakes a farm has; the first is none. */
  readonly fakes: readonly number[]
  readonly qualities: readonly QualityRow[]
  readonly farms: readonly FarmRow[]
}

export function report({ qualities, farms, fakes }: RankingResult): string[] {
  const last = fakes.length - 1
  const liftBy =
    (value: (standing: Standing) => number, size: number, digits = 0) =>
    ({ lifts }: (typeof farms)[number]) =>
      spread(
        lifts.map((standings) => value(standings[size]!)),
        digits,
      )
  const most = fakes[last]!.toLocaleString('en')
  return [
    ...table(qualities, {
      community: ({ community }) => community,
      ...Object.fromEntries(
        orderNames.map((name) => [name, (row: QualityRow) => meanOf(row, name)]),
      ),
    }),
    '',
    ...table(farms, {
      farm: ({ farm }) => farm,
      ...Object.fromEntries(
        fakes.map((count, size) => [
          size === 0 ? 'topic rank' : `with ${count.toLocaleString('en')}`,
          liftBy(({ rank }) => rank, size),
        ]),
      ),
      score: liftBy(({ score }) => score, 0, 1),
      [`score with ${most}`]: liftBy(({ score }) => score, last, 1),
    }),
  ]
}

/** The mean over the seeds, and the standard deviation of one seed from it. */
function meanOf({ qualities }: QualityRow, name: OrderName): string {
  const values = qualities.map((quality) => quality[name])
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / Math.max(1, values.length - 1))
  return `${mean.toFixed(3)} ± ${deviation.toFixed(3)}`
}

/** The median over the seeds, and from the least to the most where they differ. */
function spread(values: readonly number[], digits: number): string {
  const text = (value: number) => value.toFixed(digits)
  const [least, most] = [text(Math.min(...values)), text(Math.max(...values))]
  return least === most ? least : `${text(median(values))} (${least}–${most})`
}
