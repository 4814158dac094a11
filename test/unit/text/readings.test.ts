/** What texts are read as, by each function that reads words: the table beside this file. */
import { expect, it } from 'vitest'
import { tokensOf } from '../../../src/engine/match/tokens.ts'
import { placesOf } from '../../../src/indexer/places.ts'
import { termsOf, wordTextsOf } from '../../../src/text/analyzer.ts'
import { hasCheckDigit } from '../../../src/text/check-digits.ts'
import { countryNameOf } from '../../../src/text/countries/countries.ts'
import { countryTable } from '../../../src/text/countries/country-names.made.ts'
import {
  handleKey,
  parseHandle,
  platformKey,
  readHandle,
  readIdentifier,
} from '../../../src/text/handle.ts'
import { isLoopback } from '../../../src/text/network.ts'
import { formsOf, numberless, phraseKey } from '../../../src/text/number.ts'
import { openName } from '../../../src/text/related/lookalikes.ts'
import { familyOf } from '../../../src/text/related/word-families.ts'
import { latinOf } from '../../../src/text/sound/latin.ts'
import { loanScriptOf, loanSoundsOf } from '../../../src/text/sound/loan-script.ts'
import { isNearLoan, loanKeysOf, loanReadingsOf } from '../../../src/text/sound/loan-sounds.ts'
import { keysOf } from '../../../src/text/sound/sound-keys.ts'
import { soundKey, soundsOf } from '../../../src/text/sound/sounds.ts'
import { factsOf } from '../../../src/text/speech/biography.ts'
import { sectionsOf } from '../../support/table-sections.ts'

const isOneWord = (one: string, other: string) => numberless(one) === numberless(other)

function areForms(one: string, other: string): boolean {
  return isOneWord(one, other) && formsOf(one).includes(other) && formsOf(other).includes(one)
}

function areOfOneFamily(one: string, other: string): boolean {
  const isBack = familyOf(other).some((word) => word === one || `${word}s` === one)
  return isBack && familyOf(one).includes(other)
}

function isHeard(written: string, latin: string): boolean {
  const marks = /[\u0300-\u036f]/g
  const word = written.normalize('NFD').replace(marks, '').toLowerCase().normalize('NFC')
  const script = loanScriptOf(word)!
  const sounds = loanSoundsOf(word, script)
  const keys = new Set(loanKeysOf(sounds, script))
  const isProposed = keysOf({ latin, isVowelless: false }).some((key) => keys.has(key))
  return isProposed && isNearLoan(sounds, loanReadingsOf(latin), script, false)
}

/** A reading of two texts: the other one where they are what the section says. */
const pair = (are: (one: string, other: string) => boolean) => (one: string, other: string) =>
  are(one, other) ? other : 'not so'

/** Reads what stands behind a platform, or a scheme. */
function of<T>(text: string, read: (platform: string, value: string) => T): T {
  const [platform = '', value = ''] = text.split(/ (.*)/s)
  return read(platform, value)
}

const written = ['', 'Vietnam', 'France', 'Viet Nam', 'Atlantis', 'Congo', 'DR Congo', '!'].concat([
  'Democratic Republic of the Congo',
  'Bosnia and Herzegovina',
  'Georgia',
])
const places = placesOf(written)

function placed(text: string, by: 'phrases' | 'codes'): string {
  const found = places.countries[places[by].get(phraseKey(termsOf(text))) ?? -1] ?? []
  return Array.from(found, (country) => written[country]).join(', ')
}

/** By the beginning of the title of a section. */
const readings: Readonly<Record<string, (text: string, expected: string) => string>> = {
  'the terms of a text': (text) => termsOf(text).join(' '),
  'the words of a text': (text) => wordTextsOf(text).join(' '),
  'the tokens of a query': (query) =>
    tokensOf(query)
      .map(({ text }) => text)
      .join(' '),
  'singular and plural': pair(areForms),
  'two words of two spellings': pair((one, other) => !isOneWord(one, other)),
  'two words of one family': pair(areOfOneFamily),
  'the countries that a word names': (word) =>
    countryTable()
      .filter(({ names, adjectives }) => names.includes(word) || adjectives.includes(word))
      .map(({ code }) => code)
      .join(' '),
  'the name of a country': countryNameOf,
  'a place, and how': (text) => placed(text, 'phrases'),
  'the code of a place': (text) => placed(text, 'codes'),
  'a term that places': (term) => ([...places.terms].includes(term) ? 'is' : 'is not'),
  'the sounds of a word': (word) => `${soundsOf(word)}: ${soundKey(soundsOf(word))}`,
  'a word of another script, and a name that is heard': pair(isHeard),
  'a word of another script, and a name that is not': pair((...both) => !isHeard(...both)),
  'the Latin letters of a word': latinOf,
  'the facts of a biography': (text) =>
    factsOf(text)
      .map(({ key, value }) => `${key}:${value}`)
      .join('; '),
  'the key of a platform': platformKey,
  'the key of a handle': handleKey,
  'what is no handle of a record': (text) => of(text, readHandle).reason ?? 'a handle',
  'an identifier of a record': (text) => {
    const { handle } = of(text, readIdentifier)
    return handle === undefined ? 'none' : `${handle.key}, ${handle.shown}`
  },
  'a handle as typed': (text) => {
    const { platform, key } = parseHandle(text)
    return `${platform}:${key}`
  },
  'a name without what is not drawn': openName,
  'a host, and whether': (host) => (isLoopback(host) ? 'is' : 'is not'),
  'a number that is right by its check digit': (text) => (hasCheckDigit(text) ? 'right' : 'wrong'),
}

it.each(sectionsOf(new URL('readings.tsv', import.meta.url)))('$title', ({ title, rows }) => {
  const read = Object.entries(readings).find(([name]) => title.startsWith(name))![1]
  const found = rows.map(([text = '', expected = '']) => [text, read(text, expected)])
  expect(found).toEqual(rows)
})

it('`ch` may be that of Bach or of chip, behind t and s that of chip', () => {
  expect([soundsOf('michael'), soundsOf('michael', true)]).toEqual(['micael', 'mikael'])
  expect([soundsOf('bach'), soundsOf('bach', true)]).toEqual(['bac', 'bak'])
  expect([soundsOf('tchekov', true), soundsOf('schubert', true)]).toEqual(['cekov', 'xubert'])
})

it('a biography tells no more than sixteen roles', () => {
  const teams = Array.from({ length: 30 }, (_, index) => `Team ${index}`).join(', ')
  expect(factsOf(`Leads ${teams}.`).length).toBeLessThanOrEqual(16)
})
