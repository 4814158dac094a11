/**
 * Tests of the program, as they are: on ledgers in PostgreSQL, and of what clients are answered through the proxy of a
 * fleet. Those of connections are about what a proxy has with the service, not with its clients.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endOf } from '../../support/program.ts'
import { isPostgresqlInstalled, startPostgresql } from '../../support/servers/postgresql-server.ts'
import { isInstalled } from '../../support/servers/proxy.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

/** Runs tests with the program that a file beside this one makes of it. */
async function expectPassed(
  words: readonly string[],
  command: string,
  variables: object,
  count: RegExp,
) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
  const own = { AUTHORITY_INDEX_COMMAND: join('test', 'suites', 'fleet', command), ...variables }
  const env = { ...Object.fromEntries(inherited), ...own }
  const child = spawn(process.execPath, [vitest, 'run', ...words], { cwd: root, env })
  const { exitCode, stdout, stderr } = await endOf(child)
  expect(exitCode, `${stdout}${stderr}`).toBe(0)
  expect(stdout).toMatch(count)
}

describe.skipIf(!isPostgresqlInstalled())('a ledger in a database', () => {
  test.each([
    ['caps', /Tests .*[6-9] passed/],
    ['events', /Tests .*1 passed/],
    ['oauth', /Tests .*5 passed/],
  ])('passes the tests of one in a directory: %s', async (name, count) => {
    const server = await startPostgresql()
    onTestFinished(server.stop)
    const words = ['--mode', 'program', `program/${name}.suite.ts`]
    await expectPassed(words, 'with-own-ledger.sh', { FLEET_SERVER: server.address }, count)
  })
})

test.runIf(isInstalled('haproxy'))('answers pass through the proxy of a fleet', async () => {
  const files = ['test/black-box/service.test.ts', 'test/black-box/openapi.test.ts']
  await expectPassed(files, 'behind-proxy.mjs', {}, /Tests .*[5-9]\d passed/)
})
