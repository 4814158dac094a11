/**
 * How texts are spelled in a query string: usually, unusually to the same effect, and wrongly. All
 * spellings are Latin-1 texts without spaces and line ends, so that they stand in a request line.
 */
import fc from 'fast-check'
import texts from './texts.json' with { type: 'json' }

export function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function hex(text: string, digits: (byte: string) => string): string {
  const bytes = [...Buffer.from(text)]
  return bytes.map((byte) => `%${digits(byte.toString(16).padStart(2, '0'))}`).join('')
}

const special = /[ &#%+=]/g

type Encode = (text: string) => string

const encodings: readonly { readonly weight: number; readonly encode: Encode }[] = [
  { weight: 12, encode: encodeURIComponent },
  // As most people write handles.
  { weight: 12, encode: (text) => encodeURIComponent(text).replaceAll('%40', '@') },
  { weight: 6, encode: (text) => encodeURIComponent(text).replaceAll('%20', '+') },
  // As raw as a request line may be.
  { weight: 6, encode: (text) => latin1(text).replace(special, encodeURIComponent) },
  { weight: 2, encode: (text) => hex(text, (byte) => byte.toUpperCase()) },
  { weight: 1, encode: (text) => hex(text, (byte) => byte) },
  { weight: 1, encode: (text) => `+${encodeURIComponent(text)}%20` },
  {
    weight: 1,
    encode: (text) =>
      encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()),
  },
]

export const encoding: fc.Arbitrary<Encode> = fc.oneof(
  ...encodings.map(({ weight, encode }) => ({ weight, arbitrary: fc.constant(encode) })),
)

/** Values that most parameters refuse: empty, badly encoded, too long, of another type. */
export const wrongValues: readonly string[] = [
  ...texts.wrongValues,
  ...['a'.repeat(256), 'a'.repeat(257), 'z'.repeat(2_500)],
  ...['%CC%81'.repeat(40), '%F0%9F%92%A9'.repeat(129)],
  Array.from({ length: 50 }, (_, index) => `v${index}`).join(),
  Array.from({ length: 51 }, (_, index) => index + 1).join(),
]

/** The name of a parameter: mostly as it is published, seldom with a spelling mistake. */
export function nameSpelling(spellings: readonly string[], slips: number): fc.Arbitrary<string> {
  const [first] = spellings as [string]
  const wrong = [
    first.toUpperCase(),
    first[0]!.toUpperCase() + first.slice(1),
    `${first}[]`,
    first.slice(0, -1) + first.at(-1)! + first.at(-1)!,
    first.slice(1),
    `${first[1]}${first[0]}${first.slice(2)}`,
  ]
  const encoded = `%${first.charCodeAt(0).toString(16)}${first.slice(1)}`
  return fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...spellings) },
    { weight: 1, arbitrary: fc.constantFrom(encoded, first.replaceAll('_', '%5f')) },
    { weight: slips, arbitrary: fc.constantFrom(...wrong) },
  )
}
