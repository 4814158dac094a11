/**
 * A race for one balance: many connections to all threads of a service ask at the same time for
 * more than the balance can pay.
 */

import { type Answer, getRequest } from '../../../support/processes/answer-reader.ts'
import type { Children } from '../../../support/processes/children.ts'
import { Connection } from '../../../support/processes/connection.ts'
import { booksOf } from '../../../support/processes/ledger-books.ts'
import { endBy, startService } from '../../../support/processes/service.ts'

/** Connections that are open at the same time, and how often all of them ask. */
export const racers = 1_000
export const asksEach = 3

/** What a new account holds, 50 USD, pays for so many queries at the price of the race. */
export const affordableQueries = 500
const priceUsd = '0.10'

interface Race {
  readonly served: number
  readonly refused: number
  /** The live balance at the end, as every refusal told it. */
  readonly liveMicroUsd: readonly number[]
  readonly bookMicroUsd: number
  readonly queriesCharged: number
}

export async function race(children: Children, data: string): Promise<Race> {
  const service = await startService(children, ['--data', data, '--price', `match=${priceUsd}`])
  const request = getRequest('/api/v1/match?handle=anybody', service.key!)
  const opening = Array.from({ length: racers }, () => Connection.open(service.port))
  const connections = await Promise.all(opening)
  const rounds: (Answer | undefined)[][] = []
  for (let round = 0; round < asksEach; round++) {
    rounds.push(await Promise.all(connections.map((connection) => connection.ask(request))))
  }
  for (const connection of connections) connection.close()
  await endBy('SIGTERM', service.child)
  const books = await booksOf(data)
  return {
    served: answersOf(rounds, 200).length,
    refused: answersOf(rounds, 402).length,
    liveMicroUsd: answersOf(rounds.slice(-1), 402).map(({ body }) => {
      return Math.round(JSON.parse(body.toString()).balance_usd * 1e6)
    }),
    bookMicroUsd: books.balanceMicroUsd,
    queriesCharged: books.queriesCharged,
  }
}

function answersOf(rounds: readonly (Answer | undefined)[][], status: number): Answer[] {
  return rounds.flat().filter((answer): answer is Answer => answer?.status === status)
}
