/**
 * What a service over a snapshot takes: until its first answer, beside hashing the same file, of memory,
 * and for requests one after the other. People are drawn from the records, so that the bench itself
 * needs no memory for a snapshot.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../src/operations.ts'
import { getRequest } from '../../test/support/processes/answer-reader.ts'
import type { Children } from '../../test/support/processes/children.ts'
import { Connection } from '../../test/support/processes/connection.ts'
import { residentBytes } from '../../test/support/processes/proc.ts'
import { startRichService } from '../../test/support/processes/service.ts'
import { Random } from '../../test/support/random.ts'
import { shareOf } from '../shared/rounds.ts'

/** The waits of one route, in microseconds. */
interface RouteWaits {
  readonly route: string
  readonly p50Us: number
  readonly p99Us: number
}

/** What a service took. */
export interface Serving {
  readonly firstAnswerSeconds: number
  /** Of the file of the snapshot, hashed just before. */
  readonly sha256Seconds: number
  /** Behind all requests. */
  readonly residentBytes: number
  readonly routes: readonly RouteWaits[]
}

/** What is served, and how often each route is asked. */
interface Service {
  readonly snapshots: string
  /** The snapshot that is announced there. */
  readonly path: string
  readonly source: string
  readonly requests: number
}

/** Serves a snapshot with one thread. */
export async function servingOf(children: Children, service: Service): Promise<Serving> {
  const { snapshots, path, source, requests } = service
  const people = drawPeople(join(source, 'authorities.ndjson'), 2 * requests)
  // Once to have the file in memory, and once for the figure.
  secondsOfHash(path)
  const sha256Seconds = secondsOfHash(path)
  const startedAt = performance.now()
  const { port, key, child } = await startRichService(children, { snapshots, threads: 1 })
  const connection = await Connection.open(port)
  const ask = async (target: string) => {
    const answer = await connection.ask(getRequest(target, key))
    if (answer?.status !== 200) throw new Error(`${target} was answered with ${answer?.status}`)
  }
  await ask(targetOf('detail', people[0]!))
  const firstAnswerSeconds = (performance.now() - startedAt) / 1000
  const waits: RouteWaits[] = []
  for (const route of Object.keys(routes) as Route[]) waits.push(await waitsOf(route, people, ask))
  connection.close()
  const { now } = residentBytes(child.process.pid!)
  await child.stop()
  return { firstAnswerSeconds, sha256Seconds, residentBytes: now, routes: waits }
}

function secondsOfHash(path: string): number {
  const startedAt = performance.now()
  execFileSync('sha256sum', [path])
  return (performance.now() - startedAt) / 1000
}

/** Asks for one person after the other: the first half warms up, the others are measured. */
async function waitsOf(
  route: Route,
  people: readonly Person[],
  ask: (target: string) => Promise<void>,
): Promise<RouteWaits> {
  const waitsUs: number[] = []
  for (const person of people) {
    const startedAt = performance.now()
    await ask(targetOf(route, person))
    waitsUs.push((performance.now() - startedAt) * 1000)
  }
  const ascending = Float64Array.from(waitsUs.slice(people.length / 2)).sort()
  return { route, p50Us: shareOf(ascending, 0.5), p99Us: shareOf(ascending, 0.99) }
}

/** A person of the records, by what routes ask for. */
interface Person {
  readonly sdu: string
  readonly name: string
  readonly handle: string
}

/** The routes that are asked, each for one person. */
const routes = {
  search: ({ name }: Person) => `query=${encodeURIComponent(name)}`,
  detail: ({ sdu }: Person) => `sdus=${sdu}`,
  peers: ({ handle }: Person) => `handles=${encodeURIComponent(handle)}`,
  match: ({ handle }: Person) => `handles=${encodeURIComponent(handle)}`,
}

type Route = keyof typeof routes

/** What is asked of a route for a person. */
function targetOf(route: Route, person: Person): string {
  return `${operations[route].paths[0]}?${routes[route](person)}`
}

/** More than the longest of the lines of a synthetic source. */
const windowBytes = 1 << 14

/** People with handles from anywhere in the records; where there are few, some of them twice. */
function drawPeople(path: string, count: number): Person[] {
  const random = new Random(31, count)
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const window = Buffer.alloc(Math.min(windowBytes, size))
    const people: Person[] = []
    while (people.length < count) {
      const length = readSync(
        file,
        window,
        0,
        window.length,
        random.below(size - window.length + 1),
      )
      const line = window.toString('utf8', 0, length).split('\n')[1]
      const { sdu, name, socials } = JSON.parse(line!) as Line
      const [social] = Object.values(socials)
      if (social !== undefined) people.push({ sdu, name, handle: social.handle })
    }
    return people
  } finally {
    closeSync(file)
  }
}

/** A line of a synthetic source, as far as it is read. */
interface Line {
  readonly sdu: string
  readonly name: string
  readonly socials: Readonly<Record<string, { readonly handle: string }>>
}
