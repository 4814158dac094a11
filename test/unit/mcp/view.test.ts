/** The view inside a chat, as the server offers it: where it is, what it is given, and that a model gets no more by it. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { viewOfResult } from '../../../src/mcp/view.ts'
import { connectHttp, eras, type McpService, sharedMcpService } from './served.ts'

const plainService = sharedMcpService()
const hosted = sharedMcpService(1_000_000, { publicUrl: 'https://index.example.com' })

const viewUri = 'ui://authority-index/view'
const mimeType = 'text/html;profile=mcp-app'
const shows = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [mimeType] } } }
const calls = [
  ['search_authorities', { query: 'rust' }, 'people', 2],
  ['match_handle', { handles: ['github:ann'] }, 'profiles', 1],
  ['find_peers', { handles: ['github:ann'] }, 'network', 1],
  ['get_authority_detail', { sdus: ['7', '8'] }, 'profiles', 2],
  ['rank_sources', { sources: ['github:ann', 'github:nobody'] }, 'sources', 2],
] as const

interface View {
  readonly kind: string
  readonly site: string | null
  readonly items: readonly Readonly<Record<string, unknown>>[]
}

function viewIn({ _meta }: { readonly _meta?: object | undefined }): View | undefined {
  return (_meta as { 'authority-index/view'?: View } | undefined)?.['authority-index/view']
}

/** A client that shows views, of the newest revision. */
async function connectHost({ address, key }: McpService): Promise<Client> {
  const mode = { pin: '2026-07-28' } as unknown as 'legacy'
  const client = new Client(
    { name: 'host', version: '1' },
    { capabilities: shows, versionNegotiation: { mode } },
  )
  onTestFinished(() => client.close())
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit }),
  )
  return client
}

describe('the view inside a chat', () => {
  it.each(eras)('is named by the tools that show people, and read as a page (%s)', async (era) => {
    const client = await connectHttp(await plainService(), era)
    const { tools } = await client.listTools()
    const viewed = tools.filter(({ _meta }) => {
      const ui = _meta?.ui as { readonly resourceUri: string } | undefined
      return ui?.resourceUri === viewUri
    })
    expect(viewed.map(({ name }) => name).sort()).toEqual(calls.map(([name]) => name).sort())
    const [page] = (await client.readResource({ uri: viewUri })).contents
    expect(page).toMatchObject({
      ...{ uri: viewUri, mimeType },
      _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] } } },
    })
    const { text } = page as { text: string }
    expect(text).toMatch(/^<!doctype html>/)
    expect(text).toContain("content=\"default-src 'none'; script-src 'sha256-")
    expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org\/)/)
  })

  it('takes less than 80 kB', () => {
    const page = join(import.meta.dirname, '..', '..', '..', 'dist', 'guides', 'view.html')
    expect(statSync(page).size).toBeLessThan(80_000)
  })

  it.each(calls)('shows what %s has found, and why', async (name, given, kind, count) => {
    const service = await hosted()
    const openedMicroUsd = service.balanceMicroUsd()
    const host = await connectHost(service)
    const plain = await connectHttp(service, 'modern')
    const viewed = await host.callTool({ name, arguments: given })
    const spentMicroUsd = openedMicroUsd - service.balanceMicroUsd()
    const { _meta, ...rest } = await plain.callTool({ name, arguments: given })
    expect(openedMicroUsd - service.balanceMicroUsd()).toBe(2 * spentMicroUsd)
    // What a model reads is the same, and a client without views gets nothing for one.
    expect(viewIn({ _meta: _meta ?? {} })).toBeUndefined()
    const {
      duration: _,
      request_id: __,
      ...told
    } = rest.structuredContent as Record<string, unknown>
    expect(viewed.structuredContent).toMatchObject(told)
    expect(viewed.content).toEqual(rest.content)
    const view = viewIn(viewed)!
    expect(view).toMatchObject({ kind, site: 'https://index.example.com' })
    expect(view.items).toHaveLength(count)
    const why = view.items.filter(({ explanation }) => explanation !== undefined)
    expect(why).toHaveLength(kind === 'sources' ? 0 : count)
    if (kind !== 'people' && kind !== 'network') return
    expect(view.items.map(({ authority_score: score }) => typeof score)).not.toContain('undefined')
  })

  it('comes with every result to an older client over HTTP, which says in its handshake what it shows', async () => {
    const client = await connectHttp(await plainService(), 'legacy')
    const result = await client.callTool({
      name: 'search_authorities',
      arguments: { query: 'rust' },
    })
    expect(viewIn(result)?.items).toHaveLength(2)
    const failed = await client.callTool({
      name: 'get_authority_detail',
      arguments: { sdus: ['1'] },
    })
    expect([failed.isError, viewIn(failed)]).toEqual([true, undefined])
  })

  it('leaves out reasons first and then people, where it would be too large', () => {
    const reason = { sentence: 'x'.repeat(2_000) }
    const items = Array.from({ length: 500 }, (_, at) => ({
      ...{ sdu: String(at), name: 'n'.repeat(200), explanation: reason, secret: 'not shown' },
    }))
    const meta = viewOfResult('search', { query: 'q'.repeat(1_000) }, items, null)
    const text = JSON.stringify(meta)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.mcpViewBytesMax)
    expect(text).not.toContain('not shown')
    const { items: kept } = viewIn({ _meta: meta })!
    expect(kept.length).toBeGreaterThan(20)
    expect([kept[0]!.explanation, kept.at(-1)!.explanation]).toEqual([reason, undefined])
  })
})
