/** What the client's users install: its size, what it needs of others, and types that are those of the API. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test, vi } from 'vitest'
import { contractFile, contractText } from '../../../scripts/client-types.ts'
import { AuthorityClient } from '../../../src/client/authority-client.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** Bytes, minified and compressed. */
const bytesMax = 12_000

test('is at most 12 kB, and imports nothing', async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/client/authority-client.ts'],
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
  const options = { baseUrl: 'http://one.test', apiKey: 'aik_1' }
  expect(() => new AuthorityClient(options)).toThrow(TypeError)
  expect(() => new AuthorityClient({ ...options, exposeKeyInBrowser: true })).not.toThrow()
  vi.unstubAllGlobals()
})

test('asks by fetch where that is given', async () => {
  const seen: string[] = []
  const fetched = async (url: string | URL | Request, { headers }: RequestInit = {}) => {
    seen.push(String(url), new Headers(headers).get('authorization')!)
    return Response.json({ duration: 0, results: [] }, { headers: { 'X-Snapshot-Id': 's1' } })
  }
  const client = new AuthorityClient({
    baseUrl: 'http://one.test/',
    apiKey: 'aik_1',
    fetch: fetched as typeof fetch,
  })
  expect(await client.match('ann')).toMatchObject({
    results: [],
    snapshot: 's1',
    cost: 0,
    balance: null,
  })
  expect(seen).toEqual(['http://one.test/api/v1/match?handles=ann', 'Bearer aik_1'])
})
