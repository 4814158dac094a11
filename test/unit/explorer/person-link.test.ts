/** Links of listed people, and the page behind them. */
import { randomFillSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Api } from '../../../src/api/api.ts'
import { RequestIds } from '../../../src/api/pipeline/request-ids.ts'
import { personPath, sduOfPath } from '../../../src/explorer/person-link.ts'
import { PersonPages } from '../../../src/explorer/person-page.ts'
import { servedOf } from '../../support/built.ts'
import { authority } from '../../support/records.ts'

const secret = Buffer.alloc(32, 3)
const endMs = Date.UTC(2026, 11, 1)

describe('a link', () => {
  it('leads to its SDU until it ends', () => {
    const path = personPath(secret, '123', endMs)
    expect(sduOfPath(secret, path, endMs - 1)).toBe('123')
    expect(sduOfPath(secret, path, endMs)).toBeUndefined()
  })

  it('leads nowhere once any character of it is another, or the secret is', () => {
    const path = personPath(secret, '123', endMs)
    for (let at = '/person/'.length; at < path.length; at += 1) {
      for (const other of ['0', '1', 'z', 'Z', '-', '.', '/', 'é']) {
        const changed = path.slice(0, at) + other + path.slice(at + 1)
        if (changed !== path) expect(sduOfPath(secret, changed, 0)).toBeUndefined()
      }
    }
    for (const changed of [`${path}0`, path.slice(0, -1), '/person/', '/person/123']) {
      expect(sduOfPath(secret, changed, 0)).toBeUndefined()
    }
    expect(sduOfPath(Buffer.alloc(32, 4), path, 0)).toBeUndefined()
  })
})

describe('the page of a person', () => {
  const served = servedOf({
    authorities: [authority({ sdu: '123', name: 'Ann <script>', bio: 'Says "a & b"' })],
  })
  const api = new Api({
    served: () => served,
    clock: () => performance.now(),
    ids: new RequestIds(randomFillSync),
    onError: (error) => {
      throw error
    },
  })
  const contacts = { contact: 'ops@example.com', privacy: 'https://example.com/privacy?a=1&b=2' }
  const pages = new PersonPages({ secret, api, clock: () => 0, ...contacts }, undefined)

  const replyAt = (path: string) => {
    const head = { acceptEncoding: '', ifNoneMatch: '', host: 'index.example.com' }
    const reply = pages.reply({ path, ...head, isForwarded: true })
    if ('absence' in reply) throw new Error(reply.absence)
    return reply
  }
  const pageOf = (sdu: string) => {
    const path = personPath(secret, sdu, endMs)
    expect(pages.has(path)).toBe(true)
    const { status, headers, body } = replyAt(path)
    return { status, headers: Object.fromEntries(headers), text: Buffer.from(body).toString() }
  }

  it('shows the entry, escaped, and who runs the service; nothing keeps or indexes it', () => {
    const { status, headers, text } = pageOf('123')
    expect(status).toBe(200)
    expect(text).toContain('Ann &lt;script&gt;')
    expect(text).toContain('a &amp; b')
    expect(text).toContain('<a href="mailto:ops@example.com">')
    expect(text).toContain('<a href="https://example.com/privacy?a=1&amp;b=2">')
    expect(text).not.toContain('<script')
    expect(headers).toMatchObject({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
    expect(headers['Content-Security-Policy']).toContain("default-src 'none'")
  })

  it('says that there is no entry where there is none', () => {
    expect(pageOf('999').text).toContain('The index holds no entry under this SDU.')
  })

  it('is at no path without a right link', () => {
    expect(pages.has('/person/123')).toBe(false)
    expect(pages.has('/')).toBe(false)
  })
})
