/** The proof that the service which holds the whole ledger held, with its last batch, what the journal left it. */
import { formatUsd } from '../../money.ts'
import type { Holdings } from '../port.ts'
import type { RunStatement } from '../sql/port.ts'

/** What the service held, and what contradicts it. */
interface HoldingsProof {
  /** Undefined where it could not tell, and where nodes sell from leases. */
  readonly holdings: Holdings | undefined
  readonly contradictions: readonly string[]
}

/**
 * Grants and amounts taken back since then are not in the holdings; there are no charges since then, because
 * each charge writes the holdings anew.
 */
export async function proveHoldings(query: RunStatement): Promise<HoldingsProof> {
  const [row] = await query<{ held: string; charged: string; credited: string; taken: string }>(
    `select held, (select cast(coalesce(sum(charged), 0) as text) from account) as charged,
       (select cast(coalesce(sum(credited), 0) as text) from account) as credited,
       (select cast(coalesce(sum(0 - amount), 0) as text) from credit where amount < 0) as taken
     from (select held from session where last_batch > 0 order by opened_ms desc limit 1) as newest
     where held is not null`,
  )
  if (row === undefined) return { holdings: undefined, contradictions: [] }
  const holdings: Holdings = JSON.parse(row.held)
  const { liveMicroUsd, reservedMicroUsd, uncommittedMicroUsd } = holdings
  const contradictions: string[] = []
  const left = BigInt(holdings.grantedMicroUsd) - BigInt(row.charged)
  const held = BigInt(liveMicroUsd) + BigInt(reservedMicroUsd) + BigInt(uncommittedMicroUsd)
  if (held !== left) {
    const says = `the service held ${formatUsd(held)} USD with its last batch`
    contradictions.push(`${says}, where the journal leaves ${formatUsd(left)} USD`)
  }
  const credited = BigInt(row.credited)
  if (BigInt(holdings.grantedMicroUsd) > credited + BigInt(row.taken)) {
    const says = `the service sold from ${formatUsd(holdings.grantedMicroUsd)} USD of credits`
    contradictions.push(`${says}, where the journal has ${formatUsd(credited)} USD`)
  }
  return { holdings, contradictions }
}
