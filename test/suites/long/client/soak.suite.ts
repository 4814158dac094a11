/**
 * Pauses between calls against the service itself, which ends idle connections after 8 to 12 seconds: none shows, in
 * Node.js, Deno, Bun and Python. The pauses are real time, because what is tested are timers of the kernel and of the
 * service. A runtime that is not in PATH is left out; `npm install deno bun` outside of this repository, then
 * `PATH=…/node_modules/.bin:$PATH`, brings two; Python needs httpx.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { findProgram } from '../../../support/processes/children.ts'
import { startService } from '../../../support/program.ts'
import { findPython, runPythonTests } from '../../../support/python-tests.ts'

const calls = join(import.meta.dirname, 'paused-calls.mjs')
const client = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'client.js')

/** Seconds. */
const pauses = Array.from({ length: 41 }, (_, half) => half / 2)
const name = 'Shelley Moore Capito'

const runtimes = [
  ['Node.js', process.execPath, []],
  ['Deno', findProgram('deno'), ['run', '--allow-net', '--allow-read']],
  ['Bun', findProgram('bun'), ['run']],
] as const

for (const [runtime, command, words] of runtimes) {
  test.skipIf(command === undefined)(`no pause of 0 to 20 s shows in ${runtime}`, async () => {
    const { address, headers, stop } = await startService(temporaryDirectory())
    onTestFinished(() => void stop('SIGKILL'))
    const key = headers.authorization!.replace('Bearer ', '')
    const given = [`file://${client}`, address, key, JSON.stringify(pauses)]
    const { stdout } = await promisify(execFile)(command!, [...words, calls, ...given])
    const { found, attempts } = JSON.parse(stdout)
    expect(found).toEqual(pauses.map(() => [name, name, name]))
    // The fetch of Node.js keeps to the Keep-Alive of the service: no further attempt was needed.
    if (runtime === 'Node.js') expect(attempts).toBe(3 * pauses.length)
  })
}

test.skipIf(findPython() === undefined)('no pause shows in Python', async () => {
  const words = ['-k', 'test_no_pause']
  const { stderr } = await runPythonTests(words, { AUTHORITY_INDEX_TEST_SOAK: '1' })
  expect(stderr).toMatch(/Ran 1 test [\s\S]*\nOK\n$/)
})
