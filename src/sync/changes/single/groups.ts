/** The people who left, by what they have in common: a tenth of all people may be a third of those with one word. */
import { profilesOf } from '../../../snapshot/people/profiles.ts'
import { termsOf } from '../../../text/analyzer.ts'
import { type Pair, sampleOf } from '../pair.ts'

/** Minimum number of people in the sample who have a word; rarer words say nothing. */
const holdersMin = 100

/** A word of bios, and the share of the people with it who went. */
interface GroupLoss {
  readonly word: string
  readonly share: number
}

/**
 * The word that lost the largest share of its people. Reads bios only if so many people went that a word
 * can have lost more than `shareMax`.
 */
export function groupGone({ before, successors, stayed }: Pair, shareMax: number): GroupLoss {
  let worst: GroupLoss = { word: '', share: 0 }
  if (successors.length - stayed <= shareMax * holdersMin) return worst
  const profiles = profilesOf(before)
  const held = new Map<string, { had: number; gone: number }>()
  for (const ordinal of sampleOf(successors.length)) {
    const { bio } = JSON.parse(profiles.textAt(ordinal))
    for (const word of new Set(termsOf(bio))) {
      const group = held.get(word) ?? { had: 0, gone: 0 }
      group.had += 1
      if (successors[ordinal]! < 0) group.gone += 1
      held.set(word, group)
    }
  }
  for (const [word, { had, gone }] of held) {
    if (had >= holdersMin && gone / had > worst.share) worst = { word, share: gone / had }
  }
  return worst
}
