/**
 * Runs a suite by its name, on what `npm run build` has made:
 *
 *     npm run suite -- NAME [WORDS...]
 *
 * NAME is a folder of `test/suites` (the words go to Vitest), or `test` (what `npm test` runs: it builds first), `command`
 * (tests of the program against the one that `AUTHORITY_INDEX_COMMAND` names), `binary` (builds the single file, and
 * tests it), `conformance`, or `all`: what a release needs, `npm test` first. The exit code is that of the first program
 * that fails.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

const ofCommand = ['service', 'request-head', 'openapi'].map(
  (name) => `test/black-box/${name}.test.ts`,
)
const ofProgram = ['command-line', 'billing', 'sync', 'swap', 'commands/health'].map(
  (name) => `test/suites/program/${name}.suite.ts`,
)
const ofRelease = ['long', 'proxies', 'browser', 'fleet', 'outside', 'binary', 'conformance']
const tsx = ['node_modules/tsx/dist/cli.mjs']
const vitest = ['scripts/with-fitting-node.mjs', 'node_modules/vitest/vitest.mjs', 'run']

function run(command, words, more = {}) {
  const env = { ...process.env, ...more }
  const { status } = spawnSync(command, words, { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}

/** Lint and types beside the build and the tests, which want it built. */
async function test(words) {
  const startedMs = Date.now()
  const start = (command, words) => once(spawn(command, words, { stdio: 'inherit' }), 'exit')
  const beside = ['lint', 'typecheck'].map((name) => start('npm', ['run', '--silent', name]))
  run('npm', ['run', '--silent', 'build'])
  const ended = await Promise.all([...beside, start(process.execPath, [...vitest, ...words])])
  console.log(`npm test took ${((Date.now() - startedMs) / 1_000).toFixed(0)} s`)
  const failed = ended.find(([code]) => code !== 0)
  if (failed !== undefined) process.exit(failed[0] ?? 1)
}

function runOfCommand(words, more) {
  run(process.execPath, [...vitest, ...ofCommand, ...words], more)
  run(process.execPath, [...vitest, '--mode', 'program', ...ofProgram, ...words], more)
}

function runSuite(name = '', words = []) {
  const node = process.execPath
  switch (name) {
    case 'test':
      return test(words)
    case 'all':
      run('npm', ['test'])
      // Clients meet a fault at every tenth byte in place of every 131st.
      run(node, [...vitest, '--mode', 'program'], { CLIENT_STEP: '10' })
      for (const each of ofRelease) runSuite(each)
      return
    case 'command':
      return runOfCommand(words)
    case 'binary':
      run(node, [...tsx, 'scripts/build-binary.ts'])
      run(node, [...vitest, '--mode', 'binary', ...words])
      return runOfCommand([], { AUTHORITY_INDEX_COMMAND: 'release/authority-index' })
    case 'conformance':
      return run(node, [...tsx, 'test/suites/conformance/conformance.ts', ...words])
    default:
      return run(node, [...vitest, '--mode', name, ...words])
  }
}

const [name, ...words] = process.argv.slice(2)
await runSuite(name, words)
