/**
 * Runs a JavaScript program with this Node where a build of uWebSockets.js fits it, else with Node 22,
 * which npm installs once. Needs `dist`.
 *
 *   node scripts/with-fitting-node.mjs PROGRAM WORD...
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { goOnWithFittingNode } from '../dist/fitting-node.js'
import { loadWireLibrary } from '../dist/wire-library.js'

const report = (line) => void process.stderr.write(`${line}\n`)

async function startAgain() {
  const interrupted = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve)
  })
  await goOnWithFittingNode(process, report, interrupted).catch(({ message }) => report(message))
  process.exit(process.exitCode ?? 1)
}

if ((await loadWireLibrary()) === undefined) await startAgain()
const program = resolve(process.argv[2])
process.argv.splice(1, 2, program)
await import(pathToFileURL(program).href)
