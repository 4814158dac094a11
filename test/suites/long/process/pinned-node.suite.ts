/**
 * The pinned Node as npm takes it: from a registry of the test's own on this computer, with a shell
 * script in the place of a Node.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type PinnedNode,
  pinnedNodePath,
  pinnedNodes,
} from '../../../../src/process/pinned-node.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { until } from '../../../support/operated.ts'

const name = 'node-here'
const version = '22.0.1'

/** A package with a script that says that it is a Node of some version. */
function newPackage(told = version): { tarball: Buffer; pinned: PinnedNode } {
  const directory = temporaryDirectory()
  const script = `#!/bin/sh\necho v${told}\n`
  mkdirSync(join(directory, 'package', 'bin'), { recursive: true })
  const files = {
    'package.json': JSON.stringify({ name, version }),
    LICENSE: 'MIT',
    'bin/node': script,
  }
  for (const [file, content] of Object.entries(files)) {
    writeFileSync(join(directory, 'package', file), content, { mode: 0o755 })
  }
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: directory })
  const tarball = readFileSync(join(directory, 'package.tgz'))
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const sha256 = createHash('sha256').update(script).digest('hex')
  return { tarball, pinned: { name, version, integrity, bytes: script.length, sha256 } }
}

/** A registry with one package, which npm is made to ask; it never answers where there is none. */
async function serveRegistry(tarball: Buffer | undefined): Promise<{ readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    if (tarball === undefined) return
    if (request.url!.endsWith('.tgz')) return void response.end(tarball)
    const { port } = server.address() as AddressInfo
    const dist = { tarball: `http://127.0.0.1:${port}/${name}.tgz` }
    const versions = { [version]: { name, version, dist } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  vi.stubEnv('npm_config_cache', temporaryDirectory())
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
  return { asked }
}

/** Takes a Node into a directory. */
function take(pinned: PinnedNode, place: string, signal = new AbortController().signal) {
  const userId = process.getuid!()
  return pinnedNodePath(pinned, { places: [place], userId, onProgress: () => {}, signal })
}

describe('a pinned Node', () => {
  it('is taken from npm once, and kept with its licence', async () => {
    const { tarball, pinned } = newPackage()
    const place = temporaryDirectory()
    const { asked } = await serveRegistry(tarball)
    const node = await take(pinned, place)
    expect(execFileSync(node, { encoding: 'utf8' })).toBe(`v${version}\n`)
    expect(readdirSync(place)).toEqual([`${name}-${version}`])
    expect(readdirSync(join(node, '..', '..')).sort()).toEqual(['LICENSE', 'bin'])
    asked.length = 0
    expect(await take(pinned, place)).toBe(node)
    expect(asked).toEqual([])
  })

  it('is taken anew when a byte of the kept one has changed', async () => {
    const { tarball, pinned } = newPackage()
    const place = temporaryDirectory()
    const { asked } = await serveRegistry(tarball)
    const node = await take(pinned, place)
    const whole = readFileSync(node, 'utf8')
    writeFileSync(node, whole.replace('echo', 'Echo'))
    asked.length = 0
    expect(await take(pinned, place)).toBe(node)
    expect(readFileSync(node, 'utf8')).toBe(whole)
    expect(asked).not.toEqual([])
  })

  it('is refused when it is not what its hash says, and not kept', async () => {
    const { pinned } = newPackage()
    const place = temporaryDirectory()
    await serveRegistry(newPackage('6.6.6').tarball)
    // As below `npm run --silent`.
    vi.stubEnv('npm_config_loglevel', 'silent')
    await expect(take(pinned, place)).rejects.toMatchObject({
      code: 'no-fitting-node',
      message: expect.stringMatching(
        /^node-here 22\.0\.1 cannot be taken from npm: .*integrity.*$/,
      ),
    })
    expect(readdirSync(place)).toEqual([])
  })

  it('is refused when it says that it is another', async () => {
    const { tarball, pinned } = newPackage('22.0.2')
    await serveRegistry(tarball)
    await expect(take(pinned, temporaryDirectory())).rejects.toMatchObject({
      message: expect.stringMatching(/does not run here: it says that it is v22\.0\.2$/),
    })
  })

  it('is waited for no longer when it is interrupted, and npm ends', async () => {
    const place = temporaryDirectory()
    const { asked } = await serveRegistry(undefined)
    const controller = new AbortController()
    const taking = take(newPackage().pinned, place, controller.signal)
    const taken = expect(taking).rejects.toThrow('the user is gone')
    await until(() => asked.length > 0)
    controller.abort(new Error('the user is gone'))
    await taken
    expect(readdirSync(place)).toEqual([])
  })

  it('is refused in one line where there is no npm', async () => {
    const { pinned } = newPackage()
    vi.stubEnv('PATH', '/nowhere')
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(take(pinned, temporaryDirectory())).rejects.toMatchObject({
      message: 'node-here 22.0.1 cannot be taken from npm: spawn npm ENOENT',
    })
  })
})

describe('the table of pinned Nodes', () => {
  it.each(Object.entries(pinnedNodes))('has a whole row for %s', (machine, pinned) => {
    expect(pinned.name).toMatch(new RegExp(`^node-(bin-)?${machine}$`))
    expect(pinned.version).toMatch(/^22\.\d+\.\d+$/)
    expect(Buffer.from(pinned.integrity.replace(/^sha512-/, ''), 'base64').length).toBe(64)
    expect(pinned.bytes).toBeGreaterThan(100_000_000)
    expect(pinned.sha256).toMatch(/^[0-9a-f]{64}$/)
  })
})
