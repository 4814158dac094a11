/** A service whose texts stay on disk: what clients and operators see of it, whatever becomes of the file. */
import { readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { announce, pathOf } from '../../../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { library } from '../../../support/library.ts'
import {
  newScene,
  type Operated,
  operate,
  targets,
  until,
  untilServed,
} from '../../../support/operated.ts'
import { defaultSnapshots } from '../../../support/program.ts'
import { metricOf } from '../../../support/prometheus.ts'
import { expectSixSwapsUnderLoad } from '../../../support/swaps-under-load.ts'

const onDisk = ['--texts', 'disk']

async function textOf({ address, headers }: Operated, target: string) {
  const response = await fetch(`${address}${target}`, { headers })
  return `${response.status} ${await response.text()}`
}

it('swaps under load, fails no request and mixes no answer', () => expectSixSwapsUnderLoad(onDisk))

it('answers from a file that was removed and made anew, and refuses with 503 what was cut off', async () => {
  const scene = newScene()
  const service = await operate(scene.directory, [...onDisk, '--warm-up-ms', '0'])
  const path = pathOf(scene.directory, scene.first)
  rmSync(path)
  writeFileSync(path, 'something else')
  for (const target of targets) expect((await textOf(service, target)).slice(0, 4)).toBe('200 ')

  const cut = newScene()
  const other = await operate(cut.directory, [...onDisk, '--warm-up-ms', '0'])
  truncateSync(pathOf(cut.directory, cut.first), 4_096)
  const refused = await textOf(other, '/api/v1/detail?sdus=17')
  expect(refused).toContain('urn:authority-index:problem:texts-unavailable')
  expect(refused.slice(0, 4)).toBe('503 ')
  expect(await metricOf(other, 'text_errors_total')).toBeGreaterThan(0)
  expect(await other.readiness()).toMatchObject({ ready: true, thread_deaths: 0 })
})

function descriptorsOf({ child }: Operated, path: string): number {
  const directory = `/proc/${child.pid}/fd`
  const links = readdirSync(directory).map((descriptor) => {
    try {
      return readlinkSync(join(directory, descriptor))
    } catch {
      // It was closed meanwhile.
      return undefined
    }
  })
  return links.filter((link) => link === path).length
}

it('leaves no file open of a snapshot that its threads did not take', async () => {
  const scene = newScene()
  const switchFile = join(temporaryDirectory(), 'fail')
  const hook = join(import.meta.dirname, '..', '..', '..', 'support', 'failing-calls.mjs')
  const service = await operate(scene.directory, onDisk, {
    nodeWords: ['--import', hook],
    variables: { FAIL_CALLS: switchFile },
  })
  const path = pathOf(scene.directory, scene.second)
  writeFileSync(switchFile, '')
  announce(scene.directory, scene.second)
  await until(async () => {
    service.child.kill('SIGHUP')
    return (await service.readiness()).refusals > 2
  })
  rmSync(switchFile)
  service.child.kill('SIGHUP')
  await untilServed(service, scene.second)
  expect(descriptorsOf(service, path)).toBe(1)
})

it('gives the library what it gives with texts in memory, also on what another thread shares', async () => {
  const whole = await library.openIndex(defaultSnapshots)
  const stored = await library.openIndex(defaultSnapshots, { texts: 'disk' })
  const shared = await library.openIndex(structuredClone(stored.share()))
  const all = whole.search('climate', { limit: 50 }).results.map(({ sdu }) => sdu)
  for (const index of [stored, shared]) {
    expect(index.search('climate', { limit: 50 })).toEqual(whole.search('climate', { limit: 50 }))
    expect(index.detail(all)).toEqual(whole.detail(all))
    expect(index.explain(all)).toEqual(whole.explain(all))
  }
  await Promise.all([whole.close(), stored.close(), shared.close()])
})
