/**
 * What one request costs the service in processor time of all its threads, as Linux counts it. The
 * cheapest of a few rounds counts, because whatever else a machine does only adds to a round.
 */
import type { Victim } from '../../test/support/abuse/victim.ts'
import { Connection } from '../../test/support/processes/connection.ts'
import { workSeconds } from '../../test/support/processes/proc.ts'
import type { SingleRequest } from './requests.ts'

export interface SingleToll extends Pick<SingleRequest, 'name' | 'kind' | 'queries'> {
  readonly ms: number
  readonly otherStatuses: readonly number[]
}

interface Rounds {
  readonly requests: number
  readonly rounds: number
}

/** The first round is for the compiler, and does not count. */
export async function singleTollOf(
  { pid, port }: Victim,
  { name, kind, queries, status, bytes }: SingleRequest,
  { requests, rounds }: Rounds,
): Promise<SingleToll> {
  let connection: Connection | undefined
  const ask = async (request: string) => {
    connection ??= await Connection.open(port)
    const answer = await connection.ask(request)
    if (answer === undefined || /^connection: close/im.test(answer.head)) {
      connection.close()
      connection = undefined
    }
    return answer?.status ?? 0
  }
  const others = new Set<number>()
  let leastMs = Number.POSITIVE_INFINITY
  for (let round = 0; round <= rounds; round += 1) {
    const before = 1000 * workSeconds(pid)
    for (let sent = 0; sent < requests; sent += 1) {
      const answered = await ask(bytes(round * requests + sent))
      if (answered !== status) others.add(answered)
    }
    const ms = (1000 * workSeconds(pid) - before) / requests
    if (round > 0) leastMs = Math.min(leastMs, ms)
  }
  connection?.close()
  return { name, kind, queries, ms: leastMs, otherStatuses: [...others] }
}
