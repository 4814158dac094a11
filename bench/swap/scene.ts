/** Two snapshots of slightly different sources in one directory, and what each of them answers. */
import { once } from 'node:events'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { activate } from '../../src/api/active-snapshot.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { announce, pathOf } from '../../src/snapshot/store/directory.ts'
import { noteVerified, readPointer } from '../../src/snapshot/store/states.ts'
import type { Service } from '../../test/support/processes/service.ts'
import { type BenchData, buildSnapshot, isAnnounced, loadAnnounced } from '../shared/data/data.ts'
import { makeWorkloads, mixedNames, twoWordsName } from '../shared/data/workloads.ts'
import { getter, resultsOf } from '../shared/in-process.ts'
import type { Expectations } from '../shared/load/open-loop.ts'

export interface Scene {
  readonly directory: string
  /** The first is announced. */
  readonly ids: readonly [string, string]
  /** Bytes of the larger one. */
  readonly snapshotBytes: number
  /** What is asked for, one a line, and what each of the two answers. */
  readonly targetsFile: string
  readonly expectationsFile: string
}

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
  if (isAnnounced(second.snapshots)) return second
  mkdirSync(second.source, { recursive: true })
  for (const name of ['connections.ndjson', 'topics.ndjson']) {
    const link = join(second.source, name)
    if (!existsSync(link)) symlinkSync(resolve(source, name), link)
  }
  const kept = join(second.source, 'authorities.ndjson')
  if (!existsSync(kept)) await leaveOut(join(source, 'authorities.ndjson'), kept)
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

/** Puts the announced snapshots of two directories into a third, verified, which announces the first of them. */
export function putTogether(
  directory: string,
  both: readonly [string, string],
): Pick<Scene, 'ids' | 'snapshotBytes'> {
  mkdirSync(directory, { recursive: true })
  const ids = both.map((snapshots) => {
    const id = readPointer(snapshots, 'CURRENT')!
    symlinkSync(resolve(pathOf(snapshots, id)), pathOf(directory, id))
    return id
  }) as [string, string]
  announce(directory, ids[0])
  for (const id of ids) noteVerified(directory, basename(pathOf(directory, id)))
  return { ids, snapshotBytes: Math.max(...ids.map((id) => statSync(pathOf(directory, id)).size)) }
}

/** Announces a snapshot and waits until it is served; returns the seconds. */
export async function swapTo(service: Service, directory: string, id: string): Promise<number> {
  const startedMs = performance.now()
  announce(directory, id)
  await service.child.until(async () => (await readinessOf(service)).snapshot_id === id)
  return (performance.now() - startedMs) / 1000
}

export function setScene(directory: string, first: BenchData, second: BenchData): Scene {
  const snapshots = join(directory, 'snapshots')
  const { ids, snapshotBytes } = putTogether(snapshots, [first.snapshots, second.snapshots])
  const snapshot = loadAnnounced(first.snapshots)
  const targets = targetsOf(snapshot, directory)
  const results = [
    resultsFor(snapshot, targets),
    resultsFor(loadAnnounced(second.snapshots), targets),
  ] as const
  const expectations: Expectations = { [ids[0]]: results[0], [ids[1]]: results[1] }
  const expectationsFile = join(directory, 'expectations.json')
  writeFileSync(expectationsFile, JSON.stringify(expectations))
  const targetsFile = join(directory, 'targets')
  writeFileSync(targetsFile, `${targets.join('\n')}\n`)
  return { directory: snapshots, ids, snapshotBytes, expectationsFile, targetsFile }
}

function targetsOf(snapshot: Snapshot, directory: string): string[] {
  const names = [...mixedNames, twoWordsName]
  const lists = makeWorkloads(snapshot, directory, targetsOfEach)
    .filter(({ name }) => names.includes(name))
    .map(({ paths }) => paths)
  return Array.from({ length: targetsOfEach }, (_, turn) =>
    lists.flatMap((paths) => (paths.length === 0 ? [] : [paths[turn % paths.length]!])),
  ).flat()
}

function resultsFor(snapshot: Snapshot, targets: readonly string[]): string[] {
  const get = getter(activate(snapshot))
  return targets.map((target) => resultsOf(get(target)))
}

interface Readiness {
  readonly snapshot_id: string
  readonly swaps: number
  readonly refusals: number
  readonly thread_deaths: number
}

export async function readinessOf({ port }: Service): Promise<Readiness> {
  return (await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()) as Readiness
}
