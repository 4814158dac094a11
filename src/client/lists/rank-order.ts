/**
 * The order of ranked sources, as the service has it: by rank in the topic, then by authority score, equal
 * scores by SDU as a number, then sources without a known author; equals in the order of the request.
 * Parts of a list that were ranked on their own are merged by it.
 */

/** What the order depends on. */
export interface RankedItem {
  readonly source: string
  readonly sdu: string | null
  readonly authority_score: number | null
  readonly rank: number | null
}

/** Merges answers to the parts of a list into the order of the whole. */
export function mergedRanks<Item extends RankedItem>(
  parts: readonly (readonly string[])[],
  answers: readonly (readonly Item[])[],
  hasTopic: boolean,
): Item[] {
  let before = 0
  const placed = parts.flatMap((part, number) => {
    const places = new Map<string, number[]>()
    part.forEach((source, at) => {
      const known = places.get(source)
      if (known === undefined) places.set(source, [before + at])
      else known.push(before + at)
    })
    before += part.length
    return answers[number]!.map((item) => ({
      item,
      at: places.get(item.source)?.shift() ?? before,
    }))
  })
  placed.sort((a, b) => compareRanked(a.item, b.item, hasTopic) || a.at - b.at)
  return placed.map(({ item }) => item)
}

function compareRanked(a: RankedItem, b: RankedItem, hasTopic: boolean): number {
  if (hasTopic && a.rank !== b.rank) return (a.rank ?? Infinity) < (b.rank ?? Infinity) ? -1 : 1
  if (a.sdu === null || b.sdu === null) return Number(a.sdu === null) - Number(b.sdu === null)
  return b.authority_score! - a.authority_score! || compareSdus(a.sdu, b.sdu)
}

/** By number, fewer leading zeros first. */
function compareSdus(a: string, b: string): number {
  const [x, y] = [a, b].map((sdu) => sdu.replace(/^0+(?=\d)/, '')) as [string, string]
  if (x.length !== y.length) return x.length - y.length
  if (x !== y) return x < y ? -1 : 1
  return a.length - b.length
}
