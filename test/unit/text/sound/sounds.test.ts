/** The sounds of words, which are written in flat memory, against the same rules on texts, letter by letter. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeKey } from '../../../../src/text/sound/sound-codes.ts'
import { soundKey, soundsOf } from '../../../../src/text/sound/sounds.ts'

/** The sounds that are written in a way of their own: `x` is that of ship, `c` of chip, `j` of jam. */
const ownSounds: Readonly<Record<string, string>> = { q: 'k', w: 'v', z: 's', y: 'i' }

const vowels = 'aeiou'

/**
 * The sounds of a word, those that repeat once. O(letters), a tenth of a microsecond a letter.
 * @param isHard whether `ch` is what it is in Bach, not in chip.
 */
function slowSoundsOf(latin: string, isHard = false): string {
  let sounds = ''
  let last = ''
  for (let at = 0; at < latin.length; at += 1) {
    const sound = soundAt(latin, at, isHard)
    // Sibilants one after the other are heard as one: shch is xc, x or c.
    const isAgain = sound === last || (isSibilant(sound) && isSibilant(last))
    if (!isAgain) sounds += sound
    if (sound !== '') last = sound
  }
  return sounds
}

function isSibilant(sound: string): boolean {
  return sound !== '' && 'sxcj'.includes(sound)
}

/** The sound that begins with a letter; none of one that is heard in the next. */
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
    default:
      // Of ou and oo the second letter is heard, as u.
      if (before === 'o' && letter === 'o') return 'u'
      return ownSounds[letter] ?? letter
  }
}

/** Behind t and s `ch` is never that of Bach. */
function isChip(latin: string, at: number, isHard: boolean): boolean {
  const before = latin[at - 1]
  return !isHard || before === 't' || before === 's' || (before === 'h' && latin[at - 2] === 's')
}

/** The t of ts, tz, tch and tsch, the d of dj and dzh. */
function isHeardInNext(latin: string, at: number): boolean {
  const next = latin[at + 1]
  if (latin[at] === 'd') return next === 'j' || (next === 'z' && latin[at + 2] === 'h')
  return next === 's' || next === 'z' || (next === 'c' && latin[at + 2] === 'h')
}

function codeOf(sound: string): number {
  return sound.charCodeAt(0)
}

/** Sounds that are written in several letters, letters that are heard by their neighbours, and any. */
const written = fc.constantFrom(
  'sch',
  'shch',
  'hch',
  'tch',
  'dj',
  'dzh',
  'ou',
  'ks',
  'ph',
  'ts',
  'cz',
)
const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')
const words = fc
  .array(fc.oneof(written, letter), { maxLength: 40 })
  .map((pieces) => pieces.join(''))

describe('the sounds of a word', () => {
  it('are those that its letters have by their neighbours, of any length', () => {
    fc.assert(
      fc.property(words, fc.boolean(), (word, isHard) => {
        expect(soundsOf(word, isHard)).toBe(slowSoundsOf(word, isHard))
      }),
      { numRuns: 2_000 },
    )
  })

  it('of letters of another script are these letters, those that repeat once', () => {
    expect(soundsOf('ввано')).toBe('вано')
  })

  it('have the key that they have as a text', () => {
    const key = new Uint32Array(200)
    fc.assert(
      fc.property(words, (word) => {
        const sounds = soundsOf(word)
        const length = writeKey(Uint32Array.from(sounds, codeOf), sounds.length, key)
        expect(String.fromCharCode(...key.subarray(0, length))).toBe(soundKey(sounds))
      }),
      { numRuns: 2_000 },
    )
  })
})
