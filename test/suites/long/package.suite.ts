/** The npm package as `npm pack` makes it, installed without a registry into an empty project. */
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { nativePackages, programVersion } from '../../../src/version.ts'
import { defaultSnapshots } from '../../support/program.ts'

const root = join(import.meta.dirname, '..', '..', '..')

const noRegistry = ['--registry=http://127.0.0.1:9', '--fetch-retries=0', '--no-audit', '--no-fund']

const tarball = `authority-index-${programVersion}.tgz`

/** The project, without the variables of the npm that runs the tests. */
let project: string
const inherited = Object.entries(process.env).filter(
  ([name]) => !/^(npm_|AUTHORITY_INDEX_|AWS_|NODE_|VITEST)/i.test(name),
)

function run(program: string, words: readonly string[], variables: object = {}) {
  const env = { ...Object.fromEntries(inherited), ...variables }
  const options = { cwd: project, env, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(program, words, options)
  return { status, stdout, stderr }
}

function printedBy(name: string, text: string, variables?: object): unknown {
  writeFileSync(join(project, name), text)
  const { status, stdout, stderr } = run(process.execPath, [name], variables)
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'package-'))
  // `dist` is built: the script that builds it would do so under the other tests.
  const words = ['pack', '--ignore-scripts', '--pack-destination', project]
  expect(spawnSync('npm', words, { cwd: root }).status).toBe(0)
  writeFileSync(join(project, 'package.json'), '{"private":true}')
  expect(run('npm', ['install', ...noRegistry, tarball])).toMatchObject({ status: 0, stderr: '' })
})

afterAll(() => rmSync(project, { recursive: true }))

const askIndex = `
  const index = await openIndex(${JSON.stringify(defaultSnapshots)})
  const answer = [index.match('@SenCapito').results[0].name, index.search('rust', { limit: 1 }).results[0].name]`
const answer = ['Shelley Moore Capito', 'David Wood']

describe('the npm package', () => {
  it('is at most 3 MB to download', () => {
    const { size } = statSync(join(project, tarball))
    expect(size).toBeLessThanOrEqual(3_000_000)
  })

  it('brings no other package, no native module, and the licences of what it bundles', () => {
    const modules = join(project, 'node_modules')
    const names = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    // One beside the types says of what kind they are.
    const manifests = names.filter((name) => /^[^.].*package\.json$/.test(name))
    expect(manifests.filter((name) => !name.includes(join('dist', 'types')))).toEqual([
      join('authority-index', 'package.json'),
    ])
    expect(names.filter((name) => name.endsWith('.node'))).toEqual([])
    const texts = readFileSync(join(modules, 'authority-index', 'dist', 'LICENSES.txt'), 'utf8')
    for (const name of ['@aws-sdk/core', 'pg', 'preact', 'unhomoglyph', 'zod']) {
      expect(texts).toContain(`==== ${name} `)
    }
  })

  it('has its example, where no other snapshots are named', () => {
    const program = `import { openIndex } from 'authority-index'
      const index = await openIndex()
      console.log(JSON.stringify(index.get('@SenCapito').name))`
    expect(printedBy('example.mjs', program)).toBe(answer[0])
  })

  it('answers a program that imports it, and one that requires it', () => {
    const imported = `import { openIndex } from 'authority-index'\n${askIndex}
      console.log(JSON.stringify(answer))`
    const required = `const { openIndex } = require('authority-index')
      const ask = async () => {${askIndex}\nconsole.log(JSON.stringify(answer))}
      ask()`
    expect(printedBy('index.mjs', imported)).toEqual(answer)
    expect(printedBy('index.cjs', required)).toEqual(answer)
  })

  it('has the client, imported and required', () => {
    const ask = `console.log(JSON.stringify(typeof new AuthorityIndex({ baseURL: 'http://a.test', apiKey: 'b' }).match))`
    const imported = `import { AuthorityIndex } from 'authority-index/client'\n${ask}`
    const required = `const { AuthorityIndex } = require('authority-index/client')\n${ask}`
    expect(printedBy('client.mjs', imported)).toBe('function')
    expect(printedBy('client.cjs', required)).toBe('function')
  })

  it('has types for both kinds of programs', () => {
    const program = `import { openIndex, OpenProblem } from 'authority-index'
      import { AuthorityIndex } from 'authority-index/client'
      export async function ask() {
        const client = new AuthorityIndex({ baseURL: 'http://a.test', apiKey: 'b' })
        const given: string | undefined = (await client.match('a'))?.name
        const all: string[] = (await client.match(['a'])).map((owner) => owner?.name ?? '')
        for await (const { rank } of client.search('rust', { limit: 2 })) all.push(String(rank))
        const { cost }: { cost: number } = await client.rank(all, { topic: 'Rust' }).withResponse()
        const index = await openIndex('snapshots', { follow: true })
        const name: string | undefined = index.match('@SenCapito').results[0]?.name
        const sdu: string | undefined = index.match(['a'], { fields: ['sdu'], aligned: true }).results[0]?.sdu
        // @ts-expect-error An option that no search has.
        client.search('rust', { limt: 1 })
        // @ts-expect-error The same.
        index.search('rust', { limt: 1 })
        return [name, sdu, given, cost, new OpenProblem('a', 'b').code]
      }\n`
    const strict = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023']
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')]
    for (const module of ['node16', 'nodenext']) {
      for (const name of ['types.mts', 'types.cts']) {
        writeFileSync(join(project, name), program)
        const words = [...strict, '--module', module, ...types, name]
        const { stdout } = run(join(root, 'node_modules', '.bin', 'tsc'), words)
        expect([module, name, stdout]).toEqual([module, name, ''])
      }
    }
  })

  it('reads object storage without a warning of its SDK', () => {
    const program = `import { OpenProblem, openIndex } from 'authority-index'
      const problem = await openIndex('s3://bucket/index').catch((error) => error)
      console.log(JSON.stringify([problem instanceof OpenProblem, problem.code]))`
    const key = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
    const storage = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', ...key }
    expect(printedBy('storage.mjs', program, storage)).toEqual([true, 'storage-unreachable'])
  })

  it('has the commands that need no native module', () => {
    const get = run('npx', ['authority-index', 'get', '/api/v1/index?query=rust&limit=1'])
    expect(JSON.parse(get.stdout).results).toMatchObject([{ name: answer[1] }])
    expect(get.status).toBe(0)
  })

  it.each([
    ['serve', ['serve']],
    ['account list', ['account', 'list']],
  ])('says what to install beside it for %s', (name, words) => {
    const install = `npm install ${nativePackages.join(' ')}`
    expect(run('npx', ['authority-index', ...words])).toEqual({
      status: 1,
      stdout: '',
      stderr: `${name} needs packages beside this one: ${install}\n`,
    })
  })

  it('has the ledger where these packages are installed', () => {
    for (const spec of nativePackages) {
      const name = spec.replace(/(?<=.)@.*/, '')
      const place = join(project, 'node_modules', name)
      mkdirSync(dirname(place), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), place)
      onTestFinished(() => rmSync(place))
    }
    const created = run('npx', ['authority-index', 'account', 'create', 'acme'])
    expect(created).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('acme'),
    })
  })
})
