/**
 * Hangul as fingers type it: syllables taken apart into jamo, their letters. A final consonant is the
 * same letter as an initial one, so that a letter which slips into the next syllable is one slip.
 */

const syllables = { first: 0xac00, last: 0xd7a3 } as const
const initials = 0x1100
const vowels = 0x1161
const finals = 0x11a7
const finalsOfVowel = 28
const finalsOfInitial = 21 * finalsOfVowel

/** The initial consonant that each final one is; 0 for those that are two, which no syllable begins with. */
const asInitials = [
  0, 0x1100, 0x1101, 0, 0x1102, 0, 0, 0x1103, 0x1105, 0, 0, 0, 0, 0, 0, 0, 0x1106, 0x1107, 0,
  0x1109, 0x110a, 0x110b, 0x110c, 0x110e, 0x110f, 0x1110, 0x1111, 0x1112,
]

function isSyllable(letter: number): boolean {
  return letter >= syllables.first && letter <= syllables.last
}

export function hasSyllable(letters: Uint32Array, count = letters.length): boolean {
  for (let index = 0; index < count; index += 1) if (isSyllable(letters[index]!)) return true
  return false
}

/** Letters with each syllable in its jamo; undefined where there is no syllable. */
export function jamoOf(letters: Uint32Array): Uint32Array | undefined {
  if (!hasSyllable(letters)) return undefined
  const jamo: number[] = []
  for (const letter of letters) {
    if (!isSyllable(letter)) {
      jamo.push(letter)
      continue
    }
    const index = letter - syllables.first
    const final = index % finalsOfVowel
    jamo.push(initials + Math.floor(index / finalsOfInitial))
    jamo.push(vowels + Math.floor((index % finalsOfInitial) / finalsOfVowel))
    if (final > 0) jamo.push(asInitials[final] || finals + final)
  }
  return Uint32Array.from(jamo)
}
