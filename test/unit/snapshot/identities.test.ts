/** People by their SDUs: found by all of its digits, and by nothing else. */
import { describe, expect, it } from 'vitest'
import { Identities } from '../../../src/snapshot/people/identities.ts'
import { Profiles } from '../../../src/snapshot/people/profiles.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority } from '../../support/records.ts'

const sdus = Array.from({ length: 300 }, (_, index) => String(index * 7))
const snapshot = snapshotOf({
  authorities: sdus.map((sdu) => authority({ sdu, name: `Ann ${sdu}` })),
  topics: [],
  connections: [],
})

describe.each([
  ['alone', new Identities(snapshot)],
  ['with profiles read ahead', new Identities(snapshot, new Profiles(snapshot).rests)],
])('identities %s', (_, identities) => {
  it('find everybody, and nobody by another number', () => {
    for (let number = 0; number < 2_200; number += 1) {
      const ordinal = identities.find(String(number))
      const isKnown = number % 7 === 0 && number < 2_100
      expect(ordinal >= 0).toBe(isKnown)
      if (isKnown) expect(identities.sduOf(ordinal)).toBe(String(number))
    }
  })

  it('find nobody by what goes on behind an SDU, or is none', () => {
    for (const text of ['', '7"', '7","name":"Ann 7', '07', ' 7', '７', '-7', '{"sdu":"7']) {
      expect(identities.find(text)).toBe(-1)
    }
  })
})
