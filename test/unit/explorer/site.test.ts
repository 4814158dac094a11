/** The explorer as a browser asks for it, from a running service. */
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { examples } from '../../../src/explorer/page/model/examples.ts'
import { reachOf } from '../../../src/explorer/reach.ts'
import { readSite } from '../../../src/explorer/site.ts'
import { contentPolicy, sitePages } from '../../../src/explorer/site-replies.ts'
import { newApi } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { sharedService } from '../../support/shared.ts'

const site = join(import.meta.dirname, '..', '..', '..', 'dist', 'site')

describe('the explorer', () => {
  const service = sharedService(['--threads', '1'])

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${service.address}${path}`, { method, headers })

  const assets = async (page: '/' | '/docs') => {
    const html = await (await get(page)).text()
    return [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  }

  it.each(['/', '/docs', '/?q=rust', '/docs?x=1'])('answers %s without a key', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await response.text()).toMatch(/<title>(API · )?Authority Index<\/title>/)
  })

  it('lets a page load only what comes from the service, and be framed by nobody', async () => {
    for (const path of ['/', '/docs', ...(await assets('/')), ...(await assets('/docs'))]) {
      const { headers } = await get(path)
      expect(headers.get('content-security-policy')).toBe(contentPolicy)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
    expect(contentPolicy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
  })

  it('names its parts by their content, to be kept for ever', async () => {
    const paths = await assets('/')
    expect(paths.map((path) => path.slice(path.lastIndexOf('.'))).sort()).toEqual([
      '.css',
      '.js',
      '.svg',
    ])
    for (const path of paths) {
      expect(path).toMatch(/-[A-Z0-9]{8}\.\w+$/)
      const { status, headers } = await get(path)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  it('holds no script and no style within the page', () => {
    const html = ['page.html', 'docs.html'].map((name) =>
      gunzipSync(readFileSync(join(site, `${name}.gz`))),
    )
    expect(html.join('')).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=|https?:/)
  })

  it('has every file ready as gzip', () => {
    const names = readdirSync(site)
    expect(names.length).toBe(7)
    expect(names.every((name) => name.endsWith('.gz'))).toBe(true)
  })

  it('has at most 60 KB for its first view, as gzip', async () => {
    const names = ['page.html', ...(await assets('/')).map((path) => path.slice('/assets/'.length))]
    const sizes = names.map((name) => readFileSync(join(site, `${name}.gz`)).length)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(60_000)
  })

  it.each(examples)('answers “$question” as its first view says', async ({ target, results }) => {
    const response = await get(target, service.headers)
    expect(((await response.json()) as { results: unknown }).results).toEqual(results)
  })

  it.each([
    ['br, gzip', 'gzip'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('answers a browser that takes %j in %j', async (accepted, encoding) => {
    const response = await get('/', { 'accept-encoding': accepted })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(await response.text()).toContain('<title>')
  })

  it('answers 304 without a body to its tag, and 200 to another', async () => {
    const tag = (await get('/')).headers.get('etag') ?? ''
    const same = await get('/', { 'if-none-match': `"x", ${tag}` })
    expect([same.status, await same.text()]).toEqual([304, ''])
    expect(same.headers.get('etag')).toBe(tag)
    expect((await get('/', { 'if-none-match': '"x"' })).status).toBe(200)
  })

  it('answers HEAD without a body, and other methods with 405', async () => {
    const head = await get('/', {}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await get('/docs', {}, 'POST')
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it.each(['/assets/', '/assets/page.html', '/assets/../page.html.gz', '/docs/', '/page.html'])(
    'has nothing at %s',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )

  it.each([
    { host: 'index.example.com' },
    { host: '192.168.1.2:8080' },
    { host: '127.0.0.1.example.com' },
    { 'x-forwarded-for': '203.0.113.7' },
    { forwarded: 'for=203.0.113.7' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '203.0.113.7' },
  ])('is there for browsers of this computer, and not for %j', async (headers) => {
    expect(await statusWith({})).toBe(200)
    expect(await statusWith(headers)).toBe(404)
  })

  /** `fetch` sets the header Host by itself. */
  const statusWith = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      request(`${service.address}/docs`, { headers, agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })
})

describe('--explorer', () => {
  it.each([
    ['on', '127.0.0.1', 'on'],
    ['local', '0.0.0.0', 'local'],
    [null, '127.0.0.1', 'local'],
    [null, '0.0.0.0', 'off'],
    ['off', '127.0.0.1', 'off'],
  ] as const)('%s on %s is %s', (setting, host, reach) => {
    expect(reachOf(setting, host)).toBe(reach)
  })

  it('on serves every browser, also through a proxy', () => {
    const pages = sitePages(newApi(servedOf({ authorities: [] })), readSite(site), true)
    const far: Record<string, string> = { host: 'index.example.com', via: '1.1 proxy' }
    expect(pages('GET', '/docs', (name) => far[name] ?? '')).toMatchObject({ status: 200 })
  })
})
