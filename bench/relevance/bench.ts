/** Whether a search finds who is meant, and nobody where nobody is, beside MiniSearch. */
import type { Bench, BenchOptions } from '../shared/bench.ts'
import type { SourceRecords } from '../shared/data/records.ts'
import { type Answered, ask, isGood, type Row, report, reportOfWays } from './endings.ts'
import { type Find, miniSearch, ours, service, snapshotOf, withoutEachWay } from './engines.ts'
import { recordsByName, type Text, textsOf } from './tables.ts'

export interface RelevanceResult {
  readonly rows: readonly Row[]
  readonly answered: readonly (Answered & { readonly name: string | undefined })[]
}

/** There is no clock in it: a tiny run asks what a full one asks. */
export const relevanceBench: Bench = {
  name: 'relevance',
  flags: ['sets', 'show', 'ways'],
  run: async (options) => {
    const result = await run(options)
    const tables = options.flags?.ways === undefined ? report : reportOfWays
    const lines = [...tables(result.rows), ...shown(result, options.flags?.show)]
    return { lines }
  },
}

/** What is listed: all that is wrong, what ended so, or a kind; never of the half that is held out. */
function shown({ answered }: RelevanceResult, what = ''): string[] {
  return answered
    .filter(({ half }) => half === 'tuning')
    .filter(
      (each) => what === each.ending || what === each.kind || (what === 'wrong' && !isGood(each)),
    )
    .map(({ set, records, kind, text, ending, name = '-' }) =>
      [ending, set, records, kind, text, `→ ${name}`].join('\t'),
    )
}

export async function run({ flags, report: say }: BenchOptions): Promise<RelevanceResult> {
  const sets = flags?.sets?.split(',')
  const records = recordsByName()
  const rows: Row[] = []
  const answered: RelevanceResult['answered'][number][] = []
  for (const [name, texts] of textsOf(records, (set) => sets?.includes(set) ?? true)) {
    say(`${texts.length} texts: ${name}`)
    const source = records.get(name)!
    const engines = await openEngines(source, flags?.ways !== undefined)
    for (const alike of alikeOf(texts)) {
      const { set, kind, half } = alike[0]!
      const asked = ask({ set, records: name, kind, half }, alike, engines)
      rows.push(asked.row)
      for (const each of asked.answered) {
        answered.push({ ...each, name: source.authorities[each.found ?? -1]?.name })
      }
    }
  }
  return { rows, answered }
}

function alikeOf(texts: readonly Text[]): readonly (readonly Text[])[] {
  const groups = new Map<string, Text[]>()
  for (const each of texts) {
    const key = `${each.set} ${each.kind} ${each.half}`
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()]
}

/** @param isOfWays opens the service without each of its ways in place of MiniSearch. */
async function openEngines(
  records: SourceRecords,
  isOfWays: boolean,
): Promise<ReadonlyMap<string, Find>> {
  const snapshot = await snapshotOf(records)
  const others = isOfWays
    ? withoutEachWay(snapshot, records)
    : new Map([['MiniSearch', miniSearch(records)]])
  return new Map([[service, ours(snapshot, records)], ...others])
}
