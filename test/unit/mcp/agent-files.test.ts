/** What describes the MCP server to clients that are not connected: files at a public address. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { agentFiles } from '../../../src/mcp/agent-files.ts'
import { iconsAt } from '../../../src/mcp/server-description.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const publicUrl = 'https://index.example.com'
const files = agentFiles(publicUrl, join(root, 'dist', 'guides'))

function schemaOf(name: string): Record<string, unknown> {
  const folder = join(root, 'test', 'support', 'mcp-schemas')
  return JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8'))
}

function textAt(path: string): string {
  const file = files.find(({ paths }) => paths.includes(path))!
  return Buffer.from(file.bytes.identity).toString()
}

const options = { strict: false, validateFormats: false, allErrors: true }

describe('the icon', () => {
  const icons = iconsAt(publicUrl)
  const served = ({ src }: { readonly src: string }) =>
    files.find(({ paths }) => paths.includes(src.slice(publicUrl.length)))!

  it('lies where the server and the card say, in the type that they say', () => {
    for (const icon of icons)
      expect([icon.src, served(icon).type]).toEqual([icon.src, icon.mimeType])
    expect(JSON.parse(textAt('/mcp/server-card')).icons).toEqual(icons)
    expect(JSON.parse(textAt('/server.json')).icons).toEqual(icons)
  })

  it('is a PNG of the size that they say, with an alpha channel, and an SVG that loads nothing', () => {
    const [png, svg] = icons.map((icon) => Buffer.from(served(icon).bytes.identity))
    expect(png!.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    const [width, height, colours] = [png!.readUInt32BE(16), png!.readUInt32BE(20), png![25]]
    expect([`${width}x${height}`, colours]).toEqual([icons[0]!.sizes[0], 6])
    expect(svg!.toString()).toMatch(/^<svg[^>]* viewBox="/)
    expect(svg!.toString()).not.toMatch(/<script|<image|href=|url\(/)
  })
})

describe('at a public address', () => {
  it('the card of the server is valid by the published schema', () => {
    const schema = { ...schemaOf('server-card'), $ref: '#/$defs/ServerCard' }
    const validate = new Ajv2020(options).compile(schema)
    validate(JSON.parse(textAt('/mcp/server-card')))
    expect(validate.errors).toBeNull()
    expect(validate({ name: 'x' })).toBe(false)
  })

  it('the entry for a registry is valid by the published schema, and named by the host', () => {
    const validate = new Ajv(options).compile(schemaOf('server'))
    const entry = JSON.parse(textAt('/server.json'))
    validate(entry)
    expect(validate.errors).toBeNull()
    expect(validate({ ...entry, description: 'x'.repeat(101) })).toBe(false)
    expect(entry.name).toBe('com.example.index/authority-index')
    expect(entry.remotes[0].url).toBe(`${publicUrl}/mcp`)
  })

  it('the catalog leads to the card, and llms.txt to documents that there are', () => {
    const { entries } = JSON.parse(textAt('/.well-known/ai-catalog.json'))
    expect(entries).toMatchObject([{ url: `${publicUrl}/mcp/server-card` }])
    const links = [
      ...textAt('/llms.txt').matchAll(/\]\(https:\/\/index\.example\.com(\/docs\/[^)]+)\)/g),
    ]
    expect(links.length).toBeGreaterThan(5)
    for (const [, path] of links) expect(textAt(path!)).toMatch(/^# /m)
  })
})
