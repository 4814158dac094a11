import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { run } from '../../../support/program.ts'

const notice =
  'snapshots: no such directory yet, so answers come from the example records; publish your own with: authority-index sync --source DIR'

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
