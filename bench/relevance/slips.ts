/** Slips of the hand: one letter too many, too few, another one, or two that changed places. */
import type { Random } from '../shared/random.ts'

/** The four ways to slip. */
const slips = ['insertion', 'deletion', 'substitution', 'transposition'] as const

/** A word with one slip in it; letters that it lacks are drawn from `letters`. */
export function slipped(word: string, letters: readonly string[], random: Random): string {
  const units = [...word]
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
 * 1964). Fast where there are few.
 */
export function withinSlips(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most) return false
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  if (same === one.length && same === other.length) return true
  if (most === 0) return false
  const [a, b] = [one.slice(same), other.slice(same)]
  return (
    withinSlips(a.slice(1), b.slice(1), most - 1) ||
    withinSlips(a.slice(1), b, most - 1) ||
    withinSlips(a, b.slice(1), most - 1) ||
    (a.length > 1 &&
      a[0] === b[1] &&
      a[1] === b[0] &&
      withinSlips(a.slice(2), b.slice(2), most - 1))
  )
}
