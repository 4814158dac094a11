/** What the explorer says of people: rows, parts of a share, links to platforms and proofs. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../../../src/client/client.ts'
import {
  attributeName,
  platformLink,
  platformName,
  webAddress,
} from '../../../../src/explorer/page/model/names.ts'
import { initialsOf } from '../../../../src/explorer/page/model/people/people-rows.ts'
import { handleProof, personProof } from '../../../../src/explorer/page/model/people/proofs.ts'
import { resilienceText } from '../../../../src/explorer/page/model/people/resilience.ts'
import { percentText, wholeParts } from '../../../../src/explorer/page/model/people/whole-parts.ts'
import { tableAt } from '../../../support/table-sections.ts'

const rowsOf = tableAt(new URL('people.tsv', import.meta.url))

type Explanation = Schemas['Explanation']
type Profile = Schemas['Profile']

const explanation = (own: number, shares: readonly number[], others: number): Explanation => ({
  topic: 'Health',
  rank: 5,
  of: 23,
  share: own + shares.reduce((sum, share) => sum + share, 0) + others,
  margin: 0,
  components: [
    { name: 'own', value: 1, share: own },
    {
      name: 'endorsement',
      value: shares.length + (others > 0 ? 2 : 0),
      share: shares.reduce((sum, share) => sum + share, 0) + others,
    },
  ],
  resilience: { by_1: null, by_10: null },
  endorsers: shares.map((share, index) => ({ sdu: `${index}`, name: 'N', kind: 'follows', share })),
  sources: [],
  sentence: '',
})

describe('a row', () => {
  it.each(rowsOf('initials'))('of %j has the initials %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })
})

describe('the parts of a share', () => {
  it('add up to the whole, whatever they are', () => {
    const share = fc.double({ min: 1e-6, max: 1, noNaN: true })
    fc.assert(
      fc.property(share, fc.array(share, { maxLength: 5 }), share, (own, shares, others) => {
        const parts = wholeParts(explanation(own, shares, others))
        expect(parts.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1, 9)
        expect(parts.every(({ part }) => part >= 0)).toBe(true)
        expect(parts.at(-1)).toMatchObject({ name: '2 other endorsers', kind: 'others' })
      }),
    )
  })

  it('are none where there is no share', () => {
    expect(wholeParts(explanation(0, [], 0)).map(({ part }) => part)).toEqual([0])
    expect([0, 0.004, 0.125, 1].map(percentText)).toEqual([
      '0\u00a0%',
      '< 1\u00a0%',
      '13\u00a0%',
      '100\u00a0%',
    ])
  })
})

describe('a handle', () => {
  it.each(rowsOf('links of handles'))('on %s, %j, leads to %s', (platform, handle, address) => {
    expect(platformLink(platform, handle) ?? '').toBe(address)
  })

  it('leads to no address but those of the web', () => {
    expect(webAddress('https://example.com/a')).toBe('https://example.com/a')
    const others = [
      'javascript:alert(1)',
      'data:text/html,x',
      ' https://',
      'congress-legislators',
      '',
    ]
    expect(others.map(webAddress)).toEqual(others.map(() => undefined))
  })

  it('says how it was verified: by itself, with the person, or by its source', () => {
    const source = { source: 's', licence: null, updated_at: null }
    const withSources = (sources: Explanation['sources']) =>
      ({ explanation: { ...explanation(1, [], 0), sources } }) as Profile
    const own = {
      platform: 'x',
      handle: '@A',
      verified_by: 'rel-me',
      verified_at: '2026-11-01T00:00:00Z',
    }
    const proofs = [
      withSources([{ ...source, handles: [own] }]),
      withSources([{ ...source, verified_by: 'register' }]),
      withSources([source]),
      withSources([]),
    ].map((profile) => handleProof(profile, 'x', 'a'))
    expect(proofs).toEqual([
      'Verified by rel-me, 2026-11-01',
      'Person verified by register',
      'Listed by the source below',
      '',
    ])
  })

  it('of a person is verified only where the record says by what', () => {
    const source = { source: 's', licence: null, updated_at: null }
    const withSource = (more: object) =>
      personProof({
        explanation: { ...explanation(1, [], 0), sources: [{ ...source, ...more }] },
      } as unknown as Profile)
    expect(withSource({})).toBe('')
    expect(withSource({ verified_by: 'register', verified_at: '2026-11-01' })).toBe(
      'Verified by register, 2026-11-01',
    )
  })
})

describe('the resilience of a rank', () => {
  it.each(rowsOf('resilience'))('of %j says %j', (json, text) => {
    const resilience = JSON.parse(json)
    expect(resilienceText({ ...explanation(1, [1], 0), resilience })).toContain(text)
  })

  it('is not reported where nobody endorses the person', () => {
    const resilience = { by_1: null, by_10: null }
    expect(resilienceText({ ...explanation(1, [], 0), resilience })).toBe('')
  })
})

describe('a name', () => {
  it('of a platform is the one that people know, or the key with a capital', () => {
    expect(['twitter', 'github', 'newplace', 'constructor'].map(platformName)).toEqual([
      'X (Twitter)',
      'GitHub',
      'Newplace',
      'Constructor',
    ])
  })

  it('of an attribute says its key and its value', () => {
    const names = ['office:Senator', 'h_index:5:6', 'plain'].map(attributeName)
    expect(names).toEqual(['Office: Senator', 'H index: 5:6', 'plain'])
  })
})
