/**
 * What is suggested while names are typed, against the names themselves: every name of the snapshot is
 * read, so that who begins with what is known without the product's postings.
 */
import type { Catalog } from '../../src/engine/catalog.ts'
import { textAt } from '../../src/memory/text-table.ts'
import { wordsOf } from '../../src/text/analyzer.ts'
import { Random } from '../../test/support/random.ts'
import type { Get } from '../shared/in-process.ts'

/** How often the first five people are right, of so many beginnings of four letters. */
export interface SuggestionFigure {
  readonly drawn: string
  readonly asked: number
  readonly right: number
  readonly wanted: string
}

const letters = 4
const shown = 5

const decoder = new TextDecoder()

/** The name of somebody, from the half of the summary before the rank. */
function nameOf({ summaries, summarySplits }: Catalog, ordinal: number): string {
  const head = summaries
    .pageOf(ordinal)
    .text.slice(summaries.startOf(ordinal), summarySplits[ordinal])
  return (JSON.parse(`${decoder.decode(head)}0}`) as { readonly name: string }).name
}

/** Texts as they are typed letter by letter, by their kinds; of so many people and handles, drawn. */
export function typedTexts(catalog: Catalog, count: number): Record<string, readonly string[]> {
  const random = new Random(23, count)
  const names = Array.from(
    random.permutation(catalog.counts.authorities).subarray(0, count),
    (at) => nameOf(catalog, at),
  )
  const handles = catalog.tableOf('handle')
  const keys = Array.from(random.permutation(handles.ends.length).subarray(0, count), (at) =>
    textAt(handles, at),
  )
  const topics = catalog.largestTopics(count).map(({ topic }) => topic)
  const first = (texts: readonly string[], most: number) =>
    texts.map((text) => [...text].slice(0, most).join(''))
  const second = (name: string, most: number) => {
    const [given = '', ...rest] = name.split(' ')
    return `${given} ${[...rest.join(' ')].slice(0, most).join('')}`
  }
  return {
    'autocomplete: a letter of a name': first(names, 1),
    'autocomplete: two letters of a name': first(names, 2),
    'autocomplete: four letters of a name': first(names, letters),
    'autocomplete: a name and a letter': names.map((name) => second(name, 1)),
    'autocomplete: a name and three letters': names.map((name) => second(name, 3)),
    'autocomplete: four letters of a handle': first(keys, letters),
    'autocomplete: four letters of a topic': first(topics, letters),
  }
}

/** Whether the first five people are those who should be. O(authorities) to read all names. */
export function suggestionFigures(catalog: Catalog, get: Get, count: number): SuggestionFigure[] {
  const best = bestByBeginning(catalog)
  const { authorities } = catalog.counts
  const random = new Random(29, count)
  const draw = (ordinalOf: () => number) => drawNamed(catalog, count, ordinalOf)
  const anybody = draw(() => random.below(authorities))
  // The n-th as often as a first one in n: about as people are looked for.
  const known = draw(() => Math.floor(authorities ** random.fraction()) - 1)
  const firstFive = (begun: string) => {
    const query = `query=${encodeURIComponent(begun)}&kinds=person&limit=${shown}`
    const { results } = JSON.parse(get(`/api/v1/autocomplete?${query}`)) as Suggested
    return results.map(({ sdu }) => sdu)
  }
  const areBest = ({ begun }: Named) =>
    firstFive(begun).join() ===
    best
      .get(begun)!
      .map((each) => catalog.sduOf(each))
      .join()
  const isThere = ({ begun, ordinal }: Named) => firstFive(begun).includes(catalog.sduOf(ordinal))
  const figure = (drawn: string, of: readonly Named[], isRight: (each: Named) => boolean) => ({
    drawn,
    asked: of.length,
    right: of.filter(isRight).length,
  })
  const wanted = '95 of 100'
  return [
    { ...figure('the five best who have such a word; of anybody', anybody, areBest), wanted },
    { ...figure('who is meant; the n-th by authority drawn 1/n', known, isThere), wanted: '' },
    { ...figure('who is meant; anybody drawn', anybody, isThere), wanted: '' },
  ]
}

interface Suggested {
  readonly results: readonly { readonly sdu: string }[]
}

/** Somebody, and the beginning of the first word of the name. */
interface Named {
  readonly ordinal: number
  readonly begun: string
}

/** People whose names begin with a word of as many letters as are typed. */
function drawNamed(catalog: Catalog, count: number, ordinalOf: () => number): Named[] {
  const named: Named[] = []
  for (let tries = 0; named.length < count && tries < count * 20; tries += 1) {
    const ordinal = ordinalOf()
    const [begun] = beginningsOf(nameOf(catalog, ordinal))
    if (begun !== undefined) named.push({ ordinal, begun })
  }
  return named
}

/** The beginnings of the words of a name, as the analyzer spells them, but for shorter words. */
function beginningsOf(name: string): string[] {
  return wordsOf(name)
    .map(({ text }) => [...text])
    .filter((word) => word.length >= letters)
    .map((word) => word.slice(0, letters).join(''))
}

/** The first five ordinals of whom a word begins so, for every beginning of a word of a name. */
function bestByBeginning(catalog: Catalog): ReadonlyMap<string, readonly number[]> {
  const best = new Map<string, number[]>()
  for (let ordinal = 0; ordinal < catalog.counts.authorities; ordinal += 1) {
    for (const begun of new Set(beginningsOf(nameOf(catalog, ordinal)))) {
      const list = best.get(begun) ?? []
      if (list.length < shown) best.set(begun, [...list, ordinal])
    }
  }
  return best
}
