/**
 * This build beside another one: processor time a request, by turns on one core. Two processes of one build differ
 * by some three percent as long as they live, so each is started several times, by turns first. What asks shares
 * the core of what answers: on another thread of that core it would change what a request costs.
 */
import { mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Children } from '../../test/support/processes/children.ts'
import { divideCores } from '../../test/support/processes/cores.ts'
import { workSeconds } from '../../test/support/processes/proc.ts'
import {
  type KeyedService,
  program,
  runForJson,
  startService,
} from '../../test/support/processes/service.ts'
import { type Bench, type BenchOptions, numberOf } from '../shared/bench.ts'
import { benchData, loadAnnounced } from '../shared/data/data.ts'
import { makeWorkloads, mixedNames } from '../shared/data/workloads.ts'
import { type Load, startLoad } from '../shared/load/load.ts'
import { table } from '../shared/report.ts'
import { type Interval, meanRatioOf, median, type Round, roundsOf } from '../shared/rounds.ts'

interface AgainstRow extends Interval {
  readonly route: string
  /** Microseconds of processor time a request, of all threads of the process; medians. */
  readonly hereUs: number
  readonly thereUs: number
}

const builds = ['here', 'there'] as const
type Build = (typeof builds)[number]

const sizes = {
  tiny: { authorities: 300, starts: 1, rounds: 1, seconds: 1, routes: 1, pathsMax: 100 },
  full: { authorities: 10_000, starts: 12, rounds: 3, seconds: 1, routes: 4, pathsMax: 10_000 },
} as const

const connections = 64
const warmRounds = 2
const flags = ['here', 'checkout', 'other-words', 'authorities', 'route']

export const againstBench: Bench = {
  name: 'against',
  flags,
  run: async (options) => {
    const rows = await run(options)
    return { lines: report(rows) }
  },
}

async function run(options: BenchOptions): Promise<AgainstRow[]> {
  const { size, signal, directory } = options
  const { starts, rounds, seconds, routes, pathsMax } = sizes[size]
  const authorities = numberOf(options, 'authorities') ?? sizes[size].authorities
  const made = new Children(signal)
  try {
    const { source, snapshots } = await benchData(authorities, directory)
    const workloads = makeWorkloads(loadAnnounced(snapshots), made.directory, pathsMax)
    const asked = mixedNames
      .map((name) => workloads.find((each) => each.name === name)!)
      .filter(({ route }) => route === (options.flags?.route ?? route))
      .slice(0, routes)
    const measured = asked.map((): Round<Build>[] => [])
    for (let start = 0; start < starts; start += 1) {
      const children = new Children(signal)
      try {
        const order = start % 2 === 0 ? builds : builds.toReversed()
        const services = await startBuilds(children, source, order, options.flags ?? {})
        const load = startLoad(children, size, divideCores()?.server)
        for (const [index, { file }] of asked.entries()) {
          measured[index]!.push(await startFor(file, { order, services, load, rounds, seconds }))
        }
      } finally {
        await children.close()
      }
    }
    return asked.map(({ route }, index) => rowOf(route, measured[index]!))
  } finally {
    await made.close()
  }
}

type Services = Readonly<Record<Build, KeyedService>>

async function startBuilds(
  children: Children,
  source: string,
  order: readonly Build[],
  given: Readonly<Record<string, string>>,
): Promise<Services> {
  const { here = '.', checkout = '.', 'other-words': words = '' } = given
  const others = words.split(' ').filter((word) => word !== '')
  const started: Partial<Record<Build, KeyedService>> = {}
  for (const build of order) {
    started[build] =
      build === 'here'
        ? await startBuild(children, source, here, [])
        : await startBuild(children, source, checkout, others)
  }
  return started as Services
}

async function startBuild(
  children: Children,
  source: string,
  checkout: string,
  words: readonly string[],
): Promise<KeyedService> {
  const built = join(resolve(checkout), program)
  const directory = mkdtempSync(join(children.directory, 'build-'))
  const places = ['--snapshots', join(directory, 'snapshots'), '--data', join(directory, 'data')]
  const gate = ['--gate', 'reject-share-max=1']
  await runForJson(['sync', '--source', source, ...places.slice(0, 2), ...gate], built)
  // The account of a first start pays for fifty million queries at the lowest price there is.
  const prices = ['search', 'detail', 'peers', 'match'].flatMap((route) => [
    '--price',
    `${route}=0.000001`,
  ])
  const asked = ['--threads', '1', ...places, ...prices, ...words]
  const { key, ...service } = await startService(children, asked, divideCores()?.server, built)
  if (key === undefined) throw new Error(`${built} made no account`)
  return { ...service, key }
}

interface Asking {
  /** Who is asked first. A build that was asked last as well is warmer: over two starts that is each as often. */
  readonly order: readonly Build[]
  readonly services: Services
  readonly load: Load
  readonly rounds: number
  readonly seconds: number
}

/** What the paths of one route cost in one start: microseconds of processor time a request, medians. */
async function startFor(
  file: string,
  { order, services, load, rounds, seconds }: Asking,
): Promise<Round<Build>> {
  let offset = 0
  const cost = async (build: Build) => {
    const { child, port, key } = services[build]
    const before = workSeconds(child.process.pid!)
    const asked = { port, key, file, offset, connections, seconds }
    const { requests, failed } = await load.fire(asked)
    if (failed > 0) throw new Error(`${failed} of ${requests} requests failed`)
    offset += requests
    return ((workSeconds(child.process.pid!) - before) * 1e6) / requests
  }
  // A process that has just begun compiles what it runs, on threads of its own: that is no cost of a request.
  await roundsOf(order, warmRounds, cost)
  const measured = await roundsOf(order, rounds, cost)
  return {
    here: median(measured.map(({ here }) => here)),
    there: median(measured.map(({ there }) => there)),
  }
}

/** What the starts say of one route; the ratio is of speed, so above 1 is quicker here. */
function rowOf(route: string, starts: readonly Round<Build>[]): AgainstRow {
  return {
    route,
    hereUs: median(starts.map(({ here }) => here)),
    thereUs: median(starts.map(({ there }) => there)),
    ...meanRatioOf(starts, 'there', 'here'),
  }
}

function report(rows: readonly AgainstRow[]): string[] {
  return table(rows, {
    route: ({ route }) => route,
    'here (µs)': ({ hereUs }) => hereUs.toFixed(1),
    'there (µs)': ({ thereUs }) => thereUs.toFixed(1),
    'speed by there': ({ ratio }) => ratio.toFixed(3),
    from: ({ ratioFrom }) => ratioFrom.toFixed(3),
    to: ({ ratioTo }) => ratioTo.toFixed(3),
  })
}
