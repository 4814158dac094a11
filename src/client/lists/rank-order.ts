/**
 * The order of ranked sources, as the service has it: by rank in the topic, then by authority score, equal
 * scores by SDU as a number, then sources without a known author; equals in the order of the request.
 * Parts of a list that were ranked on their own are merged by it.
 */

/** The fields that the order depends on. */
export const orderingFields = ['sdu', 'authority_score', 'rank'] as const

/** An item with them; `index` is its place in the request, from 0. */
export interface RankedItem {
  readonly sdu: string | null
  readonly authority_score: number | null
  readonly rank: number | null
  readonly index: number
}

/**
 * Merges answers to the parts of a list into the order of the whole; places are those in the whole.
 * @param lengths of the parts.
 */
export function mergedRanks<Item extends RankedItem>(
  lengths: readonly number[],
  answers: readonly (readonly Item[])[],
  hasTopic: boolean,
): Item[] {
  let before = 0
  const all = answers.flatMap((items, part) => {
    const moved = items.map((item) => ({ ...item, index: before + item.index }))
    before += lengths[part]!
    return moved
  })
  return all.sort((a, b) => compareRanked(a, b, hasTopic) || a.index - b.index)
}

function compareRanked(a: RankedItem, b: RankedItem, hasTopic: boolean): number {
  if (hasTopic && a.rank !== b.rank) return (a.rank ?? Infinity) < (b.rank ?? Infinity) ? -1 : 1
  if (a.sdu === null || b.sdu === null) return Number(a.sdu === null) - Number(b.sdu === null)
  return b.authority_score! - a.authority_score! || compareSdus(a.sdu, b.sdu)
}

/** Compares SDUs by number, fewer leading zeros first. */
function compareSdus(a: string, b: string): number {
  const [x, y] = [a, b].map((sdu) => sdu.replace(/^0+(?=\d)/, '')) as [string, string]
  if (x.length !== y.length) return x.length - y.length
  if (x !== y) return x < y ? -1 : 1
  return a.length - b.length
}
