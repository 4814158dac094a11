/** The fast parser of handles against the grammar: it reads as a name only what the grammar does. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fastHandles, firstEnd } from '../../../../src/api/parameters/fast-parse.ts'
import type { SentHandle } from '../../../../src/api/parameters/identities.ts'
import { parseHandle } from '../../../../src/text/handle.ts'

/** The handles that the fast parser reads, or undefined where it leaves the query to the general one. */
function fastParsed(handles: readonly string[]): readonly SentHandle[] | undefined {
  const query = `handles=${handles.join(',')}`
  return fastHandles(query, firstEnd(query))
}

const handle = fc.oneof(
  fc.stringMatching(/^@?[\w.-]{1,30}$/),
  fc.stringMatching(/^@?UC[\w-]{21}[AQgw]$/),
  fc.stringMatching(/^@?\d{4}-\d{4}-\d{4}-\d{3}[\dxX]$/),
  fc.stringMatching(/^@?[a-z]{1,8}\.(medium|substack|tumblr|github|bsky)\.(com|io|social)$/),
  fc.constantFrom('x.com', 't.me', 'ann', '@Ann', 'Q42', '0000000121032683'),
)

describe('a handle that is parsed fast', () => {
  it('is what the grammar makes of it', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.array(handle, { minLength: 1, maxLength: 4 }), (handles) => {
        const parsed = fastParsed(handles)
        if (parsed === undefined) return
        taken += 1
        expect(parsed).toEqual(handles.map((sent) => ({ sent, query: parseHandle(sent) })))
      }),
      { numRuns: 5_000 },
    )
    expect(taken).toBeGreaterThan(250)
  })

  it.each([
    'ann',
    '@Ann',
    'ann.lee',
    'ann.bsky.social',
    'Q42',
    'a-name_of.nineteen1',
    '@UC_berkeley',
  ])('may be %s', (text) => {
    expect(fastParsed([text])).toEqual([{ sent: text, query: parseHandle(text) }])
  })

  it.each(['UCGydnnhsUZqFBscmcWcT-zQ', '0000-0002-1694-233X', 'ann.substack.com', 'ann.github.io'])(
    'is never %s, which is more than its letters',
    (text) => {
      expect(fastParsed([text])).toBeUndefined()
      expect(fastParsed(['ann', text])).toBeUndefined()
    },
  )
})
