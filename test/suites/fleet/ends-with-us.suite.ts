/** What is left of the servers of a test whose process is killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { until } from '../../support/operated.ts'
import { ask, isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'

const program = `import { startPostgresql } from '${join(import.meta.dirname, '..', '..', 'support', 'servers', 'postgresql-server.ts')}'
const { address, certificate } = await startPostgresql()
console.log(JSON.stringify({ address, certificate }))
setInterval(() => {}, 1_000)`

describe.skipIf(!isPostgresqlInstalled())('a PostgreSQL of a test', () => {
  test('ends with the process that started it, when that is killed, and leaves no file', async () => {
    const child = spawn(process.execPath, [
      '--import=tsx',
      '--input-type=module',
      '--eval',
      program,
    ])
    const [line] = await once(createInterface(child.stdout), 'line')
    const { address, certificate } = JSON.parse(line)
    expect(await ask(address, 'select 1 as one')).toEqual([{ one: 1 }])
    child.kill('SIGKILL')
    await until(async () => !existsSync(join(certificate, '..', '..', '..')))
    await expect(ask(address, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  })
})
