/**
 * What filters, fields, pages, facets and suggestions cost, each request asked of the API in this process for the
 * first time: no answer is kept, and there is no wire. Kinds are asked by turns, so that what slows the
 * machine slows all of them. Times in microseconds.
 */
import { activate } from '../../src/api/active-snapshot.ts'
import type { Catalog } from '../../src/engine/catalog.ts'
import { madeOf } from '../../src/engine/derived-indexes.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { announcedIn, loadAnnounced } from '../shared/data/data.ts'
import { type Get, getter } from '../shared/in-process.ts'
import { table } from '../shared/report.ts'
import { type SuggestionFigure, suggestionFigures, typedTexts } from './autocomplete.ts'

/** One kind of request, and the most that it may take at the 99th percentile, where that is said. */
export interface PreciseRow {
  readonly kind: string
  readonly requests: number
  readonly p50Us: number
  readonly p99Us: number
  readonly targetUs: number | undefined
}

const sizes = {
  tiny: { authorities: 300, topics: 20, rounds: 20, heavyRounds: 2, drawn: 20 },
  full: { authorities: 1_000_000, topics: 2_000, rounds: 4_000, heavyRounds: 100, drawn: 1_000 },
} as const

/** A filtered topic, and the facets over the largest topic. */
const filteredTargetUs = 500
const facetsTargetUs = 3_000
const typedTargetUs = 200

/** The bench, as commands run it. */
export const preciseBench: Bench = {
  name: 'precise',
  flags: ['snapshots'],
  run: async (options) => {
    const result = await run(options)
    return { result, lines: report(result) }
  },
}

const plainAnswer = 'plain'
const twoFields = 'fields=sdu,authority_score'

/** What is asked of a topic beside its label. */
interface Kind {
  readonly name: string
  /** What the n-th request adds. */
  readonly more: (n: number) => string
  readonly targetUs?: number
}

/** Runs the bench and returns its rows. */
export async function run(options: BenchOptions): Promise<PreciseResult> {
  const { size, report } = options
  const { authorities, topics, rounds, heavyRounds, drawn } = sizes[size]
  const snapshots = await announcedIn(options, authorities)
  const snapshot = loadAnnounced(snapshots)
  const served = activate(snapshot, madeOf(snapshot))
  const labels = served.catalog.largestTopics(topics).map(({ topic }) => topic)
  const get = getter(served)
  report(`${authorities} authorities: topics`)
  const light = measure(get, lightKinds(served.catalog, labels), labels, rounds)
  report(`${authorities} authorities: the largest topic`)
  const heavy = measure(get, heavyKinds(labels), labels.slice(0, 1), heavyRounds)
  report(`${authorities} authorities: suggestions`)
  const typed = measureTyped(get, typedTexts(served.catalog, rounds))
  const rows = [...light, ...heavy, ...typed]
  return { rows, ratios: ratiosOf(rows), figures: suggestionFigures(served.catalog, get, drawn) }
}

/** What is compared in the same run. */
interface Ratio {
  readonly name: string
  readonly value: number
  readonly wanted: string
}

/** What came of a run. */
export interface PreciseResult {
  readonly rows: readonly PreciseRow[]
  readonly ratios: readonly Ratio[]
  readonly figures: readonly SuggestionFigure[]
}

/** Two fields, which a plain answer does not write either way: it is ready-made. */
function ratiosOf(rows: readonly PreciseRow[]): Ratio[] {
  const of = (kind: string) => rows.find((row) => row.kind === kind)!
  const [fields, plain] = [of(twoFields), of(plainAnswer)]
  const name = 'fields=sdu,authority_score by the plain answer'
  return [
    { name: `${name}, p50`, value: fields.p50Us / plain.p50Us, wanted: 'at most 1' },
    { name: `${name}, p99`, value: fields.p99Us / plain.p99Us, wanted: 'at most 1' },
  ]
}

/** Asks for suggestions, each text once. */
function measureTyped(get: Get, kinds: Readonly<Record<string, readonly string[]>>): PreciseRow[] {
  return Object.entries(kinds).map(([kind, texts]) => {
    const targets = texts.map((text) => `/api/v1/autocomplete?query=${encodeURIComponent(text)}`)
    // What warms up the machine code is not counted.
    for (const target of targets.slice(0, 200)) get(target)
    const times = targets.map((target) => {
      const startedMs = performance.now()
      get(target)
      return (performance.now() - startedMs) * 1000
    })
    return rowOf(kind, times, typedTargetUs)
  })
}

function lightKinds(catalog: Catalog, labels: readonly string[]): Kind[] {
  const countries = Array.from({ length: catalog.counts.countries }, (_, each) =>
    catalog.countryOf(each),
  ).filter((name) => name !== '')
  const pick = (list: readonly string[], n: number) => encodeURIComponent(list[n % list.length]!)
  const { platforms } = catalog
  const filtered = { targetUs: filteredTargetUs }
  return [
    { name: plainAnswer, more: () => '' },
    { name: twoFields, more: () => '&fields=sdu,authority_score' },
    { name: 'a country', more: (n) => `&country=${pick(countries, n)}`, ...filtered },
    { name: 'a platform', more: (n) => `&platform=${pick(platforms, n)}`, ...filtered },
    { name: 'another topic', more: (n) => `&topic=${pick(labels, n * 7 + 1)}`, ...filtered },
    { name: 'a score', more: (n) => `&score_min=${n % 90}`, ...filtered },
    { name: 'followers', more: (n) => `&followers_min=${10 ** (n % 7)}`, ...filtered },
    {
      name: 'two countries, a platform and a score',
      more: (n) =>
        `&country=${pick(countries, n)},${pick(countries, n + 3)}&platform=${pick(platforms, n)}&score_min=${n % 50}`,
      ...filtered,
    },
    { name: 'the first page', more: () => '&cursor=*' },
  ]
}

function heavyKinds(labels: readonly string[]): Kind[] {
  const facets = { targetUs: facetsTargetUs }
  const topics = labels.slice(0, 50).map(encodeURIComponent).join(',')
  return [
    { name: 'largest topic: facets=country', more: () => '&facets=country', ...facets },
    { name: 'largest topic: facets=platform', more: () => '&facets=platform', ...facets },
    { name: 'largest topic: facets=topic', more: () => '&facets=topic', ...facets },
    {
      name: 'largest topic: all at once',
      more: () => `&facets=country,topic,platform&cursor=*&followers_min=1&topic=${topics}`,
    },
  ]
}

/** Asks all kinds by turns, each request another one. */
function measure(
  get: Get,
  kinds: readonly Kind[],
  labels: readonly string[],
  rounds: number,
): PreciseRow[] {
  const times = kinds.map((): number[] => [])
  // What warms up the machine code is not counted.
  for (let round = -Math.ceil(rounds / 10); round < rounds; round += 1) {
    const n = Math.abs(round)
    const label = encodeURIComponent(labels[n % labels.length]!)
    kinds.forEach(({ more }, kind) => {
      const target = `/api/v1/index?query=${label}${more(n)}&n=${round}`
      const startedMs = performance.now()
      get(target)
      if (round >= 0) times[kind]!.push((performance.now() - startedMs) * 1000)
    })
  }
  return kinds.map(({ name, targetUs }, kind) => rowOf(name, times[kind]!, targetUs))
}

/** The percentiles of some times. */
export function rowOf(kind: string, timesUs: number[], targetUs: number | undefined): PreciseRow {
  const ascending = timesUs.toSorted((a, b) => a - b)
  const at = (share: number) => ascending[Math.ceil(ascending.length * share) - 1]!
  return { kind, requests: ascending.length, p50Us: at(0.5), p99Us: at(0.99), targetUs }
}

/** A table of the rows, one of the ratios, and one of who is suggested. */
export function report({ rows, ratios, figures }: PreciseResult): string[] {
  const lines = table(rows, {
    request: ({ kind }) => kind,
    requests: ({ requests }) => requests,
    'p50 µs': ({ p50Us }) => p50Us.toFixed(1),
    'p99 µs': ({ p99Us }) => p99Us.toFixed(1),
    'at most': ({ targetUs }) => (targetUs === undefined ? '' : String(targetUs)),
  })
  const ratioLines = table(ratios, {
    ratio: ({ name }) => name,
    value: ({ value }) => value.toFixed(2),
    wanted: ({ wanted }) => wanted,
  })
  const figureLines = table(figures, {
    'in the first five for four letters': ({ drawn }) => drawn,
    asked: ({ asked }) => asked,
    right: ({ right }) => right,
    wanted: ({ wanted }) => wanted,
  })
  return [...lines, '', ...ratioLines, '', ...figureLines]
}
