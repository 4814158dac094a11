/** The fast parser of handles against the grammar: it reads a handle as the grammar does, or not at all. */
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
  fc.stringMatching(/^(twitter|X|bsky|fb|unheard):@?[\w.]{1,9}$/),
  fc.stringMatching(/^(https?:\/\/)?(x\.com|github\.com|mastodon\.social)\/@?[\w./-]{1,20}$/),
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

  it.each(['', '"ann"', '%40ann', 'x.com/ann?tab=1', 'x.com/ann#top', 'a+b', 'é', 'a'.repeat(257)])(
    'is never %j, which other spellings of the query may mean',
    (text) => {
      expect(fastParsed([text])).toBeUndefined()
      expect(fastParsed(['ann', text])).toBeUndefined()
    },
  )

  it('is left to the grammar where it is sent twice, in any spelling', () => {
    expect(fastParsed(['x:ann', 'https://twitter.com/ann'])).toBeUndefined()
    expect(fastParsed(['x:ann', 'github:ann', 'ann'])).toHaveLength(3)
  })
})
