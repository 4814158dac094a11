/**
 * The npm package with the service of this platform: packed from this checkout, installed into an empty project, and
 * started there as a newcomer does.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makePackages, type PackedPackage } from '../../../scripts/package/packages.ts'
import { packageOf, platforms } from '../../../scripts/package/platforms.ts'
import { exampleNotice } from '../../../src/snapshot/store/example.ts'
import { programVersion } from '../../../src/version.ts'
import { type Finished, Project } from '../../support/installed.ts'
import { endOf } from '../../support/program.ts'
import { type NpmRegistry, serveNpmRegistry } from '../../support/servers/npm-registry.ts'
import { readStarted } from '../../support/started.ts'

const bytesMax = 60_000_000
const here = platforms.find(({ os, cpu }) => os === process.platform && cpu === process.arch)

let place: string
let packed: PackedPackage[]
let registry: NpmRegistry
let project: Project
let installation: Finished

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'package-'))
  packed = await makePackages(join(place, 'packed'), here === undefined ? [] : [here])
  registry = await serveNpmRegistry(packed.map(({ file }) => file))
  mkdirSync(join(place, 'project'))
  project = new Project(join(place, 'project'), registry.url)
  installation = await project.start('npm', 'install', 'authority-index')
}, 300_000)

afterAll(() => {
  registry.close()
  rmSync(place, { recursive: true })
})

describe.skipIf(here === undefined)('the package with the service', () => {
  it('installs without a warning, and with at most 60 MB', () => {
    expect([installation.status, installation.stderr]).toEqual([0, ''])
    const bytes = project.installedBytes()
    expect(bytes).toBeGreaterThan(packed[1]!.unpackedSize)
    expect(bytes).toBeLessThan(bytesMax)
  })

  it('serves the example in an empty folder, without a warning', async () => {
    const words = ['authority-index', 'serve', '--port', '0', '--threads', '1', '--json']
    const [command = '', ...more] = [join('node_modules', '.bin', words[0]!), ...words.slice(1)]
    const options = { cwd: project.directory, env: project.variables }
    const child = spawn(command, more, options)
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = endOf(child)
    const [line] = await once(createInterface(child.stdout), 'line')
    const { address, key } = readStarted(line)
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${address}/api/v1/match?handle=@SenCapito`, { headers })
    expect(await answer.json()).toMatchObject({ results: [{ name: 'Shelley Moore Capito' }] })
    expect((await fetch(`${address}/docs`)).status).toBe(200)
    child.kill('SIGTERM')
    const { exitCode, stderr } = await ended
    expect(exitCode).toBe(0)
    const lines = stderr.trim().split('\n')
    const events = lines
      .filter((each) => each.startsWith('{'))
      .map((each) => JSON.parse(each).event)
    expect(events).toEqual(['started', 'first-key', 'stopped'])
    expect(lines.filter((each) => !each.startsWith('{'))).toEqual([exampleNotice('snapshots')])
  })

  it('has its command by npx, with the ledger that the service made', () => {
    const version = project.run('npx', 'authority-index', '--version')
    expect(version).toEqual({
      status: 0,
      stdout: `authority-index ${programVersion}\n`,
      stderr: '',
    })
    const accounts = project.run('npx', 'authority-index', 'account', 'list')
    expect([accounts.status, accounts.stderr]).toEqual([0, ''])
    expect(accounts.stdout).toContain('default')
  })

  it('carries the licences of what is in it', () => {
    const directory = join(project.directory, 'node_modules', packageOf(here!))
    const texts = readFileSync(join(directory, 'LICENSES.txt'), 'utf8')
    for (const name of ['lmdb ', 'uws-pack ', '@btc-vision/uwebsockets.js ', 'pg ', 'preact ']) {
      expect(texts).toContain(`==== ${name}`)
    }
  })

  it('reads object storage in the library without a warning of its SDK', () => {
    const storage = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_ACCESS_KEY_ID: 'a' }
    Object.assign(project.variables, { ...storage, AWS_SECRET_ACCESS_KEY: 'b' })
    const program = `import { OpenProblem, openIndex } from 'authority-index'
      const problem = await openIndex('s3://bucket/index').catch((error) => error)
      console.log(problem instanceof OpenProblem, problem.code)`
    project.write('storage.mjs', program)
    const finished = project.run(process.execPath, 'storage.mjs')
    expect(finished).toEqual({ status: 0, stdout: 'true storage-unreachable\n', stderr: '' })
  })
})
