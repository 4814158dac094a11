/** Lists of handles: read from bytes they are what JSON and the grammar make of them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HandleList } from '../../../../src/api/parameters/handle-list.ts'
import { limits } from '../../../../src/limits.ts'
import { parseHandle } from '../../../../src/text/handle.ts'

const handle = fc.oneof(
  fc.stringMatching(/^@?[\w.-]{1,30}$/),
  fc.stringMatching(/^@?UC[\w-]{21}[AQgw]$/),
  fc.stringMatching(/^@?\d{4}-\d{4}-\d{4}-\d{3}[\dxX]$/),
  fc.stringMatching(/^(github|x|orcid|mastodon):@?[a-z.]{1,8}$/),
  fc.constantFrom('ann', '@Ann', 'ANN', 'ann.github.io', 'x.com/ann', 'twitter:ann', 'X:ann'),
  fc.constantFrom('"', '\\', 'ﷺ', '😀', 'É', '\u0001', 'a\nb', 'Ann ', '\ud800'),
)
const handles = fc.array(handle, { minLength: 1, maxLength: 8 })

/** What a list holds, as texts: of each handle its number, and of each number what it means. */
function heldBy(list: HandleList) {
  const keys = list.read()
  const bytes = Buffer.from(keys.bytes)
  const sent = Buffer.from(list.source)
  return {
    keys: Array.from({ length: keys.count }, (_, number) => ({
      platform: keys.platforms[number],
      key: bytes.toString('utf8', keys.starts[number], keys.starts[number + 1]),
    })),
    numbers: [...list.numbers].slice(0, list.sentCount),
    firsts: [...list.firsts].slice(0, keys.count),
    sent: Array.from(
      { length: list.sentCount },
      (_, index) =>
        list.sentTexts[index] ??
        sent.toString('latin1', list.sentStarts[index], list.sentEnds[index]),
    ),
  }
}

/** A name, which stands in the list as it was sent; anything more is a text. */
function isName(text: string): boolean {
  const key = text.replace('@', '').toLowerCase()
  const isMore = /^uc.{22}$|^.{4}-.{14}$|..\.com$|.\.io$/.test(key)
  return /^@?[\w.-]+$/.test(text) && !isMore
}

/** What it should hold, by way of texts. @param isEscaped whether no name stands there as it is. */
function expected(sent: readonly string[], isEscaped = false) {
  const identities = sent.map((text) =>
    isName(text) && !isEscaped ? `name ${parseHandle(text).key}` : text,
  )
  const distinct = [...new Set(identities)]
  const firsts = distinct.map((identity) => identities.indexOf(identity))
  return {
    keys: firsts.map((first) => {
      const { platform, key } = parseHandle(sent[first]!)
      return { platform, key: Buffer.from(key).toString() }
    }),
    numbers: identities.map((identity) => distinct.indexOf(identity)),
    firsts,
    sent,
  }
}

describe('a list of handles', () => {
  it('is the same read from bytes as taken one by one, each different handle once', () => {
    const spaces = fc.constantFrom('', ' ', '\n\t')
    fc.assert(
      fc.property(handles, spaces, fc.boolean(), (sent, space, isEscaped) => {
        fc.pre(sent.every((text) => /\S/.test(text)))
        const texts = sent.map((text) => (isEscaped ? escaped(text) : JSON.stringify(text)))
        const json = `${space}[${space}${texts.join(`${space},${space}`)}${space}]`
        const { list, end } = HandleList.parse(Buffer.from(`${json}}`), 0)!
        expect(end).toBe(Buffer.byteLength(json))
        expect(heldBy(list)).toEqual(expected(sent, isEscaped))
      }),
      { numRuns: 500 },
    )
  })

  it('counts names and texts before it reads what is more than a name', () => {
    const sent = ['ann', '@Ann', 'x:ann', 'https://x.com/ann/1', 'https://x.com/ann/2', 'x:ann']
    const { list } = HandleList.parse(Buffer.from(JSON.stringify(sent)), 0)!
    expect([list.textCount, list.sentCount]).toEqual([4, 6])
    expect([list.read().count, list.sentCount, list.textCount]).toEqual([4, 6, 4])
    expect(heldBy(list)).toEqual(expected(sent))
  })

  it('is a value of its own: to parse another changes nothing in it', () => {
    const first = HandleList.parse(Buffer.from('["ann","Bob"]'), 0)!.list
    HandleList.parse(Buffer.from('["carla","dan","eve"]'), 0)
    expect(heldBy(first)).toEqual(expected(['ann', 'Bob']))
  })

  it('has room for as many of the shortest handles as a body may hold, and for no more', () => {
    const json = (count: number) => Buffer.from(JSON.stringify(Array(count).fill('a')))
    const { list } = HandleList.parse(json(limits.batchValuesMax), 0)!
    expect([list.sentCount, list.textCount]).toEqual([limits.batchValuesMax, 1])
    expect(HandleList.parse(json(limits.batchValuesMax + 1), 0)).toBeUndefined()
  })

  it('is not parsed from anything but a list of strings, however it ends', () => {
    const wrong = ['[]', '["a",]', '["a" "b"]', '["a",1]', '[" "]', '"a"', '["\\q"]']
    for (const json of [...wrong, `["${'a'.repeat(257)}"]`, '["a","b]', '["a","b\\']) {
      for (let end = 0; end <= json.length; end += 1) {
        expect(HandleList.parse(Buffer.from(json.slice(0, end)), 0)).toBeUndefined()
      }
    }
    expect(HandleList.parse(Buffer.from([91, 34, 0xff, 34, 93]), 0)).toBeUndefined()
  })

  it('has room for keys that are longer than what they were written as', () => {
    const long = 'ﷺ'.repeat(80)
    const sent = [long, 'ann', `${long}b`, 'bob']
    const { list } = HandleList.parse(Buffer.from(JSON.stringify(sent)), 0)!
    expect(heldBy(list)).toEqual(expected(sent))
  })
})

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
}
