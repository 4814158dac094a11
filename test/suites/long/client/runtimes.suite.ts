/**
 * The built client in runtimes other than Node.js: calls with pauses, against a service that ends idle connections after
 * 8 to 12 seconds. A runtime that is not in PATH is left out; `npm install deno bun` outside of this repository, then
 * `PATH=…/node_modules/.bin:$PATH`, brings both.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { findProgram } from '../../../support/processes/children.ts'
import { startService } from '../../../support/program.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const calls = join(import.meta.dirname, 'paused-calls.mjs')
const client = join(root, 'dist', 'client.js')

/** Seconds. */
const pauses = Array.from({ length: 41 }, (_, half) => half / 2)
const name = 'Shelley Moore Capito'

const runtimes = [
  ['Deno', 'deno', ['run', '--allow-net', '--allow-read']],
  ['Bun', 'bun', ['run']],
] as const

for (const [runtime, program, words] of runtimes) {
  const command = findProgram(program)
  const skipped = command === undefined ? ` (skipped: no ${program} is in PATH)` : ''
  test.skipIf(command === undefined)(
    `no pause of 0 to 20 s shows in ${runtime}${skipped}`,
    async () => {
      const { address, headers, stop } = await startService(temporaryDirectory())
      onTestFinished(() => void stop('SIGKILL'))
      const key = headers.authorization!.replace('Bearer ', '')
      const given = [`file://${client}`, address, key, JSON.stringify(pauses)]
      const { stdout } = await promisify(execFile)(command!, [...words, calls, ...given])
      expect(JSON.parse(stdout)).toEqual(pauses.map(() => [name, name, name]))
    },
  )
}
