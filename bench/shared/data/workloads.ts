/** What clients ask: paths of each route, drawn from what a snapshot holds, in random order. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { activate } from '../../../src/api/active-snapshot.ts'
import { countOf, textAt } from '../../../src/memory/text-table.ts'
import { operations, type RouteName, routeNames } from '../../../src/operations.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { Random } from '../../../test/support/random.ts'
import { topicTexts } from './data.ts'
import { makeQueries } from './queries.ts'

/** Paths of one kind, and the file that holds them, one a line. */
export interface Workload {
  readonly name: string
  readonly route: RouteName
  readonly paths: readonly string[]
  readonly file: string
}

export const mixedNames = ['search: mixed', 'detail: mixed', 'peers: mixed', 'match: mixed']

export const twoWordsName = 'search: two words'

/** Workloads of at most `pathsMax` paths each, their files in a directory. */
export function makeWorkloads(
  snapshot: Snapshot,
  directory: string,
  pathsMax: number,
): readonly Workload[] {
  const { topics, sdus, handles, peers, twoWords } = drawTexts(snapshot, pathsMax)
  const add = (name: string, texts: readonly string[], ask: (text: string) => string): Workload => {
    const route = routeNames.find((each) => name.startsWith(each))!
    const path = operations[route].paths[0]
    const file = join(directory, `${name.replace(/\W+/g, '-')}.paths`)
    const paths = texts.map((text) => `${path}?${ask(text)}`)
    writeFileSync(file, `${paths.join('\n')}\n`)
    return { name, route, paths, file }
  }
  const search = (text: string) => `query=${encodeURIComponent(text)}&limit=10`
  const match = (text: string) => `handles=${encodeURIComponent(text)}`
  return [
    add('search: mixed', topics, search),
    add(twoWordsName, twoWords, search),
    add('detail: mixed', sdus, (text) => `sdus=${text}`),
    add('peers: mixed', peers, (text) => `${match(text)}&limit=10`),
    add('match: mixed', handles, match),
  ]
}

function drawTexts(snapshot: Snapshot, countMax: number) {
  const { header, sections } = snapshot
  const served = activate(snapshot)
  const random = new Random(11, countMax)
  const { labels } = topicTexts(snapshot)
  const drawn = (count: number, textOf: (entry: number) => string) =>
    Array.from(random.permutation(count).subarray(0, countMax), textOf)
  const handleKeys = { text: sections['handle.text'], starts: sections['handle.starts'] }
  const { catalog } = served
  const queryOf = (key: string) => ({ platform: undefined, key })
  const hasPeers = (key: string) => catalog.peersIn(catalog.peersOf(queryOf(key)), 1).length > 0
  return {
    topics: Array.from(random.permutation(labels.length), (at) => labels[at]!),
    sdus: drawn(header.counts.authorities, (ordinal) => catalog.sduOf(ordinal)),
    handles: drawn(countOf(handleKeys), (entry) => textAt(handleKeys, entry)).filter(
      (key) => catalog.ownersOf(queryOf(key)).length > 0,
    ),
    peers: drawn(countOf(handleKeys), (entry) => textAt(handleKeys, entry)).filter(hasPeers),
    // More different ones than a serving thread keeps answers, so that none is kept until it
    // is asked for again.
    twoWords: [...new Set(makeQueries(snapshot, served, countMax)['two words'])],
  }
}
