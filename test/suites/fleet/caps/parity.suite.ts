/** The tests of the program's caps, scopes, rates, addresses and events, as they are, on a ledger in PostgreSQL. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endOf } from '../../../support/program.ts'
import {
  isPostgresqlInstalled,
  type PostgresqlServer,
  startPostgresql,
} from '../../../support/servers/postgresql-server.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

describe.skipIf(!isPostgresqlInstalled())('keys with terms, and events', () => {
  let server: PostgresqlServer

  beforeAll(async () => {
    server = await startPostgresql()
  }, 120_000)
  afterAll(() => server?.stop())

  test.each([
    ['caps', /Tests .*[6-9] passed/],
    ['events', /Tests .*1 passed/],
  ])('pass the tests of a ledger in a directory: %s', async (name, passed) => {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
    const env = {
      ...Object.fromEntries(inherited),
      FLEET_LEDGER: await server.newDatabase(`parity_${name}`),
      AUTHORITY_INDEX_COMMAND: join('test', 'suites', 'fleet', 'with-ledger.mjs'),
    }
    const words = [vitest, 'run', '--mode', 'program', `program/${name}.suite.ts`]
    const { exitCode, stdout, stderr } = await endOf(
      spawn(process.execPath, words, { cwd: root, env }),
    )
    expect(exitCode, `${stdout}${stderr}`).toBe(0)
    expect(stdout).toMatch(passed)
  })
})
