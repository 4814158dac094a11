/**
 * The command that proves the books: exit code 0 says that every total is the sum of its parts.
 */
import { audit } from '../ledger/books/audit.ts'
import { withEnvironment } from '../ledger/books/environment.ts'
import { formatUsd, usdNumber } from '../money.ts'
import { Refusal } from '../problems.ts'
import { type Command, command } from './command.ts'

const verify = command({
  operands: '',
  settings: ['data', 'json'],
  help: 'prove that every balance is the sum of its journal; may run while the service does',
  run: async ({ values, terminal, clock }) => {
    const found = await withEnvironment({ directory: values.data, clock }, audit)
    const { accounts, rows, keys, balanceMicroUsd, contradictions } = found
    if (values.json) {
      const balance_usd = usdNumber(balanceMicroUsd)
      terminal.print(JSON.stringify({ accounts, rows, keys, balance_usd, contradictions }))
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
  },
})

/** `ledger verify`. */
export const ledgerCommands: Readonly<Record<string, Command>> = { 'ledger verify': verify }
