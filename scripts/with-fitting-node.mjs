/**
 * Runs a JavaScript program with this Node where a build of uWebSockets.js fits it, else with the
 * pinned one that does. Needs `dist`.
 *
 *   node scripts/with-fitting-node.mjs PROGRAM WORD...
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { goOnWithFittingNode, surroundingsOf } from '../dist/fitting-node.js'
import { loadWireLibrary } from '../dist/wire-library.js'

const report = (line) => void process.stderr.write(`${line}\n`)
const terminal = { report, interactive: process.stderr.isTTY === true }

/** Runs all of this again with another Node, in this process. */
async function startAgain() {
  const interrupted = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve)
  })
  try {
    await goOnWithFittingNode(surroundingsOf(process), terminal, interrupted)
  } catch (error) {
    report(error.message)
  }
  process.exit(1)
}

if ((await loadWireLibrary()) === undefined) await startAgain()
const program = resolve(process.argv[2])
process.argv.splice(1, 2, program)
await import(pathToFileURL(program).href)
