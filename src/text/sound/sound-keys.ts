/** The keys by which the terms of names are found by their sounds: the indexer makes a table of them, a search asks it. */
import { soundKey, soundSpellingsOf, soundsOf } from './sounds.ts'

interface HeardWord {
  readonly latin: string
  readonly isVowelless: boolean
}

const keyMin = 2
/** Letters of the longest word that has a sound: no name is longer. */
export const lettersMax = 32

/** The keys of a word: those of its sounds, `ch` in both ways; in a script without vowels w as one, too. */
export function keysOf({ latin, isVowelless: isBare }: HeardWord): string[] {
  const keys: string[] = []
  if (latin.length > lettersMax) return keys
  for (const sounds of soundSpellingsOf(latin)) addKey(keys, sounds)
  if (isBare) addKey(keys, soundsOf(latin.replace(/[vw]/g, 'u')))
  return keys
}

function addKey(keys: string[], sounds: string): void {
  const key = soundKey(sounds)
  if (key.length >= keyMin && !keys.includes(key)) keys.push(key)
}

/** A further key of a word of another script: its letters in Latin ones. */
export function latinKey(latin: string): string {
  return `=${latin}`
}
