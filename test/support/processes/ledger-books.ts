/** The books of a data directory as an operator reads them: by the commands, and proven first. */
import { runForJson } from './service.ts'

export interface Books {
  readonly balanceMicroUsd: number
  readonly queriesCharged: number
  readonly references: ReadonlySet<string>
}

interface Statement {
  readonly balance_usd: number
  readonly credits: readonly { readonly amount_usd: number; readonly reference: string | null }[]
  readonly charges: readonly { readonly amount_usd: number; readonly queries: number }[]
}

/**
 * `ledger verify` and the statement; nothing may change the books in between.
 * @throws Error when they do not balance, or the statement does not add up to them.
 */
export async function booksOf(data: string): Promise<Books> {
  const words = ['--data', data]
  const [proven, statement, accounts] = await Promise.all([
    runForJson<{ balance_usd: number }>(['ledger', 'verify', ...words]),
    runForJson<Statement>(['admin', 'getStatement', 'account=default', ...words]),
    runForJson<{ account: string; balance_usd: number }[]>(['account', 'list', ...words]),
  ])
  const others = accounts.filter(({ account }) => account !== 'default')
  const othersUsd = others.reduce((sum, { balance_usd: usd }) => sum + usd, 0)
  const { credits, charges } = statement
  const balanceMicroUsd = sum(credits.map(microUsdOf)) - sum(charges.map(microUsdOf))
  for (const usd of [proven.balance_usd - othersUsd, statement.balance_usd]) {
    if (Math.round(usd * 1e6) === balanceMicroUsd) continue
    throw new Error(`the statement adds up to ${balanceMicroUsd} micro-USD, not to ${usd} USD`)
  }
  return {
    balanceMicroUsd,
    queriesCharged: sum(charges.map(({ queries }) => queries)),
    references: new Set(credits.flatMap(({ reference }) => reference ?? [])),
  }
}

function microUsdOf({ amount_usd: usd }: { readonly amount_usd: number }): number {
  return Math.round(usd * 1e6)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
