/**
 * Every row of the platforms' table in every form: a drawn handle, spelled and wrapped in any way, finds its owner,
 * and no name space of a platform answers for another. The fast readings are the one reading.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HandleKeyReader } from '../../../src/engine/handle-keys.ts'
import { nowhere, parseHandle, readHandle } from '../../../src/text/handle.ts'
import { platformKeys, platformOf } from '../../../src/text/sites.ts'
import { codePoint } from '../../support/code-points.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('spellings.tsv', import.meta.url))

/** A form of a platform's addresses, to be filled with who it is. */
interface Form {
  readonly platform: string
  /** The address without its scheme, or with that of an application. */
  readonly template: string
  /** `name`, `id`, … and the name space, which is empty for most. */
  readonly shape: string
  readonly lead: string
}

const part = /\{(name|host|cased|id|leadingId|trailingId|item|pair)(?::([^}]*))?\}/

const forms: readonly Form[] = platformKeys.flatMap((platform) =>
  platformOf(platform)!.at.flatMap(({ hosts, paths }) =>
    hosts.flatMap((host) =>
      (paths.length === 0 ? ['/'] : paths).flatMap((path) => formOf(platform, host, path)),
    ),
  ),
)

function formOf(platform: string, host: string, path: string): Form[] {
  const template = `${host.replace(/:\/\/$/, ':/')}${path}`
    .replace(/^\*\./, 'de.')
    .replace('{country}', 'de')
    .replace('{locale}', 'de-de')
    .replace('{tld}', 'de')
    .replaceAll('*', 'any')
    .replace('$', '')
  const [, shape, lead = ''] = part.exec(template) ?? []
  return shape === undefined ? [] : [{ platform, template, shape, lead }]
}

/** Texts that a form may name: of any platform's own form where it has one. */
function textsOf({ platform, shape }: Form): fc.Arbitrary<string> {
  const { name, cased } = platformOf(platform)!
  if (shape === 'cased')
    return fc.stringMatching(new RegExp(cased!.source.replace('{1,100}', '{1,20}')))
  if (shape === 'pair') return fc.stringMatching(/^\d{2}\/\d{1,6}$/)
  if (shape === 'item') return fc.stringMatching(/^Q[1-9]\d{0,8}$/)
  if (shape.endsWith('Id') || shape === 'id') return fc.stringMatching(/^[1-9]\d{11}$/)
  if (platform === 'orcid') return fc.constantFrom('0000-0002-1694-233X', '0000-0002-3374-2962')
  if (platform === 'isni') return fc.constantFrom('0000000121032683')
  if (platform === 'bluesky' && shape === 'host') return fc.stringMatching(/^zq[a-z0-9]{3,9}$/)
  const own = platform === 'bluesky' ? /^zq[a-z]{3,9}\.example\.org$/ : ownForm(name)
  return fc.stringMatching(own)
}

function ownForm(name = /^zq[A-Za-z0-9]{4,9}$/): RegExp {
  const tried = [
    /^zq[A-Za-z0-9]{4,9}$/,
    /^[1-9]\d{8}$/,
    /^A[1-9]\d{6}$/,
    /^Q[1-9]\d{6}$/,
    /^nm\d{7}$/,
  ]
  const sample = ['zqAbc12', '123456789', 'A1234567', 'Q1234567', 'nm1234567']
  return tried.find((_, place) => name.test(sample[place]!)) ?? name
}

function drawnOf(from: readonly Form[]) {
  const ofForm = (form: Form) =>
    textsOf(form).map((text) => ({ form, text, address: filled(form, text) }))
  return fc.oneof(...from.map(ofForm))
}

const drawn = drawnOf(forms)

function filled({ template, shape }: Form, text: string): string {
  const written = shape === 'trailingId' ? `Ann-${text}` : text
  return template.replace(part, () => (shape === 'host' ? text : written))
}

/** The same address as others write it. */
const spelled: readonly ((address: string, form: Form) => string)[] = [
  (address) => address,
  (address, form) => (isWeb(form) ? `https://${address}` : address),
  (address, form) => (isWeb(form) ? `http://${address}` : address),
  (address, form) => (isWeb(form) ? `HTTPS://www.${address}` : address),
  (address, form) => (isWeb(form) ? `//m.${address}` : address),
  (address, form) =>
    isWeb(form) && !/[?#]/.test(address) ? `https://${address}/?utm=1#top` : address,
  (address, form) => (isWeb(form) ? encodeURIComponent(`https://${address}`) : address),
  (address, form) => (isWeb(form) ? `${form.platform}:https://${address}` : address),
]

function isWeb({ template }: Form): boolean {
  return !/^[a-z.]+:\//.test(template)
}

const wrappers: readonly ((text: string) => string)[] = [
  (text) => `&lt;${text.replaceAll('&', '&amp;')}&gt;`,
  (text) => text.replace(/[_~@.-]/g, '\\$&'),
  (text) => text,
  (text) => ` ${text}\n`,
  (text) => `[Ann](${text})`,
  (text) => `**[Ann](<${text}> "Ann")**`,
  (text) => `<${text}>`,
  (text) => `(${text}).`,
  (text) => `[${text}],`,
  (text) => `"${text}"`,
  (text) => `„${text}“`,
  (text) => `«${text}»!`,
  (text) => `『${text}』。`,
  (text) => `＂${text}＂`,
  (text) => `\`${text}\``,
  (text) => `${text};`,
  (text) => `${text}…`,
  (text) => `${text}'s`,
  (text) => `${text}’s,`,
  (text) => `\u2067${text.slice(0, 3)}\u200b${text.slice(3)}\u{e0001}`,
  (text) => text.replaceAll('-', '‑'),
]

/** Whose a form's text is. */
function ownerOf({ platform, lead, shape }: Form, text: string): { platform: string; key: string } {
  const isCased = shape === 'cased'
  const key = readHandle(platform, `${lead}${text}`).handle?.key
  if (isCased) return { platform, key: text }
  return { platform, key: lead === '' ? key! : `${lead}${text.toLowerCase()}` }
}

describe('a handle in any form of its platform', () => {
  it('is drawn from each row that has addresses', () => {
    const without = platformKeys.filter((key) => forms.every(({ platform }) => platform !== key))
    expect(without).toEqual(['mastodon', 'did'])
    expect(forms.length).toBeGreaterThan(200)
  })

  it('finds its owner, spelled and wrapped in every way', () => {
    fc.assert(
      fc.property(
        drawn,
        fc.constantFrom(...spelled),
        fc.constantFrom(...wrappers),
        ({ form, text, address }, spell, wrap) => {
          const pasted = wrap(spell(address, form))
          const owner = ownerOf(form, text)
          expect({ pasted, ...parseHandle(pasted) }).toEqual({ pasted, ...owner })
          // A record that gives the address claims the same.
          const { platform, key } = readHandle(form.platform, pasted).handle!
          expect({ pasted, platform, key }).toEqual({ pasted, ...owner })
        },
      ),
      { numRuns: 3_000 },
    )
  })

  it('finds its owner behind the name of the platform, also as a path there', () => {
    const own = forms.filter(({ platform, template }) => {
      const [host = '', ...path] = template.split('/')
      const isFirst = platformOf(platform)!.at[0]!.hosts.includes(host)
      return isFirst && path.length > 1
    })
    fc.assert(
      fc.property(drawnOf(own), fc.constantFrom(...wrappers), ({ form, text, address }, wrap) => {
        const pasted = wrap(`${form.platform}:${address.slice(address.indexOf('/') + 1)}`)
        expect({ pasted, ...parseHandle(pasted) }).toEqual({ pasted, ...ownerOf(form, text) })
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a name space of a platform', () => {
  /** Numbers and names that one platform gives to the same accounts. */
  const joined = new Set(['facebook', 'weibo', 'blogger', 'goodreads'])

  it('never answers for another', () => {
    const isApart = ({ platform, shape }: Form) =>
      !joined.has(platform) && shape !== 'host' && shape !== 'item'
    const others = (form: Form) =>
      forms.filter(
        (other) =>
          other.platform === form.platform &&
          isApart(other) &&
          (other.shape !== form.shape || other.lead !== form.lead),
      )
    const parted = forms.filter((form) => isApart(form) && others(form).length > 0)
    expect(parted.length).toBeGreaterThan(10)
    fc.assert(
      fc.property(drawnOf(parted), ({ form, text, address }) => {
        const mine = parseHandle(address)
        for (const other of others(form)) {
          const its = parseHandle(filled(other, text))
          const isSame = its.platform !== nowhere && its.key === mine.key
          expect({ address, other: other.template, isSame }).toMatchObject({ isSame: false })
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(rowsOf('accounts that are apart'))('of %s is not that of %s', (one, other) => {
    const [first, second] = [parseHandle(one), parseHandle(other)]
    expect(first.platform).not.toBe(nowhere)
    expect(second).not.toEqual(first)
  })
})

/** Texts that fast readings may take, or take wrongly. */
const hostile = fc.oneof(
  drawn.map(({ form, address }) => (isWeb(form) ? `https://${address}` : address)),
  drawn.map(({ address }) => address),
  fc.stringMatching(/^@?[\w.-]{1,24}[.,;:!?'"s)]{0,2}$/),
  fc.stringMatching(/^@?[a-zA-Z]{1,9}\.(com|io|gy|org)\.?$/),
  fc.stringMatching(
    /^(x|twitter|youtube|orcid|dblp|unheard|.x|-x|tg|at|acct): ?@?[\w./?=%-]{0,24}$/,
  ),
  fc.stringMatching(
    /^(https?:\/\/)?(x\.com|www\.youtube\.com|mastodon\.social|ann\.substack\.com|xn--a\.org)(\/[\w.@~%:+-]{0,9}){0,4}[?#&=\w.'",!-]{0,6}$/,
  ),
  fc.stringMatching(/^(UC[\w-]{22}|\d{4}-\d{4}-\d{4}-\d{3}[\dX])$/),
  fc.string({ unit: codePoint, maxLength: 30 }),
)

describe('a fast reading', () => {
  it('is the one reading', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        // What cannot be seen means nothing, but no fast reading takes it.
        expect({ text, ...parseHandle(text) }).toEqual({ text, ...parseHandle(`${text}\u200b`) })
      }),
      { numRuns: 5_000 },
    )
  })

  it('of texts and of bytes is the one reading', () => {
    const reader = new HandleKeyReader(8, 0)
    const read = () =>
      Array.from({ length: reader.count }, (_, at) => ({
        platform: reader.platforms[at],
        key: Buffer.from(reader.bytes).toString('utf8', reader.starts[at], reader.starts[at + 1]),
      }))
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 8 }), (texts) => {
        fc.pre(texts.every((text) => text !== '' && !text.includes('\n')))
        const expected = texts.map((text) => {
          const { platform, key } = parseHandle(text)
          return { platform, key: Buffer.from(key).toString() }
        })
        reader.clear()
        for (const text of texts) reader.addText(text)
        expect(read()).toEqual(expected)
        reader.clear()
        const lines = Buffer.from(texts.join('\n'))
        for (let place = 0, line = 0; line < texts.length; line += 1) {
          const end = reader.addPlain(lines, place, 10)
          if (end < 0) reader.addText(texts[line]!)
          place += Buffer.byteLength(texts[line]!) + 1
          if (end >= 0) expect(end).toBe(place - 1)
        }
        expect(read()).toEqual(expected)
      }),
      { numRuns: 1_000 },
    )
  })
})
