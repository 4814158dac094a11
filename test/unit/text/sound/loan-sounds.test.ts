/** Scripts in which names are heard, and keys of sounds. What is heard as what: `../readings.tsv`. */
import { expect, it } from 'vitest'
import { loanScriptOf } from '../../../../src/text/sound/loan-script.ts'
import { keyBegun, keyEnded, keyOn, soundKey } from '../../../../src/text/sound/sounds.ts'

it('a word of Latin letters, Han or several scripts is of none of these scripts', () => {
  for (const word of ['robert', '習近平', 'ロbert', '']) expect(loanScriptOf(word)).toBeUndefined()
})

it('a key that is made a piece at a time is that of the whole', () => {
  const sounds = ['a', 'av', 'f', 'h', 'k', 'nk', 'r', 's', 't', 'v', '']
  for (let at = 0; at < sounds.length ** 4; at += 7) {
    const pieces = [0, 1, 2, 3].map(
      (place) => sounds[Math.floor(at / sounds.length ** place) % 11]!,
    )
    const key = keyEnded(pieces.reduce(keyOn, keyBegun))
    expect(key, pieces.join('-')).toBe(soundKey(pieces.join('')))
  }
})
