/** Tests of the program, as they are, on ledgers in PostgreSQL. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endOf } from '../../support/program.ts'
import { isPostgresqlInstalled, startPostgresql } from '../../support/servers/postgresql-server.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

describe.skipIf(!isPostgresqlInstalled())('a ledger in a database', () => {
  test.each([
    ['caps', /Tests .*[6-9] passed/],
    ['events', /Tests .*1 passed/],
    ['oauth', /Tests .*5 passed/],
  ])('passes the tests of one in a directory: %s', async (name, count) => {
    const server = await startPostgresql()
    onTestFinished(server.stop)
    const inherited = Object.entries(process.env).filter(([each]) => !each.startsWith('VITEST'))
    const env = {
      ...Object.fromEntries(inherited),
      AUTHORITY_INDEX_COMMAND: join('test', 'suites', 'fleet', 'with-own-ledger.sh'),
      FLEET_SERVER: server.address,
    }
    const words = [vitest, 'run', '--mode', 'program', `program/${name}.suite.ts`]
    const child = spawn(process.execPath, words, { cwd: root, env })
    const { exitCode, stdout, stderr } = await endOf(child)
    expect(exitCode, `${stdout}${stderr}`).toBe(0)
    expect(stdout).toMatch(count)
  })
})
