/** How values of JSON and MessagePack are read: days and times against zod, objects against what they must hold. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  anyText,
  dictionary,
  exactly,
  formed,
  ifThere,
  isIsoDay,
  isIsoTime,
  naturalNumber,
  nullable,
  objectOf,
  positiveNumber,
  readList,
  readWith,
  utcTime,
} from '../../../src/reading/readers.ts'

const digit = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((number) => String(number).padStart(2, '0'))
const day = fc
  .tuple(fc.integer({ min: 0, max: 9_999 }), digit(0, 13), digit(0, 32))
  .map(([year, month, date]) => `${String(year).padStart(4, '0')}-${month}-${date}`)
const leapDay = fc
  .integer({ min: 0, max: 9_999 })
  .map((year) => `${String(year).padStart(4, '0')}-02-29`)
const second = fc.oneof(
  fc.constant(''),
  digit(0, 61).map((each) => `:${each}`),
)
const fraction = fc.constantFrom('', '.', '.5', '.123456789')
const zone = fc.oneof(
  fc.constantFrom('', 'Z', 'z', '+0100', '+01'),
  fc
    .tuple(fc.constantFrom('+', '-'), digit(0, 25), digit(0, 61))
    .map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
)
const hour = fc
  .tuple(digit(0, 25), digit(0, 61), second, fraction, zone)
  .map(([hours, minutes, ...rest]) => `${hours}:${minutes}${rest.join('')}`)
const written = fc
  .tuple(
    fc.oneof(day, leapDay),
    fc.constantFrom('', 'T', ' ', 't'),
    fc.oneof(hour, fc.constant('')),
  )
  .map((parts) => parts.join(''))

describe('days and times of ISO 8601', () => {
  const zodTime = z.regexes.datetime({ offset: true })

  it('are those that zod takes', () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(isIsoDay(text)).toBe(z.regexes.date.test(text))
        expect(isIsoTime(text)).toBe(zodTime.test(text))
        expect(readWith(utcTime, text).faults === undefined).toBe(
          z.iso.datetime().safeParse(text).success,
        )
      }),
      { numRuns: 5_000 },
    )
  })

  it.each(['2026-02-30', '2026-13-01', '1900-02-29', '2026-1-1', '+002026-01-01', ''])(
    'refuse %s as a day',
    (text) => expect(isIsoDay(text)).toBe(false),
  )
})

describe('an object', () => {
  const reader = {
    kind: exactly('file', 'is no file'),
    id: formed(/^[0-9a-f]{4}$/),
    parent: nullable(formed(/^[0-9a-f]{4}$/)),
    count: naturalNumber,
    place: positiveNumber,
    sizes: dictionary(naturalNumber),
    names: readList(anyText),
    note: ifThere(anyText),
  }
  const good = {
    kind: 'file',
    id: '00ff',
    parent: null,
    count: 0,
    place: 1,
    sizes: { a: 1 },
    names: ['x'],
  }

  function faultsOf(json: unknown): string[] {
    const { faults = [] } = readWith(objectOf(reader), json)
    return faults.map(({ path, reason }) => `${path.join('.')}: ${reason}`)
  }

  it('is read in the order of its readers, without what it may hold beside them', () => {
    const mixed = { other: 1, ...Object.fromEntries(Object.entries(good).reverse()) }
    const { value } = readWith(objectOf(reader), mixed)
    expect(JSON.stringify(value)).toBe(JSON.stringify(good))
  })

  it.each([
    ['another kind', { kind: 'folder' }, 'kind: is no file'],
    ['a text of another form', { id: '00FF' }, 'id: must be of the form ^[0-9a-f]{4}$'],
    ['a number for a text or null', { parent: 4 }, 'parent: must be a text'],
    ['a missing member', { count: undefined }, 'count: is missing'],
    ['a fraction', { count: 0.5 }, 'count: must be a whole number'],
    ['a large number', { count: 2 ** 53 }, `count: must be at most ${Number.MAX_SAFE_INTEGER}`],
    ['a negative number', { count: -1 }, 'count: must be at least 0'],
    ['no place', { place: 0 }, 'place: must be at least 1'],
    ['a list for names', { sizes: [1] }, 'sizes: must be an object'],
    ['a wrong size', { sizes: { a: 1, b: '2' } }, 'sizes.b: must be a number'],
    ['a wrong name', { names: ['x', null] }, 'names.1: must be a text'],
    ['null for what may be missing', { note: null }, 'note: must be a text'],
  ])('is refused with %s', (_, change, fault) => {
    expect(faultsOf({ ...good, ...change })).toEqual([fault])
  })

  it.each([undefined, null, 'file', [good]])('is no %j', (json) => {
    expect(faultsOf(json)[0]).toBe(json === undefined ? ': is missing' : ': must be an object')
  })
})
