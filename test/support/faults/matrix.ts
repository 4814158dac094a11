/**
 * Every operation of a client against every fault: answers are compared with direct ones, and what the ledger
 * charged is counted.
 */
import { type AnswerPromise, AuthorityIndex } from '../../../src/client/client.ts'
import type { RunningService } from '../program.ts'
import { type Fault, FaultServer, type Side } from './fault-server.ts'

interface MatrixCall {
  readonly name: string
  readonly isFree?: boolean
  readonly call: (client: AuthorityIndex) => AnswerPromise<unknown>
}

export function everyOperation(snapshot: string): MatrixCall[] {
  return [
    { name: 'search', call: (client) => client.search('rust', { limit: 3 }) },
    { name: 'detail', call: (client) => client.detail('59121954044035807') },
    {
      name: 'detail of a list',
      call: (client) => client.detail(['59121954044035807', '7']),
    },
    { name: 'peers', call: (client) => client.peers('sencapito', { limit: 2 }) },
    { name: 'match', call: (client) => client.match('@SenCapito') },
    { name: 'match of a list', call: (client) => client.match(['@SenCapito', 'nobody-at-all']) },
    {
      name: 'rank',
      call: (client) => client.rank(['@SenCapito', 'github:davidtwco'], { topic: 'Rust' }),
    },
    { name: 'autocomplete', isFree: true, call: (client) => client.autocomplete('rus') },
    { name: 'topics', isFree: true, call: (client) => client.topics({ limit: 2 }) },
    { name: 'snapshots', isFree: true, call: (client) => client.snapshots() },
    { name: 'snapshot', isFree: true, call: (client) => client.snapshot(snapshot) },
    { name: 'history', call: (client) => client.history('59121954044035807') },
  ]
}

/** The faults of one operation: every kind, at every `step`th byte of a request and an answer. */
export function everyFault(lengths: Readonly<Record<Side, number>>, step: number): Fault[] {
  const faults: Fault[] = []
  for (const side of ['request', 'answer'] as const) {
    for (let at = 0; at < lengths[side]; at += step) {
      faults.push({ kind: 'kill', side, at, how: 'reset' }, { kind: 'garble', side, at })
      faults.push({ kind: 'kill', side, at, how: 'end' }, { kind: 'delay', side, at, ms: 20 })
    }
  }
  for (const status of [429, 503] as const) {
    faults.push({ kind: 'refuse', status }, { kind: 'refuse', status, retryAfter: 0 })
  }
  return [...faults, { kind: 'idle', ms: 0 }, { kind: 'idle', ms: 5 }]
}

interface LaneResult {
  readonly calls: number
  readonly faults: number
  /** Requests beyond one a call. */
  readonly extra: number
  /** Each names the operation and the fault. */
  readonly errors: readonly string[]
  readonly wrong: readonly string[]
  readonly keys: number
  readonly pricedCalls: number
  /** USD of all calls, each once. */
  readonly priceUsd: number
}

interface LanePlan {
  readonly service: RunningService
  readonly calls: readonly MatrixCall[]
  /** The faults of a call, by the lengths of its request and answer. */
  readonly faultsOf: (lengths: Readonly<Record<Side, number>>) => readonly Fault[]
}

export async function runLane({ service, calls, faultsOf }: LanePlan): Promise<LaneResult> {
  const server = await FaultServer.start(service.address)
  const apiKey = service.headers.authorization!.replace('Bearer ', '')
  const client = new AuthorityIndex({
    baseURL: server.address,
    apiKey,
    timeoutMs: 6_000,
    // Each call has a fault, so each may need a retry.
    retryBudget: 1,
  })
  const errors: string[] = []
  const wrong: string[] = []
  let made = 0
  let pricedCalls = 0
  let priceUsd = 0
  try {
    for (const { name, isFree, call } of calls) {
      const { data, cost } = await call(client).withResponse()
      const before = made
      made += 1
      const expected = JSON.stringify(data)
      for (const fault of faultsOf({ ...server.lengths })) {
        server.queue.push(fault)
        made += 1
        try {
          const answer = await call(client)
          if (JSON.stringify(answer) !== expected) wrong.push(`${name}: ${JSON.stringify(fault)}`)
        } catch (error) {
          errors.push(`${name}: ${JSON.stringify(fault)}: ${error}`)
        }
        server.queue.length = 0
      }
      priceUsd += cost * (made - before)
      if (isFree !== true) pricedCalls += made - before
    }
  } finally {
    await server.stop()
  }
  const { exchanges, faults, keys } = server.counts
  return {
    calls: made,
    faults,
    extra: exchanges - made,
    errors,
    wrong,
    keys: Object.keys(keys).length,
    pricedCalls,
    priceUsd,
  }
}
