/**
 * The same snapshot served with its texts in memory and on disk, by two processes at once: memory, time to the
 * first answer, and profiles that were read before (warm) and that no cache has (cold), one at a time and as many as a
 * POST takes. Requests go to both in turns. Before every cold request the operating system drops the file from its cache (posix_fadvise, DONTNEED, by
 * dd), and the service answers a few requests from memory; what the process then reads from storage is counted, so
 * that a cold figure is seen to be cold.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../src/limits.ts'
import { operations } from '../../src/operations.ts'
import { getRequest } from '../../test/support/processes/answer-reader.ts'
import { Children } from '../../test/support/processes/children.ts'
import { Connection } from '../../test/support/processes/connection.ts'
import { residentBytes, workSeconds } from '../../test/support/processes/proc.ts'
import { type KeyedService, startRichService } from '../../test/support/processes/service.ts'
import { Random } from '../../test/support/random.ts'
import { sizesIn, snapshotAt } from '../scale/bench.ts'
import { drawPeople, targetOf } from '../scale/serving.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { dropFromMemory } from '../shared/drop-from-memory.ts'
import { type Columns, table } from '../shared/report.ts'
import { shareOf } from '../shared/rounds.ts'

const tiers = ['memory', 'disk'] as const
type Tier = (typeof tiers)[number]
type OfEach<T> = Readonly<Record<Tier, T>>

/** All that is measured at a size. */
interface TiersRow {
  readonly authorities: number
  readonly bytesPerPerson: number
  /** Behind all requests. */
  readonly residentBytes: OfEach<number>
  readonly firstAnswerSeconds: OfEach<number>
  /** Microseconds over HTTP, one request at a time. */
  readonly warmP50Us: OfEach<number>
  readonly warmP99Us: OfEach<number>
  /** Microseconds of processor time a warm request, of all threads of the process. */
  readonly warmWorkUs: OfEach<number>
  readonly coldP50Us: number
  readonly coldP99Us: number
  /** The same of one page of the file, read by the bench in turns with that. */
  readonly readP50Us: number
  readonly readP99Us: number
  /** What a cold request has read from storage. */
  readonly coldReadBytes: number
  /** Milliseconds of a cold POST, for which the thread of the service answers nobody else. */
  readonly posts: Posts
}

/** Cold POSTs of so many profiles each. */
interface Posts {
  readonly profiles: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The same POSTs where the system has the file in memory. */
  readonly warmP50Ms: number
  readonly readBytes: number
}

const plans = {
  tiny: {
    ...{ sizes: [300], warm: 20, rounds: 2, cold: 5 },
    ...{ posts: 2, profiles: 20 },
  },
  full: {
    ...{ sizes: [100_000, 1_000_000], warm: 500, rounds: 20, cold: 500 },
    ...{ posts: 100, profiles: limits.batchValuesMax },
  },
} as const

const root = 'bench/data/scale'

/** The bench, as commands run it. */
export const tiersBench: Bench = {
  name: 'tiers',
  flags: ['sizes', 'sources'],
  run: async (options) => {
    const rows = await run(options)
    return { result: { rows }, lines: report(rows) }
  },
}

/** Runs the bench at each size of the plan, or at those that are asked for. */
async function run(options: BenchOptions): Promise<TiersRow[]> {
  const directory = options.flags?.sources ?? options.directory ?? root
  const rows: TiersRow[] = []
  for (const authorities of sizesIn(options.flags?.sizes) ?? plans[options.size].sizes) {
    rows.push(await rowAt(authorities, join(directory, String(authorities)), options))
  }
  return rows
}

async function rowAt(
  authorities: number,
  directory: string,
  { size, report, signal }: BenchOptions,
): Promise<TiersRow> {
  const children = new Children(signal)
  const plan = plans[size]
  try {
    const made = await snapshotAt(children, authorities, directory, report)
    const people = drawPeople(join(made.source, 'authorities.ndjson'), plan.warm + plan.cold)
    const targets = people.map((person) => targetOf('detail', person))
    const warm = targets.slice(0, plan.warm)
    report(`${authorities} people: services`)
    const start = (words: readonly string[]) =>
      Asked.start(children, made.snapshots, warm[0]!, words)
    const disk = ['--texts', 'disk']
    const asked = { memory: await start([]), disk: await start(disk) }
    for (const tier of tiers) await asked[tier].connect()
    const warmed = await warmOf(asked, warm, plan.rounds)
    const cold = await coldOf(asked.disk, made.path, targets, plan.cold)
    const posts = await postsOf(asked.disk, made, warm[0]!, plan)
    const bytes = await ofEach((tier) => asked[tier].residentBytes())
    const seconds = await ofEach((tier) => asked[tier].firstAnswerSeconds)
    const { bytesPerPerson } = made
    const measured = {
      residentBytes: bytes,
      firstAnswerSeconds: seconds,
      ...warmed,
      ...cold,
      posts,
    }
    return { authorities, bytesPerPerson, ...measured }
  } finally {
    await children.close()
  }
}

/** A service that is asked over one connection. */
class Asked {
  readonly #service: KeyedService
  #connection: Connection
  readonly firstAnswerSeconds: number

  private constructor(service: KeyedService, connection: Connection, seconds: number) {
    this.#service = service
    this.#connection = connection
    this.firstAnswerSeconds = seconds
  }

  static async start(
    children: Children,
    snapshots: string,
    target: string,
    words: readonly string[],
  ): Promise<Asked> {
    const startedAt = performance.now()
    const service = await startRichService(children, { snapshots, threads: 1, words })
    const connection = await Connection.open(service.port)
    await answered(connection, target, service.key)
    return new Asked(service, connection, (performance.now() - startedAt) / 1000)
  }

  /** A connection that was idle while another service started has ended. */
  async connect(): Promise<void> {
    this.#connection.close()
    this.#connection = await Connection.open(this.#service.port)
  }

  /** Microseconds until the answer. */
  async ask(target: string): Promise<number> {
    const startedAt = performance.now()
    await answered(this.#connection, target, this.#service.key)
    return (performance.now() - startedAt) * 1000
  }

  /** Milliseconds until the answer to a POST for some profiles. */
  async post(sdus: readonly string[]): Promise<number> {
    const body = JSON.stringify({ sdus })
    const path = operations.detail.paths[0]
    const request = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${this.#service.key}`
    const length = `Content-Type: application/json\r\nContent-Length: ${body.length}`
    const startedAt = performance.now()
    const answer = await this.#connection.ask(`${request}\r\n${length}\r\n\r\n${body}`)
    if (answer?.status !== 200) throw new Error(`${path} was answered with ${answer?.status}`)
    return performance.now() - startedAt
  }

  get #pid(): number {
    return this.#service.child.process.pid!
  }

  residentBytes(): number {
    return residentBytes(this.#pid).now
  }

  workSeconds(): number {
    return workSeconds(this.#pid)
  }

  /** Bytes that it has had read from storage, by now. */
  readBytes(): number {
    return Number(/^read_bytes: (\d+)$/m.exec(readFileSync(`/proc/${this.#pid}/io`, 'utf8'))?.[1])
  }
}

async function answered(connection: Connection, target: string, key: string): Promise<void> {
  const answer = await connection.ask(getRequest(target, key))
  if (answer?.status !== 200) throw new Error(`${target} was answered with ${answer?.status}`)
}

/** Both are asked for the same people in turns: once to warm up, then for the figures. */
async function warmOf(asked: OfEach<Asked>, targets: readonly string[], rounds: number) {
  const waits = { memory: [] as number[], disk: [] as number[] }
  for (const target of targets) for (const tier of tiers) await asked[tier].ask(target)
  const before = await ofEach((tier) => asked[tier].workSeconds())
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? tiers : tiers.toReversed()
    for (const target of targets) {
      for (const tier of order) waits[tier].push(await asked[tier].ask(target))
    }
  }
  const sorted = await ofEach((tier) => Float64Array.from(waits[tier]).sort())
  const requests = rounds * targets.length
  return {
    warmP50Us: await ofEach((tier) => shareOf(sorted[tier], 0.5)),
    warmP99Us: await ofEach((tier) => shareOf(sorted[tier], 0.99)),
    warmWorkUs: await ofEach(
      (tier) => ((asked[tier].workSeconds() - before[tier]) * 1e6) / requests,
    ),
  }
}

/**
 * Asks for people who were not asked for, each after the file was dropped from memory. In turns with that, a page of
 * the file is read here: what storage takes at that moment, whatever it is. The drop is a process of its own, behind
 * which even an answer from memory takes several times as long: a few of those come first, so that the wait is for
 * storage and not for the machine.
 */
async function coldOf(disk: Asked, path: string, targets: readonly string[], count: number) {
  const warm = targets[0]!
  const dropAndWake = async () => {
    dropFromMemory(path)
    for (let asked = 0; asked < wakingRequests; asked += 1) await disk.ask(warm)
  }
  const [waits, reads] = [[] as number[], [] as number[]]
  const file = openSync(path, 'r')
  const pages = Math.floor(fstatSync(file).size / pageBytes)
  const random = new Random(32, pages)
  const before = disk.readBytes()
  for (const target of targets.slice(-count)) {
    await dropAndWake()
    const position = random.below(pages) * pageBytes
    const startedAt = performance.now()
    readSync(file, page, 0, pageBytes, position)
    reads.push((performance.now() - startedAt) * 1000)
    await dropAndWake()
    waits.push(await disk.ask(target))
  }
  closeSync(file)
  const [asked, read] = [Float64Array.from(waits).sort(), Float64Array.from(reads).sort()]
  return {
    coldP50Us: shareOf(asked, 0.5),
    coldP99Us: shareOf(asked, 0.99),
    readP50Us: shareOf(read, 0.5),
    readP99Us: shareOf(read, 0.99),
    coldReadBytes: (disk.readBytes() - before) / count,
  }
}

/** POSTs for people from anywhere in the file, each after the file was dropped from memory, and once more where it was not. */
async function postsOf(
  disk: Asked,
  { path, source }: { readonly path: string; readonly source: string },
  waking: string,
  { posts, profiles }: { readonly posts: number; readonly profiles: number },
): Promise<Posts> {
  const people = drawPeople(join(source, 'authorities.ndjson'), posts * profiles)
  const sdus = people.map(({ sdu }) => sdu)
  // Drawing them took longer than a connection may be idle.
  await disk.connect()
  const [cold, warm] = [[] as number[], [] as number[]]
  let readBytes = 0
  for (let post = 0; post < posts; post += 1) {
    const asked = sdus.slice(post * profiles, (post + 1) * profiles)
    dropFromMemory(path)
    for (let times = 0; times < wakingRequests; times += 1) await disk.ask(waking)
    const before = disk.readBytes()
    cold.push(await disk.post(asked))
    readBytes += disk.readBytes() - before
    warm.push(await disk.post(asked))
  }
  const [ascending, ofWarm] = [Float64Array.from(cold).sort(), Float64Array.from(warm).sort()]
  return {
    profiles,
    p50Ms: shareOf(ascending, 0.5),
    p99Ms: shareOf(ascending, 0.99),
    warmP50Ms: shareOf(ofWarm, 0.5),
    readBytes: readBytes / posts,
  }
}

const wakingRequests = 5
const pageBytes = 4_096
const page = Buffer.alloc(pageBytes)

async function ofEach<T>(measure: (tier: Tier) => T | Promise<T>): Promise<OfEach<T>> {
  return { memory: await measure('memory'), disk: await measure('disk') }
}

const columns: Columns<TiersRow> = {
  people: ({ authorities }) => authorities.toLocaleString('en'),
  'bytes a person': ({ bytesPerPerson }) => bytesPerPerson.toFixed(0),
  'memory MB': ({ residentBytes: { memory } }) => (memory / 1e6).toFixed(0),
  'disk MB': ({ residentBytes: { disk } }) => (disk / 1e6).toFixed(0),
  ratio: ({ residentBytes: bytes }) => ratioOf(bytes),
  'first answer s': ({ firstAnswerSeconds: { disk } }) => disk.toFixed(2),
  'by memory': ({ firstAnswerSeconds: seconds }) => ratioOf(seconds),
}

const waitColumns: Columns<TiersRow> = {
  people: ({ authorities }) => authorities.toLocaleString('en'),
  'warm p50, memory': ({ warmP50Us: { memory } }) => memory.toFixed(0),
  disk: ({ warmP50Us: { disk } }) => disk.toFixed(0),
  ratio: ({ warmP50Us: us }) => ratioOf(us),
  'p99 ratio': ({ warmP99Us: us }) => ratioOf(us),
  'work ratio': ({ warmWorkUs: us }) => ratioOf(us),
  'cold p50': ({ coldP50Us }) => coldP50Us.toFixed(0),
  'by a read': ({ coldP50Us, readP50Us }) => (coldP50Us / readP50Us).toFixed(2),
  'cold p99': ({ coldP99Us }) => coldP99Us.toFixed(0),
  'by a read p99': ({ coldP99Us, readP99Us }) => (coldP99Us / readP99Us).toFixed(2),
  'cold bytes read': ({ coldReadBytes }) => coldReadBytes.toFixed(0),
}

const postColumns: Columns<TiersRow> = {
  people: ({ authorities }) => authorities.toLocaleString('en'),
  profiles: ({ posts: { profiles } }) => profiles.toLocaleString('en'),
  'file in memory p50': ({ posts: { warmP50Ms } }) => warmP50Ms.toFixed(1),
  'cold p50': ({ posts: { p50Ms } }) => p50Ms.toFixed(0),
  'cold p99': ({ posts: { p99Ms } }) => p99Ms.toFixed(0),
  'cold bytes read': ({ posts: { readBytes } }) => readBytes.toFixed(0),
}

function ratioOf({ memory, disk }: OfEach<number>): string {
  return (disk / memory).toFixed(2)
}

/** The table of memory and start, that of waits, and that of POSTs. */
function report(rows: readonly TiersRow[]): string[] {
  return [
    ...table(rows, columns),
    '',
    'Profiles over HTTP, one request at a time, in microseconds:',
    '',
    ...table(rows, waitColumns),
    '',
    'A POST of profiles with texts on disk, in milliseconds:',
    '',
    ...table(rows, postColumns),
  ]
}
