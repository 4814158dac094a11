/** Query strings: decoded or refused, never an exception. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePairs } from '../../../../src/api/parameters/query-reader.ts'
import { limits } from '../../../../src/limits.ts'
import { codePoint } from '../../../support/code-points.ts'

const messy = fc.string({ unit: fc.constantFrom(...'ab%&=+,4F2C3é\u0000😀'), maxLength: 30 })

function isEncoded(query: string): boolean {
  try {
    for (const part of query.split('&')) {
      const equals = part.indexOf('=')
      decodeURIComponent(equals < 0 ? part : part.slice(0, equals))
      if (equals >= 0) decodeURIComponent(part.slice(equals + 1))
    }
    return true
  } catch {
    return false
  }
}

function pairsOf(query: string) {
  const parsed = parsePairs(query)
  return parsed.problem ?? parsed.value.map(([name, value]) => [name, value])
}

describe('a query string', () => {
  it('is read or refused, never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(messy, fc.string({ unit: codePoint })), (query) => {
        const { problem } = parsePairs(query)
        expect(problem?.code).toBe(isEncoded(query) ? undefined : 'malformed-request')
      }),
      { numRuns: 2_000 },
    )
  })

  it('has so many parameters and no more', () => {
    const query = (count: number) => Array.from({ length: count }, () => 'a=b').join('&')
    expect(parsePairs(query(limits.parametersMax)).value).toHaveLength(limits.parametersMax)
    expect(parsePairs(query(limits.parametersMax + 1)).problem?.code).toBe('invalid-parameter')
  })

  it('is read as URLSearchParams reads it', () => {
    fc.assert(
      fc.property(messy.filter(isEncoded), (query) => {
        expect(pairsOf(query)).toEqual([...new URLSearchParams(query)])
      }),
      { numRuns: 1_000 },
    )
  })
})
