/** Clients that generators make of the OpenAPI document: each compiles, without a warning and without twins. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../../src/api/describe/openapi.ts'
import { defaultPrices } from '../../../src/operations.ts'
import { installed } from './installed.ts'

const packages = [
  'openapi-typescript@7.13',
  '@hey-api/openapi-ts@0.95.0',
  'orval@7.13',
  'swagger-typescript-api@13',
  'axios@1.7.9',
  'typescript@5.9',
]

const commands = [
  ['openapi-typescript', 'openapi.json', '-o', 'made/openapi-typescript.ts'],
  ['openapi-ts', '-i', 'openapi.json', '-o', 'made/hey-api', '-c', '@hey-api/client-fetch'],
  ['orval', '--config', 'orval.config.cjs'],
  [
    'swagger-typescript-api',
    'generate',
    '-p',
    'openapi.json',
    '-o',
    'made/swagger',
    '-n',
    'api.ts',
  ],
]

const orval = `const input = './openapi.json'
module.exports = {
  fetch: { input, output: { target: './made/orval-fetch.ts', client: 'fetch' } },
  axios: { input, output: { target: './made/orval-axios.ts', client: 'axios' } },
}`

const compilerOptions = {
  ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', types: [] },
  ...{ moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] },
}

test('clients that generators make compile, without a warning and without twins', () => {
  const directory = installed(packages)
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
  write('openapi.json', JSON.stringify(openApiDocument(defaultPrices)))
  write('orval.config.cjs', orval)
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['made'] }))
  const run = ([name = '', ...words]: readonly string[]) => {
    const program = join(directory, 'node_modules', '.bin', name)
    const { status, stdout, stderr } = spawnSync(program, words, {
      cwd: directory,
      encoding: 'utf8',
    })
    expect([name, status, stderr], stdout).toEqual([name, 0, expect.not.stringMatching(/error/i)])
    expect([name, /warn/i.test(stdout + stderr)]).toEqual([name, false])
  }
  for (const command of commands) run(command)
  run(['tsc', '-p', 'tsconfig.json'])
  const made = readdirSync(join(directory, 'made'), { recursive: true, encoding: 'utf8' })
  const files = made.filter((name) => name.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(5)
  for (const file of files) {
    const text = readFileSync(join(directory, 'made', file), 'utf8')
    expect([file, /\b\w+Slash\b/.exec(text)?.[0]]).toEqual([file, undefined])
  }
})
