/** Words of any script in the letters a to z, against the tables that any-ascii has. */
import anyAscii from 'any-ascii'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { latinOf } from '../../../src/text/sound/latin.ts'
import { codePoint } from '../../support/code-points.ts'

/** Of neither Korean, which has surnames of its own, nor Arabic, which loses its article. */
const others = fc
  .string({ unit: codePoint })
  .filter((word) => !/[\p{Script=Hangul}\p{Script=Arabic}]/u.test(word))

function lettersOf(word: string): string {
  return anyAscii(word)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}

it('are read as any-ascii reads them, without what is no letter', () => {
  const isForeign = (word: string) => /[^\0-\x7f]/.test(word)
  fc.assert(
    fc.property(others.filter(isForeign), (word) => {
      expect(latinOf(word)).toBe(lettersOf(word))
    }),
    { numRuns: 2_000 },
  )
})
