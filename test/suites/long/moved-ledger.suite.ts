/** The file of the ledger moved away under a service that sells: what clients and commands see until it is back. */
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { run, startService } from '../../support/program.ts'

test('a service whose ledger was moved sells nothing until it is back, and then charges each answer once', async () => {
  // Each thread looks for itself how far commits are behind, a moment after the others.
  const directory = temporaryDirectory()
  const service = await startService(directory, ['--threads', '1'])
  onTestFinished(async () => void (await service.stop('SIGKILL')))
  const { address, headers, data } = service
  let answered = 0
  const ask = async () => {
    const { status } = await fetch(`${address}/api/v1/match?handle=nobody`, { headers })
    if (status === 200) answered += 1
    return status
  }
  const readiness = async () => (await fetch(`${address}/readyz`)).json()
  const waiting = { interval: 20, timeout: 60_000 }
  expect(await ask()).toBe(200)

  const path = join(data, 'ledger.db')
  renameSync(path, join(data, 'elsewhere'))
  await expect.poll(ask, waiting).toBe(503)
  await expect.poll(readiness, waiting).toMatchObject({
    ledger_available: false,
    ledger_failure: expect.stringMatching(/is gone/),
  })
  const sold = answered
  for (let time = 0; time < 20; time += 1) expect(await ask()).toBe(503)
  expect(answered).toBe(sold)
  const commands = [
    ['ledger', 'verify'],
    ['account', 'create', 'another'],
    ['key', 'list'],
  ]
  for (const words of commands) {
    const { exitCode, stderr } = await run([...words, '--data', data])
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/ledger\.db/)])
  }
  expect(existsSync(path)).toBe(false)

  renameSync(join(data, 'elsewhere'), path)
  await expect.poll(ask, waiting).toBe(200)
  expect(await service.stop('SIGTERM')).toMatchObject({ exitCode: 0 })
  const verified = await run(['ledger', 'verify', '--json', '--data', data])
  expect(JSON.parse(verified.stdout)).toMatchObject({ contradictions: [] })
  const stated = await run(['admin', 'getStatement', 'account=default', '--json', '--data', data])
  expect(JSON.parse(stated.stdout).charges).toEqual([
    expect.objectContaining({ queries: answered }),
  ])
})
