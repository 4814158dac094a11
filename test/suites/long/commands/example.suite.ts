import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { run, serve } from '../../../support/program.ts'
import { sourceOf } from '../../../support/synced.ts'

const notice =
  'snapshots: no such directory yet, so answers come from the example records; publish your own with: authority-index sync --source DIR'

it('serve answers from the example, and from your own records once a sync publishes them', async () => {
  const directory = temporaryDirectory()
  const { child, ended, address, key, stop } = await serve(['--threads', '1'], { directory })
  onTestFinished(async () => void (await stop('SIGKILL')))
  const ask = async (path: string) => {
    const answer = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } })
    return ((await answer.json()) as { results: { name: string }[] }).results.map(
      ({ name }) => name,
    )
  }
  expect(await ask('/api/v1/match?handle=@SenCapito')).toEqual(['Shelley Moore Capito'])
  const served = new Promise<void>((resolve) => {
    createInterface(child.stderr!).on('line', (each) => {
      if (each.includes('"snapshot-served"')) resolve()
    })
  })
  expect(await run(['sync', '--source', sourceOf(3)], { directory })).toMatchObject({ exitCode: 0 })
  child.kill('SIGHUP')
  await served
  expect(await ask('/api/v1/detail?sdus=1,2,3')).toEqual([
    'Authority 1',
    'Authority 2',
    'Authority 3',
  ])
  child.kill('SIGTERM')
  const { exitCode, stderr } = await ended
  expect(exitCode).toBe(0)
  expect(stderr.split('\n')).toContain(notice)
})

it('get answers from the example, says so, and makes no directory', async () => {
  const directory = temporaryDirectory()
  const { exitCode, stdout, stderr } = await run(['get', '/api/v1/match?handle=@SenCapito'], {
    directory,
  })
  expect([exitCode, stderr]).toEqual([0, `${notice}\n`])
  expect(JSON.parse(stdout).results).toMatchObject([{ name: 'Shelley Moore Capito' }])
  expect(existsSync(join(directory, 'snapshots'))).toBe(false)
})

it('a directory that is named is never replaced by the example', async () => {
  const directory = temporaryDirectory()
  const missing = join(directory, 'missing')
  const words = ['serve', '--port', '0', '--threads', '1', '--snapshots', missing]
  const { exitCode, stderr } = await run(words, { directory })
  expect([exitCode, stderr]).toEqual([
    1,
    `${missing}: no snapshot to serve; publish one with: authority-index sync --source DIR\n`,
  ])
})
