/** The quick reader of handles against the grammar: what it takes means what the grammar says. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Usual } from '../../../src/api/read/usual.ts'
import { parseHandle } from '../../../src/text/handle.ts'

/** The keys that the quick reader reads, or undefined where it leaves the query to the general one. */
function quickKeys(handles: readonly string[]): string[] | undefined {
  const usual = new Usual()
  if (!usual.readHandles(`handles=${handles.join(',')}`, false)) return undefined
  const bytes = Buffer.from(usual.bytes)
  return Array.from({ length: usual.count }, (_, at) =>
    bytes.toString('latin1', at === 0 ? 0 : usual.ends[at - 1], usual.ends[at]),
  )
}

const handle = fc.oneof(
  fc.stringMatching(/^@?[\w.-]{1,30}$/),
  fc.stringMatching(/^@?UC[\w-]{21}[AQgw]$/),
  fc.stringMatching(/^@?\d{4}-\d{4}-\d{4}-\d{3}[\dxX]$/),
  fc.stringMatching(/^@?[a-z]{1,8}\.(medium|substack|tumblr|github|bsky)\.(com|io|social)$/),
  fc.constantFrom('x.com', 't.me', 'ann', '@Ann', 'Q42', '0000000121032683'),
)

describe('a handle that is read quickly', () => {
  it('is what the grammar makes of it', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.array(handle, { minLength: 1, maxLength: 4 }), (handles) => {
        const keys = quickKeys(handles)
        if (keys === undefined) return
        taken += 1
        expect(handles.map(parseHandle)).toEqual(keys.map((key) => ({ platform: undefined, key })))
      }),
      { numRuns: 20_000 },
    )
    expect(taken).toBeGreaterThan(1_000)
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
    expect(quickKeys([text])).toEqual([parseHandle(text).key])
  })

  it.each(['UCGydnnhsUZqFBscmcWcT-zQ', '0000-0002-1694-233X', 'ann.substack.com', 'ann.github.io'])(
    'is never %s, which is more than its letters',
    (text) => {
      expect(quickKeys([text])).toBeUndefined()
      expect(quickKeys(['ann', text])).toBeUndefined()
    },
  )
})
