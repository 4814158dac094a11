/** Any line of authorities, however it is spelled: a record or a reason, and nothing in between. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordOfLine } from '../../../../src/source/ndjson/lines.ts'
import { entryOf } from '../../../../src/source/ndjson/records.ts'
import { readAuthority } from '../../../../src/source/record-readers.ts'
import type { AuthorityRecord } from '../../../../src/source/schema.ts'

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', ' ', 'x', [], [null], ['a', ' '], {}, 0, 101, 1.5, -1),
  fc.constantFrom<unknown>('\u200b', 'a\0', 'a\ud83d', 'x'.repeat(300), 2 ** 53, -1e300),
  fc.jsonValue(),
)

function field<T>(usual: fc.Arbitrary<T>) {
  return fc.oneof({ arbitrary: usual, weight: 100 }, anything)
}

const text = fc.constantFrom('Ann', 'José', ' a', 'a,b', '@Ann', '王', 'https://x.com/ann', 'Q7')
const weight = field(fc.constantFrom(1, 0.5, 1e-9, 1e9))
const day = fc.constantFrom('2026-11-01', '2026-11-01T12:00:00+01:00')
const proof = { verified_by: field(text), verified_at: field(day) }
const topic = fc.oneof(text, fc.record({ topic: text, weight }, { requiredKeys: ['topic'] }))
/** Names of members, seldom one that none may have. */
function names(...right: string[]) {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...right), weight: 40 },
    fc.constantFrom('__proto__', 'a b', 'ORCID', ''),
  )
}

const platform = names('github', 'x', 'GitHub', 'mastodon')
const social = fc.record(
  { handle: field(text), followers: field(fc.nat()), verified: field(fc.boolean()), ...proof },
  { requiredKeys: ['handle'] },
)
const scheme = names('wikidata', 'gnd')
const values = fc.oneof(text, fc.array(text, { maxLength: 3 }))
const authority = fc.record(
  {
    sdu: field(fc.stringMatching(/^\d{1,32}$/)),
    name: field(text),
    also_known_as: field(fc.array(field(text), { maxLength: 3 })),
    bio: field(text),
    country_name: field(text),
    topics: field(
      fc.uniqueArray(field(topic), {
        minLength: 1,
        maxLength: 3,
        selector: (each) => JSON.stringify(each),
      }),
    ),
    socials: field(fc.dictionary(platform, field(social), { maxKeys: 3 })),
    website: field(fc.constantFrom('https://ann.example', 'ann.example/me', 'ftp://a.b')),
    verified: field(fc.boolean()),
    ...proof,
    authority_score: field(fc.double({ min: 0, max: 100, noNaN: true })),
    identifiers: field(fc.dictionary(scheme, field(text), { maxKeys: 2 })),
    attributes: field(fc.dictionary(names('party', 'office'), field(values), { maxKeys: 3 })),
    source: field(text),
    licence: field(text),
    updated_at: field(day),
  },
  { requiredKeys: ['sdu', 'name', 'topics'] },
)

function read(record: unknown) {
  return entryOf('here', recordOfLine(1, JSON.stringify(record)), readAuthority)
}

/** A record in the spelling that says all that it holds. */
function written(record: AuthorityRecord) {
  const proofOf = ({ proof }: Pick<AuthorityRecord, 'proof'>) =>
    proof && { verified_by: proof.by, verified_at: proof.at }
  return {
    ...record,
    also_known_as: record.alsoKnownAs,
    country_name: record.countryName,
    authority_score: record.authorityScore,
    updated_at: record.updatedAt,
    ...proofOf(record),
    socials: Object.fromEntries(
      record.socials.map((each) => [each.platform, { ...each, ...proofOf(each) }]),
    ),
    identifiers: Object.fromEntries(record.identifiers.map(({ scheme, value }) => [scheme, value])),
    attributes: Object.fromEntries(
      record.attributes.map(({ key }) => [
        key,
        record.attributes.filter((each) => each.key === key).map(({ value }) => value),
      ]),
    ),
  }
}

describe('a line of authorities', () => {
  it('gives a record or a reason, and a record that is written out is read as itself', () => {
    const counts = { records: 0, complaints: 0, rejects: 0 }
    fc.assert(
      fc.property(fc.oneof({ arbitrary: authority, weight: 50 }, anything), (json) => {
        const entry = read(json)
        if (entry.value === undefined) {
          counts.rejects++
          expect(`${entry.field}: ${entry.reason}`).toMatch(/^\S.*: (must|is|has)\b/)
          return
        }
        const { value, complaints = [] } = entry
        counts[complaints.length === 0 ? 'records' : 'complaints']++
        const { value: again, ...rest } = read(written(value))
        expect([again, 'complaints' in rest]).toEqual([value, false])
      }),
      { numRuns: 500 },
    )
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(50)
  })
})
