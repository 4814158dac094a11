/**
 * Loads a snapshot as a loading thread does and prepares it as a serving thread does, part by part,
 * and reports the processor time of each part in milliseconds: that of the whole process, so that
 * what the engine compiles and collects beside is in it. The first round has cold code and fresh
 * memory, as the first load of a service; of the others, which have neither, the least counts.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import { topicCountsOf } from '../../src/engine/facets/topic-counts.ts'
import { ordersOf } from '../../src/engine/suggest/orders.ts'
import { summaryNumbersOf } from '../../src/engine/summary-rows.ts'
import { nameSoundsOf } from '../../src/engine/terms/name-sounds.ts'
import { topicTokensOf } from '../../src/engine/terms/topic-tokens.ts'
import { websiteTableOf } from '../../src/engine/websites.ts'
import { type Allocate, readSnapshot, type Snapshot } from '../../src/snapshot/file.ts'
import { profileRests } from '../../src/snapshot/section-pages.ts'
import { checks } from '../../src/snapshot/verify/verify.ts'
import { getter } from '../shared/in-process.ts'
import type { CostsOrder, PartCosts } from './costs.ts'

const roundsAgain = 4
const pieceBytes = 4 << 20

const { path, targetsFile } = workerData as CostsOrder
const targets = readFileSync(targetsFile, 'utf8').trim().split('\n')
const spare = new Map<string, SharedArrayBuffer>()

/** The memory of the round before, where there was one. */
const allocate: Allocate = (name, bytes) => {
  const buffer = spare.get(name) ?? new SharedArrayBuffer(bytes)
  spare.set(name, buffer)
  return new Uint8Array(buffer)
}

/** Costs of one round, in the order in which they arise. */
class Round {
  readonly costs = new Map<string, number>()

  timed<T>(part: string, work: () => T): T {
    const before = process.cpuUsage()
    const result = work()
    const { user, system } = process.cpuUsage(before)
    this.costs.set(part, (user + system) / 1000)
    return result
  }
}

function forEachPiece(see: (piece: Uint8Array) => void): void {
  const piece = new Uint8Array(pieceBytes)
  const file = openSync(path, 'r')
  for (let bytes = readSync(file, piece); bytes > 0; bytes = readSync(file, piece)) {
    see(piece.subarray(0, bytes))
  }
  closeSync(file)
}

function runRound(): Map<string, number> {
  const round = new Round()
  round.timed('file', () => forEachPiece(() => {}))
  round.timed('sha256', () => {
    const hash = createHash('sha256')
    forEachPiece((piece) => hash.update(piece))
    return hash.digest()
  })
  const snapshot = round.timed('read into memory', () => readSnapshot(path, { allocate }))
  for (const check of checks) {
    const part = `verify: ${check.name.replace(/^check/, '')}`
    const contradiction = round.timed(part, () =>
      check(snapshot.sections, snapshot.header.counts, () => {}),
    )
    if (contradiction !== undefined) throw new Error(contradiction.problem)
  }
  const orders = round.timed('orders of suggestions', () => ordersOf(snapshot))
  const tokens = round.timed('tokens of topics', () => topicTokensOf(snapshot.sections))
  const topicCounts = round.timed('counts of large topics', () => topicCountsOf(snapshot.sections))
  const websites = round.timed('websites', () => websiteTableOf(profileRests(snapshot)))
  const nameSounds = round.timed('sounds of names', () => nameSoundsOf(snapshot.sections))
  const summaryNumbers = round.timed('rows of summaries', () => summaryNumbersOf(snapshot))
  const made = { orders, tokens, topicCounts, websites, nameSounds, summaryNumbers }
  const served = round.timed('prepare', () => activate(snapshot, made))
  askAll(round, snapshot, served)
  return round.costs
}

/** What is asked first finds cold caches and an empty answer cache. */
function askAll(round: Round, { header }: Snapshot, served: ActiveSnapshot): void {
  const get = getter(served)
  const ask = () => {
    for (const target of targets) get(target)
  }
  round.timed(`${targets.length} answers`, ask)
  round.timed(`the same answers again`, ask)
  if (served.catalog.id !== header.id) throw new Error('another snapshot was prepared')
}

const first = runRound()
const again = Array.from({ length: roundsAgain }, runRound)
const costs: PartCosts[] = [...first].map(([part, firstMs]) => ({
  part,
  firstMs,
  againMs: Math.min(...again.map((round) => round.get(part)!)),
}))
parentPort!.postMessage(costs)
