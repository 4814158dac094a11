/** The operator's page as the admin listener serves it: its headers, its weight, and whom it refuses. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtOperatorPage, newAdmin } from '../../support/administered.ts'

async function newPage() {
  const { api, keyOf } = await newAdmin()
  const get = (path: string, more: object = {}, headers: Record<string, string> = {}) => {
    const head = { method: 'GET', path, query: '', from: '127.0.0.1', isOwnHost: true, ...more }
    return api.answer({ ...head, headers: { host: 'localhost', ...headers } }, async () => '')
  }
  return { get, keyOf }
}

describe("the operator's page", () => {
  it('is served without a key, kept by no browser, framed by no page, and runs no text as a script', async () => {
    const { get } = await newPage()
    const { status, headers, body } = await get('/')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'Cache-Control': 'no-store',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    })
    const policy = headers['Content-Security-Policy']
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const html = Buffer.from(body as Uint8Array).toString()
    expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=|https?:/)
    for (const [, path = ''] of html.matchAll(/"(\/assets\/[^"]+)"/g)) {
      expect((await get(path)).status).toBe(200)
    }
  })

  it('is refused to pages of other sites, and under a name that was pointed here', async () => {
    const { get } = await newPage()
    expect((await get('/', { isOwnHost: false })).status).toBe(403)
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.example' }]) {
      expect((await get('/', {}, headers)).status).toBe(403)
    }
  })

  it('is refused under an address that holds an admin key', async () => {
    const { get, keyOf } = await newPage()
    const key = await keyOf(['read'])
    for (const more of [{ query: `key=${key}` }, { path: `/admin/v1/accounts/${key}` }]) {
      const { status, body } = await get('/', more)
      expect(status).toBe(400)
      expect(String(body)).not.toContain(key.slice(10))
    }
  })

  it('has at most 40 KB in all, as gzip', () => {
    const files = readdirSync(builtOperatorPage).filter((name) => name.endsWith('.gz'))
    const bytes = files.reduce(
      (sum, name) => sum + readFileSync(join(builtOperatorPage, name)).length,
      0,
    )
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThanOrEqual(40_000)
  })
})

describe('an answer', () => {
  it('says whose admin key asked and what that may do, also where it refuses', async () => {
    const { get, keyOf } = await newPage()
    const headers = { authorization: `Bearer ${await keyOf(['keys', 'data'])}` }
    const refused = await get('/admin/v1/accounts', {}, headers)
    expect(refused.status).toBe(403)
    expect(refused.headers['X-Admin-Scopes']).toBe('keys,data')
    expect(refused.headers['X-Admin-Key-Id']).toMatch(/\w/)
    const wrong = await get('/admin/v1/accounts', {}, { authorization: 'Bearer aik_admin_x' })
    expect(wrong.headers).not.toHaveProperty('X-Admin-Scopes')
  })
})
