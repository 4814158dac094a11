/**
 * The sounds of names: the sounds of a word, a letter each; a key of its consonants that spellings of one name
 * share (`Tchaikovsky`, `Tschaikowski`, `Чайковский`); and the distance of two words.
 *
 * Invariant: the key proposes, the distance decides. Words are in the letters a to z (`latin.ts`).
 */
import { lazily } from '../lazily.ts'

const vowels = 'aeiou'

/**
 * Consonants that one may hear for another: the first of them stands for all in a key. `x` is the sound of ship, `c` of
 * chip, `j` of jam.
 */
const alike: Readonly<Record<string, string>> = {
  x: 's',
  c: 's',
  j: 's',
  v: 'f',
  g: 'k',
  d: 't',
  b: 'p',
}

function heardOf(sound: string): string {
  return alike[sound] ?? sound
}

function isSibilant(sound: string): boolean {
  return sound === 's' || sound === 'x' || sound === 'c' || sound === 'j'
}

/** Sounds of most words; memory for a longer one is made for it. */
const soundsUsually = 128
const dropScratch = new Float64Array(soundsUsually)
const rowScratch = new Float64Array(soundsUsually)

/**
 * The sounds of a word, those that repeat once. O(letters).
 * @param isHard whether `ch` is what it is in Bach, not in chip.
 */
export function soundsOf(latin: string, isHard = false): string {
  let sounds = ''
  let last = ''
  for (let at = 0; at < latin.length; at += 1) {
    const sound = soundAt(latin, at, isHard)
    if (sound === '') continue
    // Sibilants one after the other are heard as one: shch is xc, x or c.
    const isAgain = sound === last || (isSibilant(sound) && isSibilant(last))
    last = sound
    if (!isAgain) sounds += sound
  }
  return sounds
}

/** The sound that begins with a letter among others; none of one that is heard in the next. */
function soundAt(latin: string, at: number, isHard: boolean): string {
  const letter = latin[at]!
  const before = latin[at - 1]
  const next = latin[at + 1]
  switch (letter) {
    case 'c':
      if (next === 'h') return isChip(latin, at, isHard) ? (before === 's' ? 'x' : 'c') : 'k'
      if (next === 'z') return 'c'
      return next === 'e' || next === 'i' || next === 'y' ? 's' : 'k'
    case 'h':
      return before === undefined || vowels.includes(before) ? 'h' : ''
    case 'j':
      return at === 0 || before === 'd' ? 'j' : next === undefined ? '' : 'i'
    case 'o':
      // Of ou and oo the second letter is heard.
      return next === 'u' || next === 'o' ? '' : 'o'
    case 'p':
      return next === 'h' ? 'f' : 'p'
    case 's':
      if (next === 'h') return 'x'
      return next === 'c' && latin[at + 2] === 'h' ? '' : 's'
    case 't':
    case 'd':
      return isHeardInNext(latin, at) ? '' : letter
    case 'x':
      return at === 0 ? 'x' : 'ks'
    case 'z':
      return next === 'h' ? 'j' : before === 'c' ? '' : 's'
    case 'q':
      return 'k'
    case 'w':
      return 'v'
    case 'y':
      return 'i'
    default:
      return letter
  }
}

/** Behind t and s `ch` is never that of Bach. */
function isChip(latin: string, at: number, isHard: boolean): boolean {
  if (!isHard || at === 0) return !isHard
  const before = latin[at - 1]
  return before === 't' || before === 's' || (before === 'h' && latin[at - 2] === 's')
}

/** The t of ts, tz, tch and tsch, the d of dj and dzh. */
function isHeardInNext(latin: string, at: number): boolean {
  const next = latin[at + 1]
  if (latin[at] === 'd') return next === 'j' || (next === 'z' && latin[at + 2] === 'h')
  return next === 's' || next === 'z' || (next === 'c' && latin[at + 2] === 'h')
}

export function soundSpellingsOf(latin: string): readonly string[] {
  return latin.includes('ch') ? [soundsOf(latin), soundsOf(latin, true)] : [soundsOf(latin)]
}

/** The consonants among some sounds, those alike as one; a v at the end is not heard everywhere. */
export function soundKey(sounds: string): string {
  return keyEnded(keyOn(keyBegun, sounds))
}

export interface KeySoFar {
  readonly key: string
  /** The last sound; empty for a vowel. */
  readonly last: string
  /** The key as it is if nothing follows: without a v at the end. */
  readonly open: number
}

export const keyBegun: KeySoFar = { key: '', last: '', open: 0 }

export function keyOn(begun: KeySoFar, sounds: string): KeySoFar {
  let { key, last, open } = begun
  for (let at = 0; at < sounds.length; at += 1) {
    const sound = sounds[at]!
    open = key.length
    if (sound === 'h') continue
    const heard = vowels.includes(sound) ? '' : heardOf(sound)
    if (heard !== '' && heard !== last) key += heard
    if (heard !== 'f') open = key.length
    last = heard
  }
  return { key, last, open }
}

export function keyEnded({ key, open }: KeySoFar): string {
  return key.slice(0, open)
}

/** Costs of hearing one vowel for another, or none; and of an h, or a consonant for its like. */
const vowelCost = 0.5
const softCost = 0.25
/** Of a vowel at the end, which tells names from one another: Maria, Marie; Petrov, Petrova. */
const lastVowelCost = 1
/** Of an e at the end, which French and English do not say. */
const lastECost = 0.25
/** In a script that hardly writes vowels. */
const freeCost = 0.1
/** Another consonant: more than any bound allows. */
const otherCost = 3

/** What it costs to hear one sound for another, or none: each sound is a code below 128. */
export interface SoundCosts {
  /** For each other one; of the last two sounds a table of its own. */
  readonly exchanges: Float64Array
  readonly atEnd: Float64Array
  /** Of a sound of the first word that the second has not, and the other way round. */
  readonly added: (sounds: string, at: number) => number
  readonly unheard: (sounds: string, at: number) => number
}

const codes = 128

/** A table of the costs of all pairs; 0 for equal ones. 128 KiB. */
export function exchangesOf(costOf: (one: string, other: string) => number): Float64Array {
  const costs = new Float64Array(codes * codes)
  for (let one = 0; one < codes; one += 1) {
    for (let other = 0; other < codes; other += 1) {
      if (one === other) continue
      costs[one * codes + other] = costOf(String.fromCharCode(one), String.fromCharCode(other))
    }
  }
  return costs
}

function exchangesByVowel(vowel: number): Float64Array {
  return exchangesOf((one, other) => {
    if (heardOf(one) === heardOf(other)) return softCost
    return vowels.includes(one) && vowels.includes(other) ? vowel : otherCost
  })
}

function costsByVowel(vowel: number, atEnd: number): SoundCosts {
  const dropped = (sounds: string, at: number) => dropCost(sounds, at, vowel)
  const exchanges = exchangesByVowel(vowel)
  return { exchanges, atEnd: exchangesByVowel(atEnd), added: dropped, unheard: dropped }
}

/** Of words of one script, and of a script that hardly writes vowels; made by the first word. */
const usualCosts = lazily(() => costsByVowel(vowelCost, lastVowelCost))
const freeCosts = lazily(() => costsByVowel(freeCost, freeCost))

/**
 * The distance of two words by their sounds: 0 for the same ones. O(sounds²).
 * @param areVowelsFree of a script that hardly writes them.
 * @param most a distance beyond it is any number above it, as the first sounds of most words show already.
 */
export function soundDistance(
  one: string,
  other: string,
  areVowelsFree = false,
  most = Number.POSITIVE_INFINITY,
): number {
  return distanceBy(areVowelsFree ? freeCosts() : usualCosts(), one, other, most)
}

/** The same by any costs. */
export function distanceBy(
  { exchanges, atEnd, added, unheard }: SoundCosts,
  one: string,
  other: string,
  most: number,
): number {
  const isLong = other.length >= rowScratch.length
  const drops = isLong ? new Float64Array(other.length) : dropScratch
  const row = isLong ? new Float64Array(other.length + 1) : rowScratch
  row[0] = 0
  for (let at = 0; at < other.length; at += 1) {
    drops[at] = unheard(other, at)
    row[at + 1] = row[at]! + drops[at]!
  }
  for (let from = 0; from < one.length; from += 1) {
    const more = added(one, from)
    const codeRow = one.charCodeAt(from) * codes
    let diagonal: number = row[0]!
    let least: number = diagonal + more
    row[0] = least
    for (let to = 0; to < other.length; to += 1) {
      const isEnd = from === one.length - 1 && to === other.length - 1
      const instead = diagonal + (isEnd ? atEnd : exchanges)[codeRow + other.charCodeAt(to)]!
      diagonal = row[to + 1]!
      const nearest = Math.min(instead, diagonal + more, row[to]! + drops[to]!)
      row[to + 1] = nearest
      if (nearest < least) least = nearest
    }
    // A path through this row costs as much already.
    if (least > most) return least
  }
  return row[other.length]!
}

function dropCost(sounds: string, at: number, vowel: number): number {
  const sound = sounds[at]!
  if (vowels.includes(sound)) {
    if (at !== sounds.length - 1 || vowel === freeCost) return vowel
    return sound === 'e' ? lastECost : lastVowelCost
  }
  if (sound === 'h') return softCost
  return sound === 'v' && vowel === freeCost ? vowel : otherCost
}
