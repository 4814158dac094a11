#!/usr/bin/env node
/** The program, as AUTHORITY_INDEX_COMMAND takes one, with the ledger that FLEET_LEDGER names. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const main = join(import.meta.dirname, '..', '..', '..', 'dist', 'main.js')
const words = [...process.argv.slice(2), '--ledger', process.env.FLEET_LEDGER]
const child = spawn(process.execPath, [main, ...words], { stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
