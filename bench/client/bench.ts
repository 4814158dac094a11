/**
 * Single calls of one turn of the event loop: as one request, as a request each, and from the cache; and a feed
 * of sources ranked as one list. The manners take turns, each with handles that were not asked for before.
 */
import { AuthorityClient, type ClientOptions } from '../../src/client/authority-client.ts'
import { Children } from '../../test/support/processes/children.ts'
import { type KeyedService, startRichService } from '../../test/support/processes/service.ts'
import { Random } from '../../test/support/random.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { announcedIn, loadAnnounced, textsOf } from '../shared/data/data.ts'
import { table } from '../shared/report.ts'
import { median, roundsOf } from '../shared/rounds.ts'

/** How one manner fared; medians of the rounds. */
interface ClientRow {
  readonly manner: string
  readonly values: number
  readonly requests: number
  readonly costUsd: number
  readonly milliseconds: number
  /** Processor time of the client's process. */
  readonly clientMs: number
}

const sizes = {
  tiny: { people: 300, rounds: 2, calls: 50, sources: 1_500 },
  full: { people: 10_000, rounds: 11, calls: 1_000, sources: 10_000 },
} as const

/** A share of the handles that nobody has. */
const strangerShare = 0.5

/** The bench, as commands run it. */
export const clientBench: Bench = {
  name: 'client',
  run: async (options) => {
    const rows = await run(options)
    return { result: { rows }, lines: report(rows) }
  },
}

interface Manner {
  readonly options: Partial<ClientOptions>
  readonly count: 'calls' | 'sources'
  readonly ask: (client: AuthorityClient, values: readonly string[]) => Promise<unknown>
}

const single = (client: AuthorityClient, handles: readonly string[]) =>
  Promise.all(handles.map((handle) => client.match(handle)))

const manners: Readonly<Record<string, Manner>> = {
  'single calls, a request each': { options: { coalesce: false }, count: 'calls', ask: single },
  'single calls, coalesced': { options: {}, count: 'calls', ask: single },
  'the same again, kept': {
    options: { cache: 'revalidate' },
    count: 'calls',
    ask: single,
  },
  'a feed, ranked': { options: {}, count: 'sources', ask: (client, feed) => client.rank(feed) },
}

/** Runs the bench; everything it starts ends with it. */
async function run(options: BenchOptions): Promise<ClientRow[]> {
  const plan = sizes[options.size]
  const snapshots = await announcedIn(options, plan.people)
  const handles = textsOf(loadAnnounced(snapshots).sections, 'handle')
  const children = new Children(options.signal)
  try {
    const service = await startRichService(children, { snapshots, threads: 1 })
    const random = new Random(31, 0)
    const rows: Record<string, ClientRow>[] = []
    await roundsOf(Object.keys(manners), plan.rounds, async (manner) => {
      const values = drawn(handles, plan[manners[manner]!.count], random)
      const row = await measured(service, manner, values)
      rows.push({ [manner]: row })
      return row.milliseconds
    })
    return Object.keys(manners).map((manner) => {
      // The first of each manner warms up.
      const own = rows.flatMap((row) => row[manner] ?? []).slice(1)
      const middle = (of: 'milliseconds' | 'clientMs') => median(own.map((row) => row[of]))
      return { ...own[0]!, milliseconds: middle('milliseconds'), clientMs: middle('clientMs') }
    })
  } finally {
    await children.close()
  }
}

async function measured(
  { port, key }: KeyedService,
  manner: string,
  values: readonly string[],
): Promise<ClientRow> {
  const { options, ask } = manners[manner]!
  let requests = 0
  const client = new AuthorityClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: key,
    deadlineMs: 60_000,
    middleware: [
      (request, next) => {
        requests += 1
        return next(request)
      },
    ],
    ...options,
  })
  // Connections are open, and with a cache the answers are kept.
  await ask(client, options.cache === undefined ? values.slice(0, 1) : values)
  const spentUsd = client.spentUsd
  requests = 0
  const cpu = process.cpuUsage()
  const startedMs = performance.now()
  await ask(client, values)
  const milliseconds = performance.now() - startedMs
  const { user, system } = process.cpuUsage(cpu)
  await client.close()
  return {
    manner,
    values: values.length,
    requests,
    costUsd: client.spentUsd - spentUsd,
    milliseconds,
    clientMs: (user + system) / 1_000,
  }
}

function drawn(handles: readonly string[], count: number, random: Random): string[] {
  const names = new Set<string>()
  while (names.size < count) {
    const isStranger = random.fraction() < strangerShare || names.size >= handles.length
    names.add(isStranger ? `nobody${random.below(1e9)}` : handles[random.below(handles.length)]!)
  }
  return [...names]
}

/** The rows as a table. The service charges 0.000001 USD a value; the cost is that of the default prices. */
function report(rows: readonly ClientRow[]): string[] {
  return table(rows, {
    manner: ({ manner }) => manner,
    values: ({ values }) => values,
    requests: ({ requests }) => requests,
    'cost USD': ({ costUsd }) => (costUsd * 1_000).toFixed(3),
    ms: ({ milliseconds }) => milliseconds.toFixed(1),
    'client CPU ms': ({ clientMs }) => clientMs.toFixed(1),
  })
}
