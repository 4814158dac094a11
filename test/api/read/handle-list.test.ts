/** Lists of handles: read from bytes they are what JSON and the grammar make of them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HandleList } from '../../../src/api/read/handle-list.ts'
import { parseHandle } from '../../../src/text/handle.ts'

const handlesMax = 8
const handle = fc.oneof(
  fc.stringMatching(/^@?[\w.-]{1,30}$/),
  fc.stringMatching(/^@?UC[\w-]{21}[AQgw]$/),
  fc.stringMatching(/^@?\d{4}-\d{4}-\d{4}-\d{3}[\dxX]$/),
  fc.stringMatching(/^(github|x|orcid|mastodon):@?[a-z.]{1,8}$/),
  fc.constantFrom('ann', '@Ann', 'ANN', 'ann.github.io', 'x.com/ann', 'twitter:ann', 'X:ann'),
  fc.constantFrom('"', '\\', 'ﷺ', '😀', 'É', '\u0001', 'a\nb', 'Ann ', '\ud800'),
)
const handles = fc.array(handle, { minLength: 1, maxLength: handlesMax })

/** What a list holds, as texts: of each handle its number, and of each number what it means. */
function heldBy(list: HandleList) {
  const bytes = Buffer.from(list.bytes)
  const sent = Buffer.from(list.source)
  return {
    keys: Array.from({ length: list.count }, (_, number) => ({
      platform: list.platforms[number],
      key: bytes.toString('utf8', number === 0 ? 0 : list.ends[number - 1], list.ends[number]),
    })),
    numbers: [...list.numbers].slice(0, list.sentCount),
    firsts: [...list.firsts].slice(0, list.count),
    sent: Array.from(
      { length: list.sentCount },
      (_, index) =>
        list.sentTexts[index] ??
        sent.toString('latin1', list.sentStarts[index], list.sentEnds[index]),
    ),
  }
}

/** What it should hold, by way of texts. */
function expected(sent: readonly string[]) {
  const identities = sent.map((text) => {
    const { platform = '', key } = parseHandle(text)
    return `${platform}:${key}`
  })
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

function sentHandles(sent: readonly string[]) {
  return sent.map((text) => ({ sent: text, query: parseHandle(text) }))
}

describe('a list of handles', () => {
  it('is the same read from bytes as taken one by one, each different handle once', () => {
    const list = new HandleList(handlesMax)
    const spaces = fc.constantFrom('', ' ', '\n\t')
    fc.assert(
      fc.property(handles, spaces, fc.boolean(), (sent, space, isEscaped) => {
        fc.pre(sent.every((text) => /\S/.test(text)))
        const texts = sent.map((text) => (isEscaped ? escaped(text) : JSON.stringify(text)))
        const json = `${space}[${space}${texts.join(`${space},${space}`)}${space}]`
        expect(list.read(Buffer.from(`${json}}`), 0)).toBe(Buffer.byteLength(json))
        expect(heldBy(list)).toEqual(expected(sent))
        expect(heldBy(list.take(sentHandles(sent)))).toEqual(expected(sent))
      }),
      { numRuns: 500 },
    )
  })

  it('is not read from what is no list of so many strings, however it ends', () => {
    const list = new HandleList(2)
    const wrong = [
      '["a","b","c"]',
      '[]',
      '["a",]',
      '["a" "b"]',
      '["a",1]',
      '[" "]',
      '"a"',
      '["\\q"]',
    ]
    for (const json of [...wrong, `["${'a'.repeat(257)}"]`, '["a","b]', '["a","b\\']) {
      for (let end = 0; end <= json.length; end += 1) {
        expect(list.read(Buffer.from(json.slice(0, end)), 0)).toBe(-1)
      }
    }
    expect(list.read(Buffer.from([91, 34, 0xff, 34, 93]), 0)).toBe(-1)
  })

  it('has room for keys that are longer than what they were written as', () => {
    const long = 'ﷺ'.repeat(80)
    const sent = [long, 'ann', `${long}b`, 'bob']
    const list = new HandleList(4)
    list.read(Buffer.from(JSON.stringify(sent)), 0)
    expect(heldBy(list)).toEqual(expected(sent))
  })

  it('gives up room that was made for longer keys than a body has', () => {
    const sent = Array.from({ length: 1_000 }, (_, n) => `${'ﷺ'.repeat(80)}${n}`)
    const list = new HandleList(sent.length).take(sentHandles(sent))
    const bytes = list.bytes.length
    list.take(sentHandles(['ann']))
    expect(heldBy(list)).toEqual(expected(['ann']))
    expect(list.bytes.length).toBeLessThan(bytes / 100)
  })
})

/** JSON in which every unit of a text is escaped. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
}
