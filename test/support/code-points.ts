/**
 * Characters of property tests: every code point but the halves of surrogate pairs. fast-check has them as the unit
 * `binary` of its strings, for which each process makes a table of a million characters: 1.4 s of processor time.
 */
import fc from 'fast-check'

const firstSurrogate = 0xd800
const surrogates = 0x800

export const codePoint = fc.nat({ max: 0x10_ffff - surrogates }).map(
  (place) => String.fromCodePoint(place < firstSurrogate ? place : place + surrogates),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || text !== String.fromCodePoint(code) || /\p{Surrogate}/u.test(text))
      throw new Error('not one code point')
    return code < firstSurrogate ? code : code - surrogates
  },
)
