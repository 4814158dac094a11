/** What came of the attacks, and the tables of it. */
import { table } from '../shared/report.ts'
import { median } from '../shared/rounds.ts'
import type { Quality } from './quality.ts'

/** What an attack costs by start, goal and formula, an element for each topic; Infinity where it never succeeds. */
export interface CostRow {
  readonly attack: string
  readonly costs: Readonly<Record<string, readonly number[]>>
}

/** What a defence does in each world, an element for each topic. */
export interface DefenceRow {
  readonly defence: string
  readonly worlds: readonly {
    readonly world: string
    readonly qualities: readonly Quality[]
    /** The least cost of the first ten from the last place: of everything, and of two attacks. */
    readonly least: readonly number[]
    readonly fakes: readonly number[]
    readonly verified: readonly number[]
    /** Ties that a source has to make up. */
    readonly lies: readonly number[]
    /** Endorsements that are needed beside a thousand fakes that cost nothing. */
    readonly edges: readonly number[]
  }[]
}

/** All that came of a run. */
export interface AttackResult {
  readonly costs: readonly { readonly world: string; readonly rows: readonly CostRow[] }[]
  readonly defences: readonly DefenceRow[]
}

/** A table of costs for each world, and one of the defences. */
export function report({ costs, defences }: AttackResult): string[] {
  const ofWorlds = costs.flatMap(({ world, rows }) => [
    `Costs, ${world}:`,
    '',
    ...table(rows, {
      attack: ({ attack }) => attack,
      ...Object.fromEntries(
        Object.keys(rows[0]!.costs).map((title) => [
          title,
          (row: CostRow) => costText(row.costs[title]!),
        ]),
      ),
    }),
    '',
  ])
  const names = defences[0]!.worlds.map(({ world }) => world)
  const ofDefences = names.flatMap((world, at) => [
    `Defences, ${world}:`,
    '',
    ...table(defences, {
      defence: ({ defence }) => defence,
      'NDCG@10': (row) => meanOf(row.worlds[at]!.qualities.map(({ ndcg }) => ndcg)),
      Spearman: (row) => meanOf(row.worlds[at]!.qualities.map(({ spearman }) => spearman)),
      cheapest: (row) => costText(row.worlds[at]!.least),
      'fakes, mutual': (row) => costText(row.worlds[at]!.fakes),
      'verified fakes': (row) => costText(row.worlds[at]!.verified),
      'ties of a lying source': (row) => costText(row.worlds[at]!.lies),
      'endorsements beside 1,000 free fakes': (row) => costText(row.worlds[at]!.edges),
    }),
    '',
  ])
  return [...ofWorlds, ...ofDefences].slice(0, -1)
}

function meanOf(values: readonly number[]): string {
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3)
}

/** The median; `never` where most topics cannot be bought so. */
function costText(costs: readonly number[]): string {
  const middle = median(costs)
  return Number.isFinite(middle) ? Math.round(middle).toLocaleString('en') : 'never'
}
