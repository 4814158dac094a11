/**
 * The black-box tests of what clients are answered, with the proxy of a fleet between them and the
 * service. Those of connections are about what a proxy has with the service, not with its clients.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endOf } from '../../support/program.ts'
import { isInstalled } from '../../support/servers/proxy.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const files = ['test/black-box/service.test.ts', 'test/black-box/openapi.test.ts']

it.runIf(isInstalled('haproxy'))('pass through the proxy of a fleet', async () => {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
  const env = {
    ...Object.fromEntries(inherited),
    AUTHORITY_INDEX_COMMAND: join('test', 'suites', 'fleet', 'behind-proxy.mjs'),
  }
  const child = spawn(process.execPath, [vitest, 'run', ...files], { cwd: root, env })
  const { exitCode, stdout, stderr } = await endOf(child)
  expect(exitCode, `${stdout}${stderr}`).toBe(0)
  expect(stdout).toMatch(/Tests .*[5-9]\d passed/)
})
