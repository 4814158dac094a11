/**
 * What does a ledger of many accounts in PostgreSQL cost: the database, the start of a node, and the first and later
 * queries of customers? Needs PostgreSQL and the built service: npm run build.
 *
 *     npx tsx bench/accounts.ts                                 70,000 accounts, to see that it works
 *     npx tsx bench/accounts.ts --full                          100,000, 1,000,000 and 10,000,000 accounts
 *     npx tsx bench/accounts.ts --full --sizes 1000000          only those
 */
import { accountsBench } from './accounts/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(accountsBench)
