/**
 * Suggestions and lists of topics against the model: what begins so is worked out from the records, by
 * loops over all of them.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { termsOf } from '../../../src/text/analyzer.ts'
import { handleKey, platformKey } from '../../../src/text/handle.ts'
import { ask, newApi, swapping } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { Oracle, type Person } from '../../support/oracle.ts'
import { holdsWhole, nameTerms, queryWords } from '../../support/oracle-search.ts'
import { authority, smallSources, social, topic } from '../../support/records.ts'

interface Suggestion {
  readonly kind: string
  readonly text: string
  readonly sdu: string | null
  readonly topic: string
  readonly handle: string | null
  readonly authorities: number | null
}

function topicsBySize(model: Oracle): string[] {
  const sizeOf = (key: string) => model.ranking(key).length
  return [...model.topics].sort(
    (a, b) => sizeOf(b) - sizeOf(a) || (model.labelOf(a) < model.labelOf(b) ? -1 : 1),
  )
}

function topicsBegun(model: Oracle, typed: string): string[] {
  const terms = termsOf(typed)
  const last = terms.pop()
  if (last === undefined) return []
  return topicsBySize(model).filter((key) =>
    [key, ...model.aliasesOf(key)].some((each) => {
      const words = each.split(' ')
      const isBegun = words.some((word) => word.startsWith(last))
      return isBegun && terms.every((term) => words.includes(term))
    }),
  )
}

function peopleBegun(model: Oracle, typed: string): Person[] {
  const words = queryWords(typed)
  const last = words.pop()
  if (last === undefined) return []
  return model.people.filter(({ record }) => {
    const held = new Set(nameTerms(record))
    const isBegun = [...held].some((term) => term.startsWith(last.text))
    return isBegun && words.every((word) => holdsWhole(word, held))
  })
}

/** Handles that begin so, each with who of their owners is the first: on a platform, where one is named. */
function handlesBegun(model: Oracle, typed: string): { key: string; owner: string }[] {
  const text = typed.trim()
  if (/\s/.test(text)) return []
  const platforms = new Set(model.ownedClaims.map((claim) => claim.split(':')[0]!))
  const colon = text.indexOf(':')
  const platform = colon < 0 ? undefined : platformKey(text.slice(0, colon))
  const isNamed = platform !== undefined && platforms.has(platform)
  const begun = handleKey(isNamed ? text.slice(colon + 1) : text)
  if (begun === '') return []
  const keys = new Set(model.ownedClaims.map((claim) => claim.slice(claim.indexOf(':') + 1)))
  const rankOf = (key: string) => model.people.indexOf(model.owners(key)[0]!)
  return [...keys]
    .filter((key) => key.startsWith(begun))
    .filter((key) => !isNamed || model.owners(`${platform}:${key}`).length > 0)
    .sort((a, b) => rankOf(a) - rankOf(b) || Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((key) => {
      const [owner] = model.owners(isNamed ? `${platform}:${key}` : key)
      return { key, owner: owner!.record.sdu }
    })
}

const typed = fc.oneof(
  fc.constantFrom(...'a,ad,lov,ada,ada l,l,jo,rust e,d,dat,data sc,m'.split(',')),
  fc.constantFrom(...'mach,learning m,c,go,rustl,eco,東京,李,王,小明,김,o'.split(',')),
  fc.constantFrom(...'@,@a,@an,bob,e,twitter:a,x:,X:b,github:dee.,zz,?,4'.split(',')),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }).filter((text) => text.trim() !== ''),
)

function suggested(api: ReturnType<typeof newApi>, text: string, more = ''): Suggestion[] {
  const target = `/api/v1/autocomplete?query=${encodeURIComponent(text)}${more}`
  const { status, json } = ask(api, target)
  expect(status).toBe(200)
  return json.results as unknown as Suggestion[]
}

describe('suggestions', () => {
  it('are what begins so, in any source, the best first', () => {
    fc.assert(
      fc.property(smallSources, fc.array(typed, { minLength: 8 }), (records, all) => {
        const model = new Oracle(records)
        fc.pre(model.people.length > 0)
        const api = newApi(servedOf(records))
        for (const text of all) {
          const platforms = new Set(model.ownedClaims.map((claim) => claim.split(':')[0]!))
          const isPrefixed =
            text.includes(':') && platforms.has(platformKey(text.trim().split(':')[0]!))
          const isHandle = text.trim().startsWith('@') || isPrefixed
          const ofKind = (kind: string) => suggested(api, text, `&limit=50&kinds=${kind}`)
          expect(ofKind('topic').map((each) => each.topic)).toEqual(
            isHandle ? [] : topicsBegun(model, text).map((key) => model.labelOf(key)),
          )
          expect(ofKind('person').map(({ sdu }) => sdu)).toEqual(
            isHandle ? [] : peopleBegun(model, text).map(({ record }) => record.sdu),
          )
          const found = ofKind('handle').map(({ handle }) => ({
            key: handle!.slice(handle!.indexOf(':') + 1),
            owner: model.owners(handle!)[0]?.record.sdu,
          }))
          expect(found).toEqual(handlesBegun(model, text))
        }
      }),
      { numRuns: 60 },
    )
  })

  const people = Array.from({ length: 12 }, (_, index) =>
    authority({
      sdu: String(index + 1),
      name: `Ann ${index}`,
      authorityScore: 100 - index,
      topics: [topic(`Anna ${index}`)],
      socials: [social('github', `ann${index}`)],
    }),
  )

  it('leave a third of their room to topics and to handles, and to others what these do not fill', () => {
    const api = newApi(servedOf({ authorities: people }))
    const kinds = (text: string, more = '') => suggested(api, text, more).map(({ kind }) => kind[0])
    expect(kinds('an').join('')).toBe('tttpppphhh')
    expect(kinds('an', '&limit=5').join('')).toBe('tppph')
    expect(kinds('an', '&limit=1').join('')).toBe('p')
    expect(kinds('ann 1').join('')).toBe('ppp')
    expect(kinds('an', '&kinds=topic,handle').join('')).toBe('ttttttthhh')
    expect(kinds('@an').join('')).toBe('hhhhhhhhhh')
  })

  it('say what to show and what to ask for', () => {
    const api = newApi(servedOf({ authorities: people.slice(0, 1) }))
    const nothing = { sdu: null, name: null, topic: null, handle: null, authorities: null }
    const known = { sdu: '1', name: 'Ann 0', topic: 'Anna 0' }
    const handle = 'github:ann0'
    expect(suggested(api, 'ann')).toEqual([
      { ...nothing, kind: 'topic', text: 'Anna 0', topic: 'Anna 0', authorities: 1 },
      { ...nothing, kind: 'person', text: 'Ann 0', ...known },
      { ...nothing, kind: 'handle', text: handle, handle },
    ])
  })
})

interface Listed {
  readonly topic: string
  readonly aliases: readonly string[]
  readonly authorities: number
}

function listedOf(model: Oracle, keys: readonly string[]): Listed[] {
  return keys.map((key) => ({
    topic: model.labelOf(key),
    aliases: model.aliasesOf(key),
    authorities: model.ranking(key).length,
  }))
}

describe('the list of topics', () => {
  it('is whole, page by page, the largest first', () => {
    const request = fc.tuple(smallSources, fc.integer({ min: 1, max: 5 }))
    fc.assert(
      fc.property(request, fc.option(typed), ([records, limit], text) => {
        const model = new Oracle(records)
        fc.pre(model.people.length > 0)
        const api = newApi(servedOf(records))
        const query = text === null ? '' : `&query=${encodeURIComponent(text)}`
        const listed: Listed[] = []
        for (let cursor: unknown = '*'; cursor !== undefined; ) {
          const { json } = ask(api, `/api/v1/topics?limit=${limit}${query}&cursor=${cursor}`)
          listed.push(...(json.results as unknown as Listed[]))
          cursor = json.next_cursor
        }
        const keys = text === null ? topicsBySize(model) : topicsBegun(model, text)
        expect(listed).toEqual(listedOf(model, keys))
      }),
      { numRuns: 40 },
    )
  })

  it('neither repeats nor skips a topic of the same size while snapshots swap', () => {
    fc.assert(
      fc.property(
        smallSources,
        smallSources,
        fc.integer({ min: 1, max: 4 }),
        (before, after, limit) => {
          const [first, second] = [before, after].map((records) => new Oracle(records))
          fc.pre(first!.people.length > 0 && second!.people.length > 0)
          const { api, swap } = swapping(servedOf(before))
          const page = (cursor: unknown) =>
            ask(api, `/api/v1/topics?limit=${limit}&cursor=${cursor}`).json
          const { results, next_cursor: cursor } = page('*')
          const listed = [...results] as unknown as Listed[]
          swap(servedOf(after))
          for (let next = cursor; next !== undefined; ) {
            const { results: more, next_cursor: behind } = page(next)
            listed.push(...(more as unknown as Listed[]))
            next = behind
          }
          const stayed = (model: Oracle) =>
            listedOf(model, model.topics).map((each) => `${each.topic} ${each.authorities}`)
          const after_ = stayed(second!)
          const same = stayed(first!).filter((each) => after_.includes(each))
          const told = listed.map((each) => `${each.topic} ${each.authorities}`)
          const counts = same.map((each) => told.filter((other) => other === each).length)
          if (cursor !== undefined) expect(counts).toEqual(same.map(() => 1))
        },
      ),
      { numRuns: 40 },
    )
  })
})
