/**
 * Backups of a ledger that is sold from: a service answers on many connections while another process
 * tops up its account, and `ledger backup` copies the ledger again and again. Every copy is opened and proved by commands, and
 * must have what was on the disk when the copying began: every top-up that was
 * acknowledged, and every charge but those of the window that was being sold.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { getRequest } from '../../../support/processes/answer-reader.ts'
import type { Child, Children } from '../../../support/processes/children.ts'
import { Connection } from '../../../support/processes/connection.ts'
import { booksOf } from '../../../support/processes/ledger-books.ts'
import { endBy, runForJson, startService } from '../../../support/processes/service.ts'
import { watchCommits } from './commits.ts'
import { askUntilClosed, commitWindowMs, priceUsd, startPayer, topUpsOf } from './kill.ts'

const connectionCount = 16

interface HotBackup {
  /** Answers of 200 that had arrived here when the copying began, and when it had ended. */
  readonly answeredBefore: number
  readonly answeredAfter: number
  /** Of those before, such as had arrived before the window that the copy may lack. */
  readonly settledBefore: number
  readonly charged: number
  /** Answers that can be charged and be on their way: a thread sends one at a time. */
  readonly inFlightMax: number
  readonly topUpsAcknowledged: number
  readonly topUpsMissing: number
}

/** Takes so many backups of a ledger under load. @throws Error when the books of one do not balance. */
export async function hotBackups(
  children: Children,
  data: string,
  count: number,
): Promise<HotBackup[]> {
  const words = ['--price', `match=${priceUsd}`, '--commit-window', String(commitWindowMs)]
  const service = await startService(children, ['--data', data, ...words])
  const request = getRequest('/api/v1/match?handle=anybody', service.key!)
  const payer = await startPayer(children, data, 'backup')
  const opening = Array.from({ length: connectionCount }, () => Connection.open(service.port))
  const connections = await Promise.all(opening)
  const answeredAtMs: number[] = []
  const watch = await watchCommits(data)
  const asking = connections.map((connection) => askUntilClosed(connection, request, answeredAtMs))
  const found: HotBackup[] = []
  // The first copy, too, is taken under load.
  await service.child.until(() => answeredAtMs.length > 0 && topUpsOf(payer).length > 0)
  for (let number = 0; found.length < count; number++) {
    const copy = join(children.directory, `backup-${number}`)
    const load = { data, answeredAtMs, commitsFromMs: watch.commitsFromMs, payer }
    const taken = await takeOne(copy, load)
    // A copy during which a busy machine let nobody ask was not taken under load.
    if (taken.answeredAfter > taken.answeredBefore) {
      found.push({ ...taken, inFlightMax: service.threads })
    }
    rmSync(copy, { recursive: true })
  }
  await watch.end()
  await endBy('SIGKILL', payer)
  await endBy('SIGTERM', service.child)
  await Promise.all(asking)
  return found
}

interface Load {
  readonly data: string
  readonly answeredAtMs: readonly number[]
  readonly commitsFromMs: readonly number[]
  readonly payer: Child
}

async function takeOne(
  copy: string,
  { data, answeredAtMs, commitsFromMs, payer }: Load,
): Promise<Omit<HotBackup, 'inFlightMax'>> {
  const answeredBefore = answeredAtMs.length
  // A window that was on the disk had begun after the one before it, so it holds all until then.
  const settledUntilMs = commitsFromMs.at(-2) ?? Number.NEGATIVE_INFINITY
  const references = topUpsOf(payer)
  // By the command: a copy keeps the thread that takes it, which counts the answers here.
  await runForJson(['ledger', 'backup', copy, '--data', data])
  const answeredAfter = answeredAtMs.length
  const books = await booksOf(copy)
  return {
    answeredBefore,
    answeredAfter,
    settledBefore: answeredAtMs.filter((atMs) => atMs < settledUntilMs).length,
    charged: books.queriesCharged,
    topUpsAcknowledged: references.length,
    topUpsMissing: references.filter((reference) => !books.references.has(reference)).length,
  }
}
