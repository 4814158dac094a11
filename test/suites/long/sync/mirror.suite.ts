/** Object storage as an operator has it, without any: what is not used is not loaded, and a web server will do. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { announce } from '../../../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { MemoryObjects } from '../../../support/objects/memory-objects.ts'
import { publisherOf, serveObjects } from '../../../support/objects/served-objects.ts'
import { askAll, newScene, operate, until } from '../../../support/operated.ts'
import { run } from '../../../support/program.ts'
import { metricOf } from '../../../support/prometheus.ts'

describe('a service that follows a web server', () => {
  it('waits for its first snapshot, and swaps to the next without a failed request', async () => {
    const scene = newScene()
    const store = new MemoryObjects()
    const address = await serveObjects(store)
    const directory = join(temporaryDirectory(), 'snapshots')
    const starting = operate(directory, [
      '--follow',
      address,
      '--poll-interval',
      '1',
      '--threads',
      '1',
    ])
    const publisher = publisherOf(store, scene.directory)
    await publisher.announce(scene.first, () => {})
    const service = await starting
    expect(service.snapshotId).toBe(scene.first)
    const { stop } = askAll(service, scene.words, 2)
    await publisher.announce(scene.second, () => {})
    await until(async () => (await service.readiness()).snapshot_id === scene.second)
    expect([...(await stop()).keys()].sort()).toEqual([scene.first, scene.second].sort())
    // What is served is known a moment before what was mirrored.
    await until(async () => {
      const { mirror } = (await service.readiness()) as unknown as { mirror: { number: number } }
      return mirror.number === 2
    })
    expect(await metricOf(service, 'mirror_behind')).toBe(0)
  })

  it('serves what it has while the storage is gone', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, [
      '--follow',
      'http://127.0.0.1:1/',
      '--threads',
      '1',
    ])
    expect(service.snapshotId).toBe(scene.first)
    announce(scene.directory, scene.second)
    await until(async () => (await service.readiness()).snapshot_id === scene.second)
  })

  it('is refused an address that is none, in one line', async () => {
    const words = ['serve', '--follow', 'ftp://nowhere', '--port', '0']
    const places = ['--snapshots', temporaryDirectory(), '--data', temporaryDirectory()]
    const { exitCode, stderr } = await run([...words, ...places])
    expect([exitCode, stderr.trim().split('\n').length]).toEqual([2, 1])
    expect(stderr).toContain('ftp://nowhere')
  })
})

describe('what is not used', () => {
  it('is not loaded: no module of the SDK by serve, get or any help', async () => {
    const directory = temporaryDirectory()
    const list = join(directory, 'modules')
    const hook = join(directory, 'hook.mjs')
    // Threads load it too, and note what they load in the same file.
    writeFileSync(
      hook,
      `import { appendFileSync } from 'node:fs'
       import { register } from 'node:module'
       const loader = \`
         import { appendFileSync } from 'node:fs'
         export async function resolve(specifier, context, next) {
           const resolved = await next(specifier, context)
           appendFileSync(\${JSON.stringify(process.env.MODULES)}, resolved.url + '\\\\n')
           return resolved
         }\`
       register('data:text/javascript,' + encodeURIComponent(loader))
       appendFileSync(process.env.MODULES, '')`,
    )
    const surroundings = { nodeWords: ['--import', hook], variables: { MODULES: list } }
    const service = await operate(newScene().directory, ['--threads', '1'], surroundings)
    await service.readiness()
    expect((await run(['--help'], surroundings)).exitCode).toBe(0)
    const get = ['get', '/api/v1/index?query=topic+1', '--snapshots', newScene().directory]
    expect((await run(get, surroundings)).exitCode).toBe(0)
    const loaded = [...new Set(readFileSync(list, 'utf8').split('\n'))]
    expect(loaded.some((each) => each.includes('/serving-worker.js'))).toBe(true)
    const files = loaded
      .filter((each) => each.startsWith('file:'))
      .map((each) => fileURLToPath(each))
    const ofSdk = (file: string) => readFileSync(file, 'utf8').includes('S3ServiceException')
    expect(files.filter(ofSdk)).toEqual([])
    const built = join(import.meta.dirname, '..', '..', '..', '..', 'dist')
    expect(
      readdirSync(built).filter((name) => name.endsWith('.js') && ofSdk(join(built, name))),
    ).toHaveLength(1)
  })
})
