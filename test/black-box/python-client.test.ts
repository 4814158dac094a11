/**
 * The Python client: its types are those of the OpenAPI document, and its own tests pass, with the built service
 * and a server that breaks exchanges. Without python3 its tests are skipped.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pythonContractFile, pythonContractText } from '../../scripts/python-types.ts'
import { endOf, type RunningService, startService } from '../support/program.ts'

const root = join(import.meta.dirname, '..', '..')
const project = join(root, 'clients', 'python')
const hasPython = spawnSync('python3', ['--version']).status === 0

test('the types of the Python client are those of the OpenAPI document', () => {
  expect(readFileSync(pythonContractFile, 'utf8')).toBe(pythonContractText())
})

describe.skipIf(!hasPython)('with python3 (skipped where it is missing)', () => {
  let service: RunningService
  let faults: ChildProcess
  let place: string
  const directory = mkdtempSync(join(tmpdir(), 'index-'))

  beforeAll(async () => {
    service = await startService(directory, ['--lookup-rate-limit', '0'])
    const program = join(root, 'test', 'support', 'faults', 'serve.ts')
    faults = spawn(process.execPath, ['--import', 'tsx', program, service.address], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface(faults.stdout!), 'line')
    const { address, control } = JSON.parse(line)
    place = JSON.stringify({
      address: service.address,
      key: service.headers.authorization!.replace('Bearer ', ''),
      snapshot: service.snapshotId,
      faults: address,
      control,
    })
  })

  afterAll(async () => {
    if (faults !== undefined) {
      const ended = once(faults, 'close')
      faults.stdin!.end()
      await ended
    }
    await service?.stop('SIGTERM')
    rmSync(directory, { recursive: true, force: true })
  })

  test('the tests of the Python client pass', { timeout: 120_000 }, async () => {
    const words = ['-B', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.']
    const env = { ...process.env, AUTHORITY_INDEX_TEST: place }
    const { exitCode, stderr } = await endOf(spawn('python3', words, { cwd: project, env }))
    expect(stderr).toMatch(/\nOK\n$/)
    expect(exitCode).toBe(0)
  })
})
