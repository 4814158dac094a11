/** Requests as code: what runs asks exactly what was asked. */
import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noFilters } from '../../../../src/explorer/page/model/address.ts'
import {
  type ApiQuery,
  profileQuery,
  requestTargetOf,
  searchQuery,
} from '../../../../src/explorer/page/model/requests.ts'
import { snippetOf } from '../../../../src/explorer/page/model/snippets.ts'

const origin = 'http://127.0.0.1:8080'
const posted: ApiQuery = {
  method: 'POST',
  path: '/api/v1/rank',
  parameters: [],
  body: '{"sources":["it\'s \\"so\\""]}',
}

describe('the target of a request', () => {
  it('says the same to a service, whatever the values', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (query) => {
        const { searchParams } = new URL(requestTargetOf(searchQuery(query, noFilters)), origin)
        expect(searchParams.get('query')).toBe(query)
      }),
    )
  })

  it('keeps commas and stars, which read better as they are', () => {
    expect(requestTargetOf(profileQuery('1,2'))).toBe('/api/v1/detail?sdus=1,2&explain=true')
    expect(requestTargetOf(searchQuery('tax policy', noFilters))).toContain('query=tax+policy&')
  })
})

describe('code', () => {
  it.each(['curl', 'javascript', 'python'] as const)('in %s holds no key', (language) => {
    const text = snippetOf(language, searchQuery('rust', noFilters), origin)
    expect(text).toContain('AUTHORITY_INDEX_KEY')
    expect(text).not.toContain('aik_')
    expect(text).toContain('/api/v1/index?query=rust')
  })

  /** The words that a shell makes of a line. */
  function wordsOf(text: string): string[] {
    const script = `curl() { printf '%s\\0' "$@"; }; ${text}`
    const { stdout } = spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      env: { AUTHORITY_INDEX_KEY: 'aik_x' },
    })
    return stdout.split('\0').slice(0, -1)
  }

  it('for a shell is one request, with whatever quotation marks in it', () => {
    const query = searchQuery(`O'Neill "x" $HOME`, noFilters)
    expect(wordsOf(snippetOf('curl', query, origin))).toEqual([
      '-H',
      'Authorization: Bearer aik_x',
      origin + requestTargetOf(query),
    ])
  })

  it('for a shell sends a body as it is', () => {
    const words = wordsOf(snippetOf('curl', posted, origin))
    expect(words[words.indexOf('-d') + 1]).toBe(posted.body)
    expect(words.at(-1)).toBe(`${origin}/api/v1/rank`)
  })

  it('in JavaScript asks for the same, with the key of the environment', async () => {
    const asked: unknown[] = []
    const text = snippetOf('javascript', posted, origin)
      .replace(/^import .*\n/, '')
      .replace('const { results } =', 'return')
    const run = new Function('fetch', 'env', `return (async () => { ${text} })()`)
    await run(
      async (...words: unknown[]) => {
        asked.push(...words)
        return { json: async () => ({}) }
      },
      { AUTHORITY_INDEX_KEY: 'aik_x' },
    )
    expect(asked).toEqual([
      `${origin}/api/v1/rank`,
      {
        method: 'POST',
        headers: { Authorization: 'Bearer aik_x', 'Content-Type': 'application/json' },
        body: posted.body,
      },
    ])
  })

  it('in Python quotes what would end a text', () => {
    const text = snippetOf('python', posted, origin)
    expect(text).toContain(`data="{\\"sources\\":[\\"it's \\\\\\"so\\\\\\"\\"]}".encode()`)
  })
})
