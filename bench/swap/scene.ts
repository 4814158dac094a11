/**
 * What is swapped, and by whom it is served: two snapshots of slightly different sources, what each
 * of them answers, and the built program over a directory that announces one of the two.
 */
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { Api } from '../../src/api/api.ts'
import { prepareAtOnce } from '../../src/api/served.ts'
import { RequestIds } from '../../src/api/write/request-ids.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { announce, pathOf, readPointer } from '../../src/snapshot/store.ts'
import { type BenchData, buildSnapshot, loadData } from '../data.ts'
import { type Service, startService } from '../service.ts'
import type { Children } from '../wire/children.ts'
import { makeWorkloads, mixedNames, twoWordsName } from '../wire/workloads.ts'
import type { Script } from './generator.ts'

/** Two snapshots that can be announced in one directory. */
export interface Scene {
  readonly directory: string
  /** The first is announced. */
  readonly ids: readonly [string, string]
  /** Bytes of the larger one. */
  readonly snapshotBytes: number
  /** The script of the generator, and its targets one a line. */
  readonly scriptFile: string
  readonly targetsFile: string
  /** Targets that the two answer differently. */
  readonly different: number
}

/** Every so-many-th authority is missing in the second source. */
const leftOutEvery = 50
const targetsOfEach = 100

/** The data without some authorities, made if it is not there: its directory with `-b` behind it. */
export async function secondData({ authorities, source }: BenchData): Promise<BenchData> {
  const directory = `${resolve(source, '..')}-b`
  const second = {
    authorities,
    source: join(directory, 'source'),
    snapshots: join(directory, 'snapshots'),
  }
  if (readPointer(second.snapshots, 'CURRENT') !== undefined) return second
  mkdirSync(second.source, { recursive: true })
  for (const name of ['connections.ndjson', 'topics.ndjson']) {
    const link = join(second.source, name)
    if (!existsSync(link)) symlinkSync(resolve(source, name), link)
  }
  await leaveOut(join(source, 'authorities.ndjson'), join(second.source, 'authorities.ndjson'))
  await buildSnapshot(second.source, second.snapshots)
  return second
}

async function leaveOut(from: string, to: string): Promise<void> {
  const kept = createWriteStream(`${to}.tmp`)
  let number = 0
  for await (const line of createInterface({ input: createReadStream(from) })) {
    number += 1
    if (number % leftOutEvery === 0) continue
    if (!kept.write(`${line}\n`)) await once(kept, 'drain')
  }
  kept.end()
  await finished(kept)
  renameSync(`${to}.tmp`, to)
}

/** Puts both snapshots into a directory and writes down what they answer. */
export function setScene(directory: string, first: BenchData, second: BenchData): Scene {
  const snapshots = join(directory, 'snapshots')
  mkdirSync(snapshots, { recursive: true })
  const both = [first, second] as const
  const ids = both.map((data) => readPointer(data.snapshots, 'CURRENT')!) as [string, string]
  ids.forEach((id, index) => {
    symlinkSync(resolve(pathOf(both[index]!.snapshots, id)), pathOf(snapshots, id))
  })
  announce(snapshots, ids[0])
  const firstLoaded = loadData(first)
  const targets = targetsOf(firstLoaded, directory)
  const results = [resultsOf(firstLoaded, targets), resultsOf(loadData(second), targets)] as const
  const script: Script = { targets, results: { [ids[0]]: results[0], [ids[1]]: results[1] } }
  const scriptFile = join(directory, 'script.json')
  writeFileSync(scriptFile, JSON.stringify(script))
  const targetsFile = join(directory, 'targets')
  writeFileSync(targetsFile, `${targets.join('\n')}\n`)
  const snapshotBytes = Math.max(...ids.map((id) => statSync(pathOf(snapshots, id)).size))
  const different = targets.filter((_, at) => results[0][at] !== results[1][at]).length
  return { directory: snapshots, ids, snapshotBytes, scriptFile, targetsFile, different }
}

/** Some targets of each route, by turns. */
function targetsOf(snapshot: Snapshot, directory: string): string[] {
  const names = [...mixedNames, twoWordsName]
  const lists = makeWorkloads(snapshot, directory, targetsOfEach)
    .filter(({ name }) => names.includes(name))
    .map(({ paths }) => paths)
  return Array.from({ length: targetsOfEach }, (_, turn) =>
    lists.flatMap((paths) => (paths.length === 0 ? [] : [paths[turn % paths.length]!])),
  ).flat()
}

function resultsOf(snapshot: Snapshot, targets: readonly string[]): string[] {
  const served = prepareAtOnce(snapshot)
  const onError = (error: unknown) => {
    throw error
  }
  const api = new Api({
    served: () => served,
    clock: () => 0,
    ids: new RequestIds(randomFillSync),
    onError,
  })
  return targets.map((target) => {
    const [path = '', query = ''] = target.split('?')
    const text = Buffer.from(api.answer({ method: 'GET', path, query }).body).toString()
    return text.slice(text.indexOf('"results":['))
  })
}

/** What `/readyz` tells of swaps. */
export interface Readiness {
  readonly snapshot_id: string
  readonly swaps: number
  readonly refusals: number
  readonly thread_deaths: number
}

/** A service with its key and the id of its process. */
export type KeyedService = Service & { readonly key: string; readonly pid: number }

/** Starts the built program on so many threads with a new ledger, at the lowest price there is. */
export async function serve(
  children: Children,
  snapshots: string,
  threads: number,
): Promise<KeyedService> {
  const data = mkdtempSync(join(children.directory, 'ledger-'))
  const prices = ['search', 'detail', 'peers', 'match'].flatMap((route) => [
    `--price-${route}`,
    '0.000001',
  ])
  const places = ['--snapshots', snapshots, '--data', data]
  const words = ['--threads', String(threads), ...places, ...prices]
  const service = await startService(children, words)
  return { ...service, key: service.key!, pid: service.child.process.pid! }
}

/** Asks how the service is. */
export async function readinessOf({ port }: Service): Promise<Readiness> {
  return (await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()) as Readiness
}
