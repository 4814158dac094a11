/** The table of addresses beside this file, and what must hold of any text. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HandleQuery, nowhere, parseHandle, readHandle } from '../../../src/text/handle.ts'
import { platformKeys as platforms } from '../../../src/text/sites.ts'
import { codePoint } from '../../support/code-points.ts'

interface Row {
  readonly section: string
  readonly text: string
  /** `platform:key`, `*:key` on any platform, or `-` for no owner. */
  readonly answer: string
}

function readRows(): Row[] {
  let section = ''
  return readFileSync(join(import.meta.dirname, 'addresses.tsv'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) section = line.slice(2)
      const [text, answer] = line.split('\t')
      return text === undefined || answer === undefined ? [] : [{ section, text, answer }]
    })
}

const rows = readRows()
/** A host and what is below it. */
const addressShape = /^(?:https?:)?\/\/.|^[a-z0-9.-]+\.[a-z]+\//i

function written({ platform, key }: HandleQuery): string {
  return platform === nowhere ? '-' : `${platform ?? '*'}:${key}`
}

/** The platform and the key of an answer; none where it is of any platform, or nobody. */
function partsOf({ answer }: Row): { platform: string; key: string } | undefined {
  const colon = answer.indexOf(':')
  const platform = answer.slice(0, Math.max(colon, 0))
  return platform === '' || platform === '*'
    ? undefined
    : { platform, key: answer.slice(colon + 1) }
}

describe('the table of addresses', () => {
  it.each([...new Set(rows.map(({ section }) => section))])('holds of %s', (section) => {
    const wrong = rows
      .filter((row) => row.section === section && written(parseHandle(row.text)) !== row.answer)
      .map(({ text, answer }) => ({ text, answer, read: written(parseHandle(text)) }))
    expect(wrong).toEqual([])
  })

  it('has at least 600 rows, and each of them once', () => {
    expect(rows.length).toBeGreaterThan(600)
    const texts = rows.map(({ text }) => text)
    expect(texts.filter((text, place) => texts.indexOf(text) !== place)).toEqual([])
  })

  it('has every platform, each by an address, and with something that is nobody’s there', () => {
    const addresses = rows.filter(({ text }) => addressShape.test(text))
    const known = new Set(addresses.map((row) => partsOf(row)?.platform))
    expect(platforms.filter((platform) => !known.has(platform))).toEqual([])
    const counts = new Map<string, { owned: number; nobody: number }>()
    for (const { section, answer } of rows) {
      const count = counts.get(section) ?? { owned: 0, nobody: 0 }
      if (answer === '-') count.nobody += 1
      else count.owned += 1
      counts.set(section, count)
    }
    const oneSided = [...counts].filter(([, { owned, nobody }]) => owned === 0 || nobody === 0)
    expect(oneSided.map(([section]) => section)).toEqual([
      'plain handles, on whatever platform they are',
      'platforms that nobody knows',
    ])
  })

  it('is of records, too: an address is the handle that a query for it finds', () => {
    const owned = rows.flatMap((row) => {
      const parts = partsOf(row)
      return parts !== undefined && addressShape.test(row.text) ? [{ ...row, ...parts }] : []
    })
    expect(owned.length).toBeGreaterThan(400)
    for (const { text, platform, key } of owned) {
      // The profile on Bluesky of an account that is named by a DID, or bridged.
      const on = platform === 'did' || text.includes('brid.gy') ? 'bluesky' : platform
      expect({ text, ...readHandle(on, text).handle }).toMatchObject({ text, platform, key })
    }
  })

  it('is of records, too: an address of nobody is refused on every platform', () => {
    const nobodys = rows.filter(({ text, answer }) => answer === '-' && addressShape.test(text))
    expect(nobodys.length).toBeGreaterThan(300)
    for (const { text } of nobodys) {
      const taking = platforms.filter((platform) => readHandle(platform, text).handle !== undefined)
      expect({ text, taking }).toEqual({ text, taking: [] })
    }
  })

  it('has answers that can be asked for in their turn', () => {
    for (const row of rows) {
      const parts = partsOf(row)
      if (parts !== undefined) expect(written(parseHandle(row.answer))).toBe(row.answer)
    }
  })
})

/** What addresses are made of, in any order. */
const pieces = [
  ...'https:// http: // / @ : . % %4 %2f ? # #!/ x.com www. m. github.com mastodon.social'.split(
    ' ',
  ),
  ...'did: plc: acct: 0000-0002-1694-233X UCGydnnhsUZqFBscmcWcT-zQ q42 - _ channel in'.split(' '),
  ...'user users profile.php?id= 1 ann É 王'.split(' '),
  ...[' ', 'isni ', '0000 0001 2103 2683', '\u200b', '\ud800'],
]
const messy = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: codePoint, maxLength: 256 }),
)

describe('any text', () => {
  it('means one handle, also with space around it, and that handle means itself', () => {
    fc.assert(
      fc.property(messy, (text) => {
        const query = parseHandle(text)
        const { platform, key } = query
        expect(parseHandle(` ${text}\t`)).toEqual(query)
        if (platform === undefined || platform === nowhere) return
        expect({ text, again: parseHandle(`${platform}:${key}`) }).toEqual({ text, again: query })
      }),
      { numRuns: 5_000 },
    )
  })

  it('that a record has for a handle is found under the platform and that text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...platforms, 'unheard'), messy, (platform, text) => {
        const { handle } = readHandle(platform, text)
        if (handle === undefined || handle.key === '') return
        const asked = parseHandle(`${handle.platform}:${handle.key}`)
        expect({ text, ...asked }).toEqual({ text, platform: handle.platform, key: handle.key })
      }),
      { numRuns: 5_000 },
    )
  })

  it('costs no more than its length, however it is made to mislead', () => {
    const length = 1 << 16
    const repeated = pieces.concat('a', 'a.', 'a-', '-1', '1-', '1.', 'a@', 'x.com/', '@a/', 'a:')
    for (const piece of repeated) {
      const body = piece.repeat(length / piece.length)
      for (const text of [body, `https://${body}`, `${body}/`, `x.com/${body}`, `${body}!`]) {
        // Whatever takes more steps than it has characters would not come back from any of these.
        expect(parseHandle(text).key.length).toBeLessThanOrEqual(2 * text.length)
      }
      expect(parseHandle(`https://facebook.com/${body}`).platform).toBeDefined()
    }
  })
})
