/** What the client's users install: its size, what it needs of others, and types that are those of the API. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test, vi } from 'vitest'
import { contractFile, contractText } from '../../../scripts/client-types.ts'
import { AuthorityIndex } from '../../../src/client/client.ts'

const root = join(import.meta.dirname, '..', '..', '..')

const bytesMax = 5_000

test('is at most 5 kB, and imports nothing', async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/client/client.ts'],
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
  })
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThan(bytesMax)
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([])
})

test('has the types of the OpenAPI document', () => {
  const biome = join(root, 'node_modules', '.bin', 'biome')
  const words = ['format', '--stdin-file-path', contractFile]
  const formatted = execFileSync(biome, words, {
    cwd: root,
    input: contractText(),
    encoding: 'utf8',
  })
  expect(readFileSync(contractFile, 'utf8')).toBe(formatted)
})

test('refuses to show its key in a web page unless that is meant', () => {
  vi.stubGlobal('document', {})
  expect(() => new AuthorityIndex({ apiKey: 'aik_1' })).toThrow(TypeError)
  expect(() => new AuthorityIndex({ apiKey: 'aik_1', exposeKeyInBrowser: true })).not.toThrow()
  vi.unstubAllGlobals()
})

test('takes key and address from the environment, unless they are given', async () => {
  const seen: string[] = []
  const fetched = async (url: unknown, { headers }: RequestInit = {}) => {
    seen.push(String(url), new Headers(headers).get('authorization')!)
    return Response.json({ results: [] })
  }
  const options = { fetch: fetched as typeof fetch }
  vi.stubEnv('AUTHORITY_INDEX_KEY', '')
  expect(() => new AuthorityIndex(options)).toThrow(/AUTHORITY_INDEX_KEY/)
  vi.stubEnv('AUTHORITY_INDEX_KEY', 'aik_1')
  vi.stubEnv('AUTHORITY_INDEX_URL', undefined)
  await new AuthorityIndex(options).topics()
  vi.stubEnv('AUTHORITY_INDEX_URL', 'https://one.test/base/')
  await new AuthorityIndex(options).topics()
  await new AuthorityIndex({ ...options, apiKey: 'aik_2', baseURL: 'http://two.test' }).topics()
  vi.unstubAllEnvs()
  expect(seen).toEqual([
    'http://127.0.0.1:8080/api/v1/topics?cursor=*',
    'Bearer aik_1',
    'https://one.test/base/api/v1/topics?cursor=*',
    'Bearer aik_1',
    'http://two.test/api/v1/topics?cursor=*',
    'Bearer aik_2',
  ])
})
