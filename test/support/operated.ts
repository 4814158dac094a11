/**
 * A service as an operator runs it, over snapshots of the test's own: two that answer every
 * question differently, so that an answer tells which one it is from. Ends with the test.
 */
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { announce, publish } from '../../src/snapshot/store/directory.ts'
import { snapshotOf, temporaryDirectory } from './built.ts'
import { type Serving, type Surroundings, serve } from './program.ts'
import { authority, connection, social, topic } from './records.ts'

/** So many people whose names begin with a word; all else is the same whatever the word. */
export function peopleNamed(word: string, count = 60): Snapshot {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  return snapshotOf({
    authorities: numbers.map((number) =>
      authority({
        sdu: String(number),
        name: `${word} Person${number}`,
        topics: [topic(`Topic ${number % 5}`)],
        socials: [social('github', `person${number}`)],
      }),
    ),
    connections: numbers.flatMap((number) => [
      connection(String(number), String((number % count) + 1)),
      connection(String(number), String(((number * 7) % count) + 1)),
    ]),
  })
}

/** What to ask for: each of the four routes, single and in batches, all answered with names. */
export const targets: readonly string[] = [
  '/api/v1/index?query=topic+1&limit=50',
  '/api/v1/index?query=topic+3',
  '/api/v1/index?query=person7',
  '/api/v1/index?query=person1+person1&limit=3',
  '/api/v1/index?query=topc+4',
  '/api/v1/detail?sdu=1,2,3,4,5,6,7,8,9,10',
  '/api/v1/detail?sdus=17',
  '/api/v1/peers?handle=person3',
  '/api/v1/peers?handles=person4,person5&limit=50',
  '/api/v1/match?handle=@person11',
  '/api/v1/match?handles=person1,person2,person3,person60',
]

/** What an answer holds, as far as these tests look at it. */
interface Envelope {
  readonly results: readonly { readonly name: string }[]
}

/** The one word that all names of an answer begin with; throws when there are several or none. */
export function wordOf(body: string): string {
  const { results }: Envelope = JSON.parse(body)
  const words = new Set(results.map(({ name }) => name.split(' ')[0]!))
  if (words.size !== 1) throw new Error(`answered with names of ${words.size} snapshots: ${body}`)
  return [...words][0]!
}

/** A snapshot directory with two snapshots, the first of which is announced. */
export interface Scene {
  readonly directory: string
  readonly first: string
  readonly second: string
  /** Snapshot id → the word that its names begin with. */
  readonly words: Readonly<Record<string, string>>
}

/** The snapshots of every scene, made when the first begins: scenes hand out files of them, never their memory. */
const made: Partial<Record<'First' | 'Second', Snapshot>> = {}

/** A new scene. */
export function newScene(directory = join(temporaryDirectory(), 'snapshots')): Scene {
  const idOf = (word: keyof typeof made) => {
    made[word] ??= peopleNamed(word)
    publish(directory, made[word])
    return made[word].header.id
  }
  const [first, second] = [idOf('First'), idOf('Second')]
  announce(directory, first)
  return { directory, first, second, words: { [first]: 'First', [second]: 'Second' } }
}

/** What `/readyz` tells. */
interface Readiness {
  readonly ready: boolean
  readonly snapshot_id: string
  readonly pinned: boolean
  readonly swaps: number
  readonly refusals: number
  readonly last_refusal: { readonly message: string } | null
  readonly threads: number
  readonly thread_deaths: number
}

/** A service that is running. */
export interface Operated extends Serving {
  readonly readiness: () => Promise<Readiness>
}

/** Starts a service over a snapshot directory and waits until it serves; requests cost nothing. */
export async function operate(
  snapshots: string,
  words: readonly string[] = [],
  surroundings: Surroundings = {},
): Promise<Operated> {
  const free = ['search', 'detail', 'peers', 'match'].flatMap((route) => ['--price', `${route}=0`])
  const places = ['--snapshots', snapshots, '--data', join(temporaryDirectory(), 'data')]
  const service = await serve(['--threads', '2', ...places, ...free, ...words], surroundings)
  const { address, stop } = service
  onTestFinished(async () => void (await stop('SIGKILL')))
  const readiness = async () => (await (await fetch(`${address}/readyz`)).json()) as Readiness
  return { ...service, readiness }
}

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Asks again and again until it is stopped; every answer must be wholly from one snapshot. */
export function askAll({ address, headers }: Operated, words: Scene['words'], lines = 4) {
  let stopped = false
  const seen = new Map<string, number>()
  const askOn = async (line: number) => {
    for (let next = line; !stopped; next += 1) {
      const response = await fetch(`${address}${targets[next % targets.length]}`, { headers })
      const body = await response.text()
      if (response.status !== 200) throw new Error(`${response.status}: ${body}`)
      const id = response.headers.get('x-snapshot-id') ?? ''
      if (wordOf(body) !== words[id]) throw new Error(`${id} answered ${body}`)
      seen.set(id, (seen.get(id) ?? 0) + 1)
    }
  }
  const asking = Promise.all(Array.from({ length: lines }, (_, line) => askOn(line)))
  // A failure is thrown by `stop`; it may come before any caller waits.
  asking.catch(() => {})
  /** Answers how many answers came from each snapshot. */
  const stop = async (): Promise<ReadonlyMap<string, number>> => {
    stopped = true
    await asking
    return seen
  }
  return { seen, stop }
}

/** Waits until a service serves a snapshot, as `/readyz` tells. */
export async function untilServed({ readiness }: Operated, id: string): Promise<void> {
  await until(async () => (await readiness()).snapshot_id === id)
}

/** What `/readyz` tells in the end: a thread hears of a change a moment after another. */
export function readinessOf({ readiness }: Operated) {
  return expect.poll(readiness, { interval: 10 })
}

/** Announces a snapshot and waits until the service serves it. */
export async function swapTo(service: Operated, { directory }: Scene, id: string): Promise<void> {
  announce(directory, id)
  await untilServed(service, id)
}

/** For what does not depend on the number of threads: a second thread is a quarter of a start. */
export const oneThread = ['--threads', '1']
