/** The Python client's own tests, with a service and a server that breaks exchanges; skipped without httpx. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { compiled } from '../../../support/processes/compiled.ts'
import { endOf, startService } from '../../../support/program.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')

/** A python3 that has httpx, of the path or of Debian; undefined where there is none, which is said. */
function findPython(): string | undefined {
  const hasHttpx = (python: string) => spawnSync(python, ['-c', 'import httpx']).status === 0
  const found = ['python3', '/usr/bin/python3'].find(hasHttpx)
  const packages = 'python3-httpx python3-pandas'
  if (found === undefined)
    console.error(`skipped: no httpx for python3 (apt-get install ${packages})`)
  return found
}

const python = findPython()

describe.skipIf(python === undefined)('with httpx (skipped where it is missing)', () => {
  test('the tests of the Python client pass', { timeout: 120_000 }, async () => {
    const service = await startService(temporaryDirectory(), ['--lookup-rate-limit', '0'])
    onTestFinished(async () => void (await service.stop('SIGTERM')))
    const program = compiled(join(root, 'test', 'support', 'faults', 'serve.ts'))
    const faults = spawn(process.execPath, [program, service.address], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void faults.stdin.end())
    const [line] = await once(createInterface(faults.stdout), 'line')
    const { address, control } = JSON.parse(line)
    const place = JSON.stringify({
      address: service.address,
      key: service.key,
      snapshot: service.snapshotId,
      faults: address,
      control,
    })
    const module = ['-B', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.']
    const tests = spawn(python!, module, {
      cwd: join(root, 'clients', 'python'),
      env: { ...process.env, AUTHORITY_INDEX_TEST: place },
    })
    const { exitCode, stderr } = await endOf(tests)
    // Pandas may be missing.
    expect(stderr).toMatch(/\nOK(?: \(skipped=1\))?\n$/)
    expect(exitCode).toBe(0)
  })
})
