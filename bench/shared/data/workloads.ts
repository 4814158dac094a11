/**
 * What clients ask: paths of each route, drawn from what a snapshot holds. A mixed workload asks
 * for every topic, SDU or handle (of many, for a part drawn at random) in random order, a hot one
 * for one thing only.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { activate } from '../../../src/api/active-snapshot.ts'
import { textAt } from '../../../src/memory/text-table.ts'
import { operations, type RouteName, routeNames } from '../../../src/operations.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { Random } from '../../../test/support/random.ts'
import { topicTexts } from './data.ts'
import { makeQueries } from './queries.ts'

/** Paths of one kind, and the file that holds them, one a line. */
export interface Workload {
  readonly name: string
  readonly route: RouteName
  /** One SDU or handle, or the first ten of a search or of peers: what every server here answers. */
  readonly isPlain: boolean
  readonly paths: readonly string[]
  readonly file: string
}

/** The names of the four that ask each route for one thing or the first ten. */
export const mixedNames = ['search: mixed', 'detail: mixed', 'peers: mixed', 'match: mixed']

/** The name of the one that asks for two words. */
export const twoWordsName = 'search: two words'

const batchSize = 10

/** Workloads of at most `pathsMax` paths each, their files in a directory. */
export function makeWorkloads(
  snapshot: Snapshot,
  directory: string,
  pathsMax: number,
): readonly Workload[] {
  const { topics, sdus, handles, peers, twoWords } = drawTexts(snapshot, pathsMax)
  const add = (
    name: string,
    isPlain: boolean,
    texts: readonly string[],
    ask: (text: string) => string,
  ): Workload => {
    const route = routeNames.find((each) => name.startsWith(each))!
    const path = operations[route].paths[0]
    const file = join(directory, `${name.replace(/\W+/g, '-')}.paths`)
    const paths = texts.map((text) => `${path}?${ask(text)}`)
    writeFileSync(file, `${paths.join('\n')}\n`)
    return { name, route, isPlain, paths, file }
  }
  const search = (limit: number) => (text: string) =>
    `query=${encodeURIComponent(text)}&limit=${limit}`
  const detail = (text: string) => `sdus=${text}`
  const peersOf = (limit: number) => (text: string) => `${match(text)}&limit=${limit}`
  const match = (text: string) => `handles=${text.split(',').map(encodeURIComponent).join(',')}`
  return [
    add('search: mixed', true, topics, search(10)),
    add('search: hot', false, topics.slice(0, 1), search(10)),
    add('search: limit 50', false, topics, search(50)),
    add(twoWordsName, true, twoWords, search(10)),
    add('detail: mixed', true, sdus, detail),
    add('detail: hot', false, sdus.slice(0, 1), detail),
    add('detail: batch of 10', false, batches(sdus), detail),
    add('peers: mixed', true, peers, peersOf(10)),
    add('peers: hot', false, peers.slice(0, 1), peersOf(10)),
    add('peers: limit 50', false, peers, peersOf(50)),
    add('peers: batch of 10', false, batches(peers), peersOf(10)),
    add('match: mixed', true, handles, match),
    add('match: hot', false, handles.slice(0, 1), match),
    add('match: batch of 10', false, batches(handles), match),
  ]
}

/** Each text with the nine that follow it, so that there are as many batches as texts. */
function batches(texts: readonly string[]): string[] {
  return texts.map((_, first) =>
    Array.from({ length: batchSize }, (_, step) => texts[(first + step) % texts.length]).join(','),
  )
}

function drawTexts(snapshot: Snapshot, countMax: number) {
  const { header, sections } = snapshot
  const served = activate(snapshot)
  const random = new Random(11, countMax)
  const { labels } = topicTexts(snapshot)
  const drawn = (count: number, textOf: (entry: number) => string) =>
    Array.from(random.permutation(count).subarray(0, countMax), textOf)
  const handleKeys = { text: sections['handle.text'], ends: sections['handle.ends'] }
  const { catalog } = served
  const queryOf = (key: string) => ({ platform: undefined, key })
  const hasPeers = (key: string) => catalog.peersIn(catalog.peersOf(queryOf(key)), 1).length > 0
  return {
    topics: Array.from(random.permutation(labels.length), (at) => labels[at]!),
    sdus: drawn(header.counts.authorities, (ordinal) => catalog.sduOf(ordinal)),
    handles: drawn(handleKeys.ends.length, (entry) => textAt(handleKeys, entry)).filter(
      (key) => catalog.ownersOf(queryOf(key)).length > 0,
    ),
    peers: drawn(handleKeys.ends.length, (entry) => textAt(handleKeys, entry)).filter(hasPeers),
    // More different ones than a serving thread keeps answers, so that none is kept until it
    // is asked for again.
    twoWords: [...new Set(makeQueries(snapshot, served, countMax)['two words'])],
  }
}
