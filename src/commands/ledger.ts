/**
 * The command that proves the books: exit code 0 says that every total is the sum of its parts, and
 * that the service holds what the journal leaves it.
 */
import { audit } from '../ledger/books/audit.ts'
import { withEnvironment } from '../ledger/books/environment.ts'
import type { Holdings } from '../ledger/port.ts'
import { formatUsd, usdNumber } from '../money.ts'
import { Refusal } from '../problems.ts'
import { type Command, command } from './command.ts'

const verify = command({
  operands: '',
  settings: ['data', 'json'],
  help: 'prove that every balance is the sum of its journal, and what the service holds of them',
  run: async ({ values, terminal, clock }) => {
    const found = await withEnvironment({ directory: values.data, clock }, audit)
    const { accounts, rows, keys, balanceMicroUsd, holdings, contradictions } = found
    if (values.json) {
      const balance_usd = usdNumber(balanceMicroUsd)
      const held = holdings === undefined ? null : heldJson(holdings)
      terminal.print(JSON.stringify({ accounts, rows, keys, balance_usd, held, contradictions }))
    } else {
      for (const contradiction of contradictions) terminal.print(contradiction)
    }
    if (contradictions.length > 0) {
      const count = `${contradictions.length} contradiction${contradictions.length > 1 ? 's' : ''}`
      throw new Refusal('ledger-corrupt', `the books in ${values.data} do not balance: ${count}`)
    }
    if (values.json) return
    const total = formatUsd(balanceMicroUsd)
    terminal.print(
      `the books balance: ${accounts} accounts, ${rows} rows, ${keys} keys, ${total} USD in all`,
    )
    if (holdings !== undefined) terminal.print(heldLine(holdings))
  },
})

function heldLine({ liveMicroUsd, reservedMicroUsd, uncommittedMicroUsd }: Holdings): string {
  const parts = [
    `live ${formatUsd(liveMicroUsd)}`,
    `reserved ${formatUsd(reservedMicroUsd)}`,
    `uncommitted ${formatUsd(uncommittedMicroUsd)}`,
  ]
  return `the service agrees; with its last charges it held ${parts.join(', ')} USD`
}

function heldJson({ liveMicroUsd, reservedMicroUsd, uncommittedMicroUsd }: Holdings) {
  return {
    live_usd: usdNumber(liveMicroUsd),
    reserved_usd: usdNumber(reservedMicroUsd),
    uncommitted_usd: usdNumber(uncommittedMicroUsd),
  }
}

/** `ledger verify`. */
export const ledgerCommands: Readonly<Record<string, Command>> = { 'ledger verify': verify }
