/**
 * Does the ledger keep its word? Works on the built service (`npm run build`).
 *
 *     npx tsx bench/ledger-torture.ts          tiny: seconds, to see that it works
 *     npx tsx bench/ledger-torture.ts --full   20 races, 50 backups, 200 kills: an hour
 */
import { ledgerBench } from './ledger/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(ledgerBench)
