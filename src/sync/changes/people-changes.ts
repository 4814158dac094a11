/**
 * People who left, by what they have in common: a tenth of all people may be a third of those with one word. And
 * newcomers beyond their number: groups that only know each other, and people who are there already.
 */
import { StoredPeers } from '../../snapshot/people/peer-lists.ts'
import { Profiles } from '../../snapshot/people/profiles.ts'
import { termsOf } from '../../text/analyzer.ts'
import { plainLettersOf } from '../../text/related/lookalikes.ts'
import { type Pair, personNamesOf, sampleOf, shareOf } from './pair.ts'

/** Rarer words say nothing. */
const holdersMin = 100

/** Reads bios only if so many people went that a word can have lost more than `shareMax`. */
export function groupGone({ before, successors, stayed }: Pair, shareMax: number) {
  let worst = { word: '', share: 0 }
  if (successors.length - stayed <= shareMax * holdersMin) return worst
  const profiles = new Profiles(before)
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

/** Of new people who are connected with new ones only. O(peers of the new). */
export function islanders({ next, predecessors }: Pair): number {
  const lists = new StoredPeers(next.sections)
  let count = 0
  predecessors.forEach((was, ordinal) => {
    if (was >= 0) return
    const peers = lists.of(ordinal)
    if (peers.length > 0 && peers.every((peer) => predecessors[peer]! < 0)) count += 1
  })
  return count
}

/**
 * As a share of the people before. Names are read only if there are enough new people to matter.
 */
export function peopleTwice(
  { before, next, predecessors, successors, stayed }: Pair,
  shareMax: number,
): number {
  const added = predecessors.length - stayed
  if (added <= shareMax * successors.length) return 0
  const [nameBefore, nameNext] = [personNamesOf(before), personNamesOf(next)]
  const known = new Set<string>()
  successors.forEach((successor, ordinal) => {
    if (successor >= 0) known.add(plainLettersOf(nameBefore(ordinal)))
  })
  let twice = 0
  predecessors.forEach((was, ordinal) => {
    if (was < 0 && known.has(plainLettersOf(nameNext(ordinal)))) twice += 1
  })
  return shareOf(twice, successors.length)
}
