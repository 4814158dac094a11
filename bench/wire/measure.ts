/** In every round each target gets its turn, and is compared with the ceiling of the same round. */

import { busySeconds, type Cores } from '../../test/support/processes/cores.ts'
import { cpuSeconds } from '../../test/support/processes/proc.ts'
import type { Workload } from '../shared/data/workloads.ts'
import type { Load, Measured } from '../shared/load/load.ts'
import { median } from '../shared/rounds.ts'
import { type Answer, fetchAnswer, typicalAnswer } from './answer.ts'
import { type Stand, type Target, type TargetKind, targetNames } from './targets.ts'

interface Cell {
  readonly workload: Workload
  readonly connections: number
  readonly kinds: readonly TargetKind[]
}

/** What was measured of one target in one cell: medians of the rounds. */
export interface WireRow {
  readonly authorities: number
  readonly workload: string
  readonly connections: number
  readonly target: string
  readonly requestsPerSecond: number
  readonly p50Us: number
  readonly p99Us: number
  readonly p999Us: number
  /** Requests per second by those of the ceiling in the same round: the median of the rounds. */
  readonly ratio: number
  readonly p99Ratio: number
  /** Share of the time for which the servers' core was at work; null where nothing is pinned. */
  readonly busy: number | null
  /** Microseconds of processor time a request; null where several processes answer. */
  readonly userUs: number | null
  readonly systemUs: number | null
}

export interface Timing {
  readonly rounds: number
  readonly seconds: number
}

interface MeasuringOptions {
  readonly authorities: number
  readonly stand: Stand
  readonly load: Load
  readonly cores: Cores | undefined
  readonly timing: Timing
  readonly signal: AbortSignal
  readonly report: (line: string) => void
}

interface Turn extends Measured {
  readonly requestsPerSecond: number
  readonly busy: number | null
  readonly userUs: number | null
  readonly systemUs: number | null
}

const samples = 100

export class Measuring {
  readonly #options: MeasuringOptions
  readonly #typical = new Map<Workload, Answer>()
  /** How far each target has come in each workload, so that no turn repeats what the last asked. */
  readonly #offsets = new Map<string, number>()

  constructor(options: MeasuringOptions) {
    this.#options = options
  }

  async measure(cell: Cell): Promise<WireRow[]> {
    const { authorities, stand, report } = this.#options
    report(`${authorities} authorities: ${titleOf(cell)}`)
    const typical = await this.#typicalOf(cell.workload)
    const files = new Map<Target, string>()
    for (const target of stand.targets) {
      const isAsked = target.kind === 'ceiling' || cell.kinds.includes(target.kind)
      if (!isAsked) continue
      files.set(target, await target.aim(cell.workload, typical))
    }
    await this.#assertSame(typical)
    const turns = await this.#takeTurns(cell, files)
    const ceiling = turns.get(this.#target('ceiling'))!
    return [...turns].map(([target, each]) => this.#row(cell, target, each, ceiling))
  }

  #target(wanted: TargetKind): Target {
    return this.#options.stand.targets.find(({ kind }) => kind === wanted)!
  }

  async #typicalOf(workload: Workload): Promise<Answer> {
    const known = this.#typical.get(workload)
    if (known !== undefined) return known
    const { port } = this.#target('service')
    // The last paths: the load begins with the first, so that it does not ask for these again.
    const paths = workload.paths.slice(-samples)
    const typical = await typicalAnswer(port, paths, this.#options.stand.key)
    this.#typical.set(workload, typical)
    return typical
  }

  /** The ceiling is one only while it answers as the service does. */
  async #assertSame(typical: Answer): Promise<void> {
    const { port } = this.#target('ceiling')
    const answer = await fetchAnswer(port, '/', this.#options.stand.key)
    const namesOf = ({ headers }: Answer) => headers.map(([name]) => name).join(', ')
    if (answer.body !== typical.body || namesOf(answer) !== namesOf(typical)) {
      throw new Error(`the ceiling answers something else: ${namesOf(answer)}`)
    }
  }

  /** The targets in turn, in every round beginning with another; the first round warms up. */
  async #takeTurns(cell: Cell, files: ReadonlyMap<Target, string>): Promise<Map<Target, Turn[]>> {
    const { rounds } = this.#options.timing
    const order = [...files]
    const turns = new Map(order.map(([target]): [Target, Turn[]] => [target, []]))
    for (let round = 0; round <= rounds; round += 1) {
      order.push(order.shift()!)
      for (const [target, file] of order) {
        const turn = await this.#takeTurn(cell, target, file)
        if (round > 0) turns.get(target)!.push(turn)
      }
    }
    return turns
  }

  async #takeTurn(cell: Cell, { kind, port, pid }: Target, file: string): Promise<Turn> {
    const { cores, stand, timing, signal } = this.#options
    signal.throwIfAborted()
    const { connections, workload } = cell
    const place = `${kind} ${workload.name}`
    const offset = this.#offsets.get(place) ?? 0
    const before = cores && busySeconds(cores.server)
    const spentBefore = pid === undefined ? undefined : cpuSeconds(pid)
    const order = { port, key: stand.key, file, connections, seconds: timing.seconds }
    const measured = await this.#options.load.fire({ ...order, offset })
    const { requests, seconds, failed } = measured
    if (failed > 0 || requests === 0) {
      const what = `${targetNames[kind]}, ${titleOf(cell)}`
      throw new Error(`${what}: ${failed} of ${requests} requests failed`)
    }
    this.#offsets.set(place, offset + requests + connections)
    const busy =
      before === undefined ? null : Math.min(1, (busySeconds(cores!.server) - before) / seconds)
    const spent = pid === undefined ? undefined : cpuSeconds(pid)
    const aRequestUs = (name: 'user' | 'system') =>
      spent && spentBefore ? ((spent[name] - spentBefore[name]) * 1e6) / requests : null
    return {
      ...measured,
      requestsPerSecond: requests / seconds,
      busy,
      userUs: aRequestUs('user'),
      systemUs: aRequestUs('system'),
    }
  }

  #row(
    { workload, connections }: Cell,
    { kind }: Target,
    turns: readonly Turn[],
    ceiling: readonly Turn[],
  ): WireRow {
    const of = (value: (turn: Turn) => number) => median(turns.map(value))
    const ofKnown = (name: 'userUs' | 'systemUs') =>
      turns.some((turn) => turn[name] === null) ? null : of((turn) => turn[name]!)
    const byCeiling = (name: 'requestsPerSecond' | 'p99Us') =>
      median(turns.map((turn, round) => turn[name] / ceiling[round]![name]))
    return {
      authorities: this.#options.authorities,
      workload: workload.name,
      connections,
      target: targetNames[kind],
      requestsPerSecond: of((turn) => turn.requestsPerSecond),
      p50Us: of(({ p50Us }) => p50Us),
      p99Us: of(({ p99Us }) => p99Us),
      p999Us: of(({ p999Us }) => p999Us),
      ratio: byCeiling('requestsPerSecond'),
      p99Ratio: byCeiling('p99Us'),
      busy: this.#options.cores === undefined ? null : of(({ busy }) => busy!),
      userUs: ofKnown('userUs'),
      systemUs: ofKnown('systemUs'),
    }
  }
}

function titleOf({ workload, connections }: Cell): string {
  return `${workload.name}, ${connections} connections`
}
