/** Names in Latin letters as katakana, hangul, Cyrillic and Greek write them, and names that they do not write. */
import { expect, it } from 'vitest'
import { loanScriptOf, loanSoundsOf } from '../../../../src/text/sound/loan-script.ts'
import { isNearLoan, loanKeysOf, loanReadingsOf } from '../../../../src/text/sound/loan-sounds.ts'
import { keysOf } from '../../../../src/text/sound/sound-keys.ts'
import { keyBegun, keyEnded, keyOn, soundKey } from '../../../../src/text/sound/sounds.ts'

function isHeard(word: string, latin: string): boolean {
  const script = loanScriptOf(word)!
  const sounds = loanSoundsOf(word, script)
  const keys = new Set(loanKeysOf(sounds, script))
  const isProposed = keysOf({ latin, isVowelless: false }).some((key) => keys.has(key))
  return isProposed && isNearLoan(sounds, loanReadingsOf(latin), script, false)
}

it.each([
  ['ワシントン', 'washington'],
  ['ルーズベルト', 'roosevelt'],
  ['フランクリン', 'franklin'],
  ['ヴィクトリア', 'victoria'],
  ['ロバート', 'robert'],
  ['バッハ', 'bach'],
  ['ゴッホ', 'gogh'],
  ['ミヒャエル', 'michael'],
  ['オイラー', 'euler'],
  ['ヨハン', 'johann'],
  ['마흐', 'mach'],
  ['넬슨', 'nelson'],
  ['프랭클린', 'franklin'],
  ['빅토리아', 'victoria'],
  ['로버트', 'robert'],
  ['Вашингтон', 'washington'],
  ['Франклин', 'franklin'],
  ['Ουάσινγκτον', 'washington'],
  ['Φράνκλιν', 'franklin'],
])('%s is heard as %s', (word, latin) => {
  expect(
    isHeard(
      word
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .toLowerCase()
        .normalize('NFC'),
      latin,
    ),
  ).toBe(true)
})

it.each([
  ['ワシントン', 'wellington'],
  ['ロバート', 'rupert'],
  ['フランクリン', 'franklier'],
  ['빅토리아', 'vicky'],
  ['バッハ', 'bates'],
  ['링컨', 'larkin'],
  ['Франклин', 'franco'],
  ['Φρανκλιν', 'francis'],
])('%s is not heard as %s', (word, latin) => {
  expect(isHeard(word.toLowerCase(), latin)).toBe(false)
})

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
