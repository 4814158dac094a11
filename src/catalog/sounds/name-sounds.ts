/**
 * The terms of names by how they sound: made once, when a snapshot is loaded, into memory that all threads
 * share, about 10 bytes a term.
 *
 * Invariant: only hashes are kept, so whoever finds a term by one compares it (`src/text/sound/sounds.ts`).
 */
import { shared } from '../../memory/shared-column.ts'
import { textAt } from '../../memory/text-table.ts'
import type { Sections } from '../../snapshot/sections.ts'
import { isForeign, isVowelless, latinOf } from '../../text/sound/latin.ts'
import { soundKey, soundsOf } from '../../text/sound/sounds.ts'

/** Terms by the hash of a sound, as plain columns that can be handed to another thread. */
export interface NameSounds {
  /** Terms by bucket: of bucket b from `starts[b]` to `starts[b + 1]`; the buckets are a power of two. */
  readonly starts: Uint32Array
  readonly hashes: Uint32Array
  readonly terms: Uint32Array
}

/** A word in Latin letters, and whether it was written without vowels. */
export interface HeardWord {
  readonly latin: string
  readonly isVowelless: boolean
}

/** Consonants of the shortest key that finds a term. */
const keyMin = 2
/** Letters of the longest word that has a sound: no name is longer. */
const lettersMax = 32

const letters = /^[\p{L}\p{M}]{2,}$/u

/** What a word is found by: the keys of its sounds, `ch` in both ways; in a script without vowels w as one, too. */
export function keysOf({ latin, isVowelless: isBare }: HeardWord): string[] {
  if (latin.length > lettersMax) return []
  const keys = new Set([soundKey(soundsOf(latin))])
  if (latin.includes('ch')) keys.add(soundKey(soundsOf(latin, true)))
  if (isBare) keys.add(soundKey(soundsOf(latin.replace(/[vw]/g, 'u'))))
  return [...keys].filter(({ length }) => length >= keyMin)
}

/** What a word of another script is found by, too: its letters in Latin ones. */
export function latinKey(latin: string): string {
  return `=${latin}`
}

/** The sounds of all terms that names hold: 2 µs a term. @param rest called between steps of some terms. */
export function nameSoundsOf(sections: Sections, rest: () => void = () => {}): NameSounds {
  const texts = { text: sections['term.text'], ends: sections['term.ends'] }
  const lists = sections['name.starts']
  const hashes: number[] = []
  const terms: number[] = []
  for (let term = 0; term < texts.ends.length; term += 1) {
    if (term % 256 === 0) rest()
    if (lists[term] === lists[term + 1]) continue
    const text = textAt(texts, term)
    if (!letters.test(text)) continue
    const latin = latinOf(text)
    const keys = keysOf({ latin, isVowelless: isVowelless(text) })
    if (isForeign(text) && latin.length > 1 && latin.length <= lettersMax)
      keys.push(latinKey(latin))
    for (const key of keys) {
      hashes.push(hashOf(key))
      terms.push(term)
    }
  }
  return inBuckets(hashes, terms)
}

function inBuckets(hashes: readonly number[], terms: readonly number[]): NameSounds {
  const buckets = 2 ** Math.floor(Math.log2(Math.max(1, hashes.length / 2)))
  const starts = shared(buckets + 1)
  for (const hash of hashes) starts[(hash & (buckets - 1)) + 1]! += 1
  for (let bucket = 1; bucket <= buckets; bucket += 1) starts[bucket]! += starts[bucket - 1]!
  const ends = starts.slice()
  const table = { starts, hashes: shared(hashes.length), terms: shared(hashes.length) }
  hashes.forEach((hash, index) => {
    const place = ends[hash & (buckets - 1)]!
    ends[hash & (buckets - 1)] = place + 1
    table.hashes[place] = hash
    table.terms[place] = terms[index]!
  })
  return table
}

/** The first so many terms of a key. */
export function termsOfKey(
  { starts, hashes, terms }: NameSounds,
  key: string,
  most: number,
): number[] {
  const hash = hashOf(key)
  const bucket = hash & (starts.length - 2)
  const end = starts[bucket + 1]!
  const found: number[] = []
  for (let at = starts[bucket]!; at < end && found.length < most; at += 1) {
    if (hashes[at] === hash) found.push(terms[at]!)
  }
  return found
}

/** FNV-1a over UTF-16 units, with murmur3's finaliser. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
