/** Random people with many connections, for syncs that are compared with each other. */
import { Random } from './random.ts'
import type { SourceLines } from './synced-in-process.ts'

const kinds = ['follows', 'mentions', 'co_membership', 'coauthor', 'collaborates', undefined]
/** The last three are kept in 32 bits only after rounding, or weigh more than a pair may. */
const weights = [undefined, 1, 0.5, 2, 0.1, 1 / 3, 50]
const platforms = ['twitter', 'github']

/** A source in which people meet often: many pairs have several connections, some ends are nobody's. */
export function connectedSource(seed: number): SourceLines {
  const random = new Random(seed, 1)
  const people = 2 + random.below(60)
  const authorities = Array.from({ length: people }, (_, index) => ({
    sdu: String(index + 1),
    name: `Person ${index + 1}`,
    topics: [`Topic ${random.below(4)}`, `Field ${random.below(3)}`],
    verified: random.below(20) > 0,
    ...(random.below(3) === 0 && { verified_by: 'passport' }),
    socials: { [platforms[index % 2]!]: { handle: `p${index}`, followers: random.below(5_000) } },
    ...(random.below(10) === 0 && { authority_score: random.below(100) }),
  }))
  const end = () => {
    const kind = random.below(12)
    if (kind === 0) return `${platforms[random.below(2)]}:p${random.below(people + 20)}`
    if (kind === 1) return String(people + 1 + random.below(2))
    return String(1 + random.below(people))
  }
  const isSingle = seed % 2 === 0
  const connections = Array.from({ length: random.below(1_500) }, () => ({
    from: end(),
    to: end(),
    weight: weights[random.below(isSingle ? 4 : weights.length)],
    kind: kinds[random.below(kinds.length)],
  }))
  return { authorities, connections: [...connections, '{"from":"1"', { from: 7, to: '2' }] }
}
