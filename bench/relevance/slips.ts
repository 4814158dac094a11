/** Slips of the hand: one letter too many, too few, another one, or two that changed places. */
import type { Random } from '../../test/support/random.ts'
import { keysOf, typed } from './hangul.ts'

/** The four ways to slip. */
const slips = ['insertion', 'deletion', 'substitution', 'transposition'] as const

/**
 * A word with one slip in it; letters that it lacks are drawn from `letters`. In Hangul half of the
 * slips are of a key, which may be any of those in the letters, the others of a whole syllable.
 */
export function slipped(word: string, letters: readonly string[], random: Random): string {
  const keys = keysOf(word)
  if (keys === undefined || random.chance(0.5)) return slippedIn([...word], letters, random)
  const others = keysOf(random.pick(letters)) ?? keys
  return typed([...slippedIn(keys, others, random)])
}

function slippedIn(units: readonly string[], letters: readonly string[], random: Random): string {
  const last = units.length - 1
  const at = random.below(units.length)
  switch (random.pick(slips)) {
    case 'insertion':
      return [...units.slice(0, at), random.pick(letters), ...units.slice(at)].join('')
    case 'deletion':
      return [...units.slice(0, at), ...units.slice(at + 1)].join('')
    case 'substitution':
      return [...units.slice(0, at), random.pick(letters), ...units.slice(at + 1)].join('')
    case 'transposition': {
      const from = Math.max(0, Math.min(at, last - 1))
      const [left = '', right = ''] = units.slice(from, from + 2)
      return [...units.slice(0, from), right, left, ...units.slice(from + 2)].join('')
    }
  }
}

/**
 * Whether a text becomes the other by at most so many slips (optimal string alignment, Damerau
 * 1964); in Hangul of syllables or of keys. Fast where there are few.
 */
export function withinSlips(one: string, other: string, most: number): boolean {
  if (isWithin(one, other, most)) return true
  const keys = keysOf(one)
  const otherKeys = keys && keysOf(other)
  return otherKeys !== undefined && isWithin(keys!.join(''), otherKeys.join(''), most)
}

function isWithin(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most) return false
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  if (same === one.length && same === other.length) return true
  if (most === 0) return false
  const [a, b] = [one.slice(same), other.slice(same)]
  return (
    isWithin(a.slice(1), b.slice(1), most - 1) ||
    isWithin(a.slice(1), b, most - 1) ||
    isWithin(a, b.slice(1), most - 1) ||
    (a.length > 1 && a[0] === b[1] && a[1] === b[0] && isWithin(a.slice(2), b.slice(2), most - 1))
  )
}
