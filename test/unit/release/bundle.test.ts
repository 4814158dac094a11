/** The MCP bundle of a release: its manifest, its size, what is in it, and its proxy as a desktop client runs it. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bundleFiles, manifest } from '../../../scripts/mcpb/bundle.ts'
import { bundleBytesMax, tryBundle } from '../../../scripts/mcpb/try-bundle.ts'
import { zipOf } from '../../../scripts/mcpb/zip.ts'
import { programVersion } from '../../../src/version.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { startMcpService, textOf } from '../mcp/served.ts'

const schemas = join(import.meta.dirname, '..', '..', 'support', 'mcp-schemas')
const schema = JSON.parse(readFileSync(join(schemas, 'mcpb-manifest.schema.json'), 'utf8'))

describe('the MCP bundle', () => {
  let inside: ReadonlyMap<string, Uint8Array>

  beforeAll(async () => {
    inside = await bundleFiles()
  })

  /** The file of a bundle, with some of its files replaced. */
  function fileOf(others: Readonly<Record<string, Uint8Array>> = {}): string {
    const file = join(temporaryDirectory(), 'bundle.mcpb')
    writeFileSync(file, zipOf(new Map([...inside, ...Object.entries(others)])))
    return file
  }

  it('has a manifest that is valid by the published schema', () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    validate(manifest())
    expect(validate.errors).toBeNull()
    expect(validate({ ...manifest(), server: { type: 'node' } })).toBe(false)
  })

  it('is an archive with the same bytes each time, and its proxy names the tools of the manifest', async () => {
    const file = fileOf()
    execFileSync('python3', ['-m', 'zipfile', '-t', file])
    expect(zipOf(await bundleFiles()).equals(readFileSync(file))).toBe(true)
    expect(() => tryBundle(file, programVersion)).not.toThrow()
  })

  it.each<[string, () => Readonly<Record<string, Uint8Array>>, string]>([
    ['another version', () => withManifest({ version: '9.9.9' }), 'has version 9.9.9'],
    ['tools that it has not', () => withManifest({ tools: [{ name: 'x' }] }), 'names x and offers'],
    ['a native module', () => ({ 'server/lmdb.node': Buffer.from('x') }), 'holds server/lmdb.node'],
    ['a megabyte', () => ({ 'server/more': noise(bundleBytesMax) }), 'bytes'],
    ['a proxy that fails', () => ({ 'server/proxy.mjs': Buffer.from('x!') }), 'ended with 1'],
  ])('is no part of a release with %s', (_, others, said) => {
    const file = fileOf(others())
    expect(() => tryBundle(file, programVersion)).toThrow(said)
  })

  it('speaks for a service with the address and the key as a person pastes them', async () => {
    const directory = temporaryDirectory()
    execFileSync('python3', ['-m', 'zipfile', '-e', fileOf(), directory])
    const proxy = join(directory, 'server', 'proxy.mjs')
    const service = await startMcpService(100_000)
    const pasted = `${service.address.replace('http://', ' ')}/mcp/`
    const env = { AUTHORITY_INDEX_URL: pasted, AUTHORITY_INDEX_KEY: `Bearer ${service.key} ` }
    const client = new Client({ name: 'test', version: '1' })
    onTestFinished(() => client.close())
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [proxy], env }),
    )
    const call = { name: 'search_authorities', arguments: { query: 'rust' } }
    expect(textOf(await client.callTool(call))).toContain('1. Ann Other')
    expect(service.charged()).toBe(1)
  })
})

function withManifest(members: object): Readonly<Record<string, Uint8Array>> {
  return { 'manifest.json': Buffer.from(JSON.stringify({ ...manifest(), ...members })) }
}

/** Bytes that do not compress: the states of a generator (Numerical Recipes). */
function noise(length: number): Uint8Array {
  let state = 1
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}
