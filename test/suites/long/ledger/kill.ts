/**
 * Killing a service under load: it answers on many connections while another process tops up its
 * account, dies by SIGKILL, is started again, and its books are compared with what arrived here.
 */
import { setTimeout } from 'node:timers/promises'
import { parseUsd } from '../../../../src/money.ts'
import { getRequest, headerOf } from '../../../support/processes/answer-reader.ts'
import type { Child, Children } from '../../../support/processes/children.ts'
import { Connection } from '../../../support/processes/connection.ts'
import { type Books, booksOf } from '../../../support/processes/ledger-books.ts'
import { endBy, type Service, startService } from '../../../support/processes/service.ts'
import type { Random } from '../../../support/random.ts'
import { watchCommits } from './commits.ts'

const connectionCount = 16
export const commitWindowMs = 100
/** A service sells nothing more once commits are so far behind; it looks every 50 ms. */
const unwrittenMsMax = 2_000 + 50
/** The smallest there is, so that the balance outlasts all rounds. */
const priceMicroUsd = 1
export const priceUsd = '0.000001'

export interface Kill {
  /** Answers of 200 that arrived here, and queries that the books charge for them. */
  readonly answered: number
  readonly charged: number
  readonly otherAnswers: number
  /** Answers whose charges were not yet on the disk, as an outside process sees it. */
  readonly losable: number
  /** Answers that can be charged and yet be cut off on their way: a thread sends one at a time. */
  readonly inFlightMax: number
  readonly topUpsAcknowledged: number
  readonly topUpsLost: number
  /** The live balance before the load less the books: what the restart made up or forgot. */
  readonly liveErrorMicroUsd: number
}

interface Load {
  readonly answeredAtMs: readonly number[]
  readonly otherAnswers: number
  /** Times after which the charges of a window came to the disk, ascending. */
  readonly commitsFromMs: readonly number[]
  readonly killedAtMs: number
  readonly references: readonly string[]
}

/**
 * Kills a service so many times, each within `loadMsMax` of its first answer.
 * @throws Error when the books do not balance after a restart.
 */
export async function kills(
  children: Children,
  data: string,
  plan: { readonly kills: number; readonly loadMsMax: number },
  random: Random,
): Promise<Kill[]> {
  const words = ['--price', `match=${priceUsd}`, '--commit-window', String(commitWindowMs)]
  const start = () => startService(children, ['--data', data, ...words])
  let service = await start()
  const request = getRequest('/api/v1/match?handle=anybody', service.key!)
  const found: Kill[] = []
  let before = await booksOf(data)
  for (let round = 0; round < plan.kills; round++) {
    const liveMicroUsd = await askForBalance(service.port, request)
    const payer = await startPayer(children, data, `round-${round}`)
    const load = await loadAndKill(service, payer, request, data, {
      loadMs: random.below(plan.loadMsMax),
      payerDiesToo: random.chance(0.5),
    })
    const { threads } = service
    // What was on the disk at the kill is what both find; neither changes it.
    const [restarted, after] = await Promise.all([start(), booksOf(data)])
    service = restarted
    found.push({
      ...compare(before, after, load),
      inFlightMax: threads,
      liveErrorMicroUsd: liveMicroUsd - before.balanceMicroUsd,
    })
    before = after
  }
  await endBy('SIGTERM', service.child)
  return found
}

function compare(
  before: Books,
  after: Books,
  load: Load,
): Omit<Kill, 'inFlightMax' | 'liveErrorMicroUsd'> {
  const { answeredAtMs, references } = load
  const charged = after.queriesCharged - before.queriesCharged
  const losableFromMs = startOfLosable(load)
  return {
    answered: answeredAtMs.length,
    charged,
    otherAnswers: load.otherAnswers,
    losable: answeredAtMs.filter((atMs) => atMs >= losableFromMs).length,
    topUpsAcknowledged: references.length,
    topUpsLost: references.filter((reference) => !after.references.has(reference)).length,
  }
}

/**
 * A window that came to the disk had begun after the one before it was there, so it holds every
 * charge up to that moment; what came later can have been in the window that the kill took away.
 */
function startOfLosable({ commitsFromMs, killedAtMs }: Load): number {
  const lastButOneMs = commitsFromMs.at(-2) ?? Number.NEGATIVE_INFINITY
  return Math.max(lastButOneMs, killedAtMs - commitWindowMs - unwrittenMsMax)
}

async function loadAndKill(
  service: Service,
  payer: Child,
  request: string,
  data: string,
  plan: { readonly loadMs: number; readonly payerDiesToo: boolean },
): Promise<Load> {
  // The query that asked for the balance is the first that can be charged.
  const answeredAtMs = [performance.now()]
  const watch = await watchCommits(data)
  const opening = Array.from({ length: connectionCount }, () => Connection.open(service.port))
  const connections = await Promise.all(opening)
  const asking = connections.map((connection) => askUntilClosed(connection, request, answeredAtMs))
  await setTimeout(plan.loadMs)
  const killedAtMs = performance.now()
  const death = endBy('SIGKILL', service.child)
  // The service may have died holding the write lock of the ledger: a payer that lives must get it.
  if (!plan.payerDiesToo) await death.then(() => nextTopUp(payer))
  await endBy('SIGKILL', payer)
  await death
  const others = await Promise.all(asking)
  await watch.end()
  return {
    answeredAtMs,
    otherAnswers: others.reduce((sum, count) => sum + count, 0),
    commitsFromMs: watch.commitsFromMs,
    killedAtMs,
    references: topUpsOf(payer),
  }
}

async function askForBalance(port: number, request: string): Promise<number> {
  const connection = await Connection.open(port)
  const answer = await connection.ask(request)
  connection.close()
  const balance = answer && parseUsd(headerOf(answer, 'X-Balance-Usd') ?? '')
  if (balance === undefined) throw new Error(`no balance in the answer: ${answer?.head}`)
  return balance + priceMicroUsd
}

/** Asks until the connection ends; answers how many answers were none of 200. */
export async function askUntilClosed(
  connection: Connection,
  request: string,
  answeredAtMs: number[],
): Promise<number> {
  for (let others = 0; ; ) {
    const answer = await connection.ask(request)
    if (answer === undefined) return others
    if (answer.status === 200) answeredAtMs.push(performance.now())
    else others += 1
  }
}

/** Starts a payer and waits for its first top-up. */
export async function startPayer(children: Children, data: string, prefix: string): Promise<Child> {
  const payer = children.startScript('the payer', new URL('./payer-program.ts', import.meta.url), [
    data,
    prefix,
  ])
  await nextTopUp(payer)
  return payer
}

async function nextTopUp(payer: Child): Promise<void> {
  const before = topUpsOf(payer).length
  await payer.until(() => topUpsOf(payer).length > before)
}

/** The references that were acknowledged: whole lines. */
export function topUpsOf(payer: Child): string[] {
  return payer.output.split('\n').slice(0, -1)
}
