/**
 * The sounds of a word and their key, in flat memory: a million words are heard without making a text of any.
 * A sound has the code of its letter.
 *
 * Invariant: `soundsOf` and `soundKey` (`sounds.ts`) say the same of texts.
 */

// The codes of letters.
const a = 0x61
const c = 0x63
const d = 0x64
const e = 0x65
const f = 0x66
const h = 0x68
const i = 0x69
const j = 0x6a
const k = 0x6b
const o = 0x6f
const p = 0x70
const q = 0x71
const s = 0x73
const t = 0x74
const u = 0x75
const v = 0x76
const w = 0x77
const x = 0x78
const y = 0x79
const z = 0x7a
const none = 0
/** The two sounds of an x within a word: one until they are written down. */
const kAndS = 1
/** Codes in a table; a letter or sound beyond it stands for itself. */
const tableSize = 128
/** Letters that sound by those around them. */
const contextual = [c, d, h, j, o, p, s, t, x, z]

/** The sounds of letters that always sound alike, and of q, w and y; none of the others. */
const plainSounds = tableOf([q, k], [w, v], [y, i])
for (const letter of contextual) plainSounds[letter] = none

/**
 * Consonants that one may hear for another: the first of them stands for all in a key. `x` is the sound of ship, `c` of
 * chip, `j` of jam.
 */
export const alike: Readonly<Record<string, string>> = {
  x: 's',
  c: 's',
  j: 's',
  v: 'f',
  g: 'k',
  d: 't',
  b: 'p',
}
const heardAs = tableOf(
  ...Object.entries(alike).map(
    ([sound, heard]) => [sound.charCodeAt(0), heard.charCodeAt(0)] as const,
  ),
)

/** Zeros behind the letters of a word: as many letters are looked at ahead. */
export const letterRoom = 2

/** Sounds that a letter has at most. */
export const soundsPerLetterMax = 2

/**
 * Writes the sounds of a word, those that repeat once; returns how many. O(letters).
 * @param letters with `letterRoom` zeros behind them.
 * @param isHard whether `ch` is what it is in Bach, not in chip.
 */
export function writeSounds(
  letters: Uint32Array,
  length: number,
  isHard: boolean,
  sounds: Uint32Array,
): number {
  let count = 0
  let last = none
  for (let at = 0; at < length; at += 1) {
    const letter = letters[at]!
    const plain = letter < tableSize ? plainSounds[letter]! : letter
    const sound = plain === none ? soundAt(letters, at, isHard) : plain
    if (sound === none) continue
    // Sibilants one after the other are heard as one: shch is xc, x or c.
    const isAgain = sound === last || (heardOf(sound) === s && heardOf(last) === s)
    last = sound
    if (isAgain) continue
    if (sound === kAndS) sounds[count++] = k
    sounds[count++] = sound === kAndS ? s : sound
  }
  return count
}

/** The sound that begins with a letter among others; none of one that is heard in the next. */
function soundAt(letters: Uint32Array, at: number, isHard: boolean): number {
  const letter = letters[at]!
  const before = at === 0 ? none : letters[at - 1]!
  const next = letters[at + 1]!
  switch (letter) {
    case c:
      if (next === h) return isChip(letters, at, isHard) ? (before === s ? x : c) : k
      if (next === z) return c
      return next === e || next === i || next === y ? s : k
    case h:
      return before === none || isVowel(before) ? h : none
    case j:
      return at === 0 || before === d ? j : next === none ? none : i
    case o:
      // Of ou and oo the second letter is heard.
      return next === u || next === o ? none : o
    case p:
      return next === h ? f : p
    case s:
      if (next === h) return x
      return next === c && letters[at + 2] === h ? none : s
    case t:
    case d:
      return isHeardInNext(letters, at) ? none : letter
    case x:
      return at === 0 ? x : kAndS
    default:
      // Only z is left.
      return next === h ? j : before === c ? none : s
  }
}

/** Behind t and s `ch` is never that of Bach. */
function isChip(letters: Uint32Array, at: number, isHard: boolean): boolean {
  if (!isHard || at === 0) return !isHard
  const before = letters[at - 1]!
  return before === t || before === s || (before === h && at > 1 && letters[at - 2] === s)
}

/** The t of ts, tz, tch and tsch, the d of dj and dzh. */
function isHeardInNext(letters: Uint32Array, at: number): boolean {
  const next = letters[at + 1]
  if (letters[at] === d) return next === j || (next === z && letters[at + 2] === h)
  return next === s || next === z || (next === c && letters[at + 2] === h)
}

/**
 * Writes the key of some sounds: the consonants among them, those alike as one; a v at the end is not heard
 * everywhere. Returns its length.
 */
export function writeKey(sounds: Uint32Array, count: number, key: Uint32Array): number {
  let end = 0
  let last = none
  // The end of the key if nothing follows.
  let open = 0
  for (let at = 0; at < count; at += 1) {
    const sound = sounds[at]!
    open = end
    if (sound === h) continue
    const heard = isVowel(sound) ? none : heardOf(sound)
    if (heard !== none && heard !== last) key[end++] = heard
    if (heard !== f) open = end
    last = heard
  }
  return open
}

function heardOf(sound: number): number {
  return sound < tableSize ? heardAs[sound]! : sound
}

function isVowel(letter: number): boolean {
  return letter === a || letter === e || letter === i || letter === o || letter === u
}

/** Each code by itself but for some. */
function tableOf(...others: readonly (readonly [code: number, other: number])[]): Uint8Array {
  const table = Uint8Array.from({ length: tableSize }, (_, code) => code)
  for (const [code, other] of others) table[code] = other
  return table
}
