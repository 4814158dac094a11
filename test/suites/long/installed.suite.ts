/**
 * The npm package without its optional parts, for programs that want the library alone: packed from this checkout,
 * installed into an empty project, imported and required.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageProblems } from '../../../scripts/package/checks.ts'
import { makePackages, type PackedPackage } from '../../../scripts/package/packages.ts'
import { complaintsOfTsc, type Finished, Project } from '../../support/installed.ts'
import { defaultSnapshots } from '../../support/program.ts'
import { type NpmRegistry, serveNpmRegistry } from '../../support/servers/npm-registry.ts'

const bytesMax = 3_000_000

let place: string
let packed: PackedPackage
let registry: NpmRegistry
let project: Project
let installation: Finished

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'package-'))
  packed = (await makePackages(join(place, 'packed'), []))[0]!
  registry = await serveNpmRegistry([packed.file])
  mkdirSync(join(place, 'project'))
  project = new Project(join(place, 'project'), registry.url)
  const words = ['--omit=optional', '--no-audit', '--no-fund']
  installation = await project.start('npm', 'install', 'authority-index', ...words)
}, 180_000)

afterAll(() => {
  registry.close()
  rmSync(place, { recursive: true })
})

/** Runs a program of the project, which prints JSON and no warning. */
function printedBy(name: string, text: string): unknown {
  project.write(name, text)
  const { status, stdout, stderr } = project.run(process.execPath, name)
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

const askIndex = `
  const index = await openIndex(${JSON.stringify(defaultSnapshots)})
  const answer = [index.match('@SenCapito').results[0].name, index.search('rust', { limit: 1 }).results[0].name]`
const answer = ['Shelley Moore Capito', 'David Wood']

describe('the package without its optional parts', () => {
  it('installs without a warning, with at most 3 MB, no other package and no native module', () => {
    const modules = join(project.directory, 'node_modules')
    expect([installation.status, installation.stderr]).toEqual([0, ''])
    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual([
      'authority-index',
    ])
    const names = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => name.endsWith('.node'))).toEqual([])
    expect(project.installedBytes()).toBeLessThan(bytesMax)
    expect(packed.unpackedSize).toBeLessThan(bytesMax)
  })

  it('answers a program that imports it', () => {
    const program = `import { openIndex } from 'authority-index'\n${askIndex}
      console.log(JSON.stringify(answer))`
    expect(printedBy('index.mjs', program)).toEqual(answer)
  })

  it('answers a program that requires it', () => {
    const program = `const { openIndex } = require('authority-index')
      const ask = async () => {${askIndex}\nconsole.log(JSON.stringify(answer))}
      ask()`
    expect(printedBy('index.cjs', program)).toEqual(answer)
  })

  it('has one set of classes for a program that does both', () => {
    const program = `import { createRequire } from 'node:module'
      import * as imported from 'authority-index'
      const required = createRequire(import.meta.url)('authority-index')
      const differing = Object.keys(required).filter((name) => required[name] !== imported[name])
      console.log(JSON.stringify([Object.keys(required).sort(), differing]))`
    const names = ['IndexClosed', 'InvalidParameter', 'MalformedRequest', 'OpenProblem']
    expect(printedBy('both.mjs', program)).toEqual([[...names, 'RequestProblem', 'openIndex'], []])
  })

  it('has the client, imported and required', () => {
    const ask = `console.log(JSON.stringify(typeof new AuthorityClient({ baseUrl: 'http://a.test', apiKey: 'b' }).match))`
    const imported = `import { AuthorityClient } from 'authority-index/client'\n${ask}`
    const required = `const { AuthorityClient } = require('authority-index/client')\n${ask}`
    expect(printedBy('client.mjs', imported)).toBe('function')
    expect(printedBy('client.cjs', required)).toBe('function')
  })

  it('has types for both kinds of programs', () => {
    const program = `import { openIndex, OpenProblem } from 'authority-index'
      import { AuthorityClient } from 'authority-index/client'
      export async function ask() {
        const client = new AuthorityClient({ baseUrl: 'http://a.test', apiKey: 'b' })
        const given: string | undefined = (await client.match('a')).results[0]?.name
        const index = await openIndex('snapshots', { follow: true })
        const name: string | undefined = index.match('@SenCapito').results[0]?.name
        // @ts-expect-error An option that no search has.
        index.search('rust', { limt: 1 })
        return [name, given, new OpenProblem('a', 'b').code]
      }\n`
    for (const name of ['types.mts', 'types.cts']) {
      project.write(name, program)
      expect([name, complaintsOfTsc(project, name)]).toEqual([name, ''])
    }
  })

  it('says which package the command lacks', () => {
    const { status, stdout, stderr } = project.run('npx', 'authority-index', 'serve')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^authority-index: the service [^\n]*\n$/)
    const here = `@authority-index/${process.platform}-${process.arch}@${packed.version}`
    if (process.platform === 'linux') expect(stderr).toContain(`npm install ${here}\n`)
  })

  it('is without a fault for publint and Are the types wrong', async () => {
    expect(await packageProblems(packed.file)).toEqual([])
  })
})
