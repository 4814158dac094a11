/**
 * Words that people type around what they mean; each line of the table has its reason. Left out
 * beside a name or topic, never from the middle of one.
 */
import { fold } from '../analyzer.ts'
import { isNumber } from '../numerals.ts'
import { asides, particles } from '../tables/tables.made.ts'
import { officeTitles } from './offices.ts'

/** The condition on the other words for leaving one out: none; a person or a topic; a topic; a person. */
export type Aside = 'asks' | 'about' | 'practises' | 'title'

const kinds = new Map<string, Aside>()

for (const line of asides().split('\n')) {
  const [kind, , words = ''] = line.split(' | ')
  for (const word of fold(words).split(' ')) {
    if (!kinds.has(word)) kinds.set(word, kind as Aside)
  }
}
for (const title of officeTitles) if (!kinds.has(title)) kinds.set(title, 'title')

/** The kind of aside of a word, as the analyzer spells it; undefined for any other word. */
export function asideOf(word: string): Aside | undefined {
  return kinds.get(word) ?? (word.length <= 3 && isNumber(word) ? 'asks' : undefined)
}

function particlesOn(side: string): string {
  const rows = particles()
    .split('\n')
    .map((line) => line.split(' | '))
  const all = rows.filter(([first]) => first === side).flatMap(([, , texts]) => texts!.split(', '))
  return all.sort((a, b) => b.length - a.length).join('|')
}

const particleShapes = [
  new RegExp(`^(?:${particlesOn('before')})\\s*`, 'u'),
  new RegExp(`\\s*(?:${particlesOn('behind')})[\\s?？。！!]*$`, 'u'),
]
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const particlesMax = 4

/** A text without the particles of Chinese, Japanese and Korean around it; not if nothing were left. */
export function withoutParticles(text: string): string {
  if (!unspaced.test(text)) return text
  let rest = text.replace(/[?？。！!]+\s*$/u, '').trim()
  for (let taken = 0; taken < particlesMax; taken += 1) {
    const shorter = particleShapes
      .reduce((each, particle) => each.replace(particle, ''), rest)
      .trim()
    if (shorter === rest || shorter === '') break
    rest = shorter
  }
  return rest
}
