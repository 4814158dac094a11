/**
 * Query strings of every operation, made from the table of operations, so that a new parameter is
 * asked as soon as it stands there. `faults` says how often something is wrong: each part is chosen
 * apart, so that a request has several faults at once and the order of refusals shows.
 */
import fc from 'fast-check'
import { type Field, parametersOf } from '../../../src/api/schemas/inputs.ts'
import type { RouteName } from '../../../src/operations.ts'
import { encoding, nameSpelling, wrongValues } from './spellings.ts'
import texts from './texts.json' with { type: 'json' }
import { goodValues } from './values.ts'
import type { Vocabulary } from './vocabulary.ts'

/** How often a part of a request is wrong: weight of the wrong beside 40 of the right. */
export type Faults = number

/** Separators of the values of a list; `&` repeats the parameter. */
const separators = [',', ',', ',', ',', '&', '&', ',+', ',,', '%20,']

function parameterText(field: Field, words: Vocabulary, faults: Faults): fc.Arbitrary<string> {
  const { spellings } = field
  const values = fc
    .tuple(goodValues(words, field), encoding, fc.constantFrom(...separators))
    .map(([list, encode, separator]) => ({ list: list.map(encode), separator }))
  const text = fc
    .tuple(values, nameSpelling(spellings, faults), fc.constantFrom(...spellings))
    .map(([{ list, separator }, spelling, other]) =>
      separator === '&'
        ? list.map((value, index) => `${index === 0 ? spelling : other}=${value}`).join('&')
        : `${spelling}=${list.join(separator)}`,
    )
  const wrong = fc
    .tuple(nameSpelling(spellings, faults), fc.constantFrom(...wrongValues), fc.nat(9))
    .map(([spelling, value, bare]) => (bare === 0 ? spelling : `${spelling}=${value}`))
  const twice = fc.tuple(text, text).map((both) => both.join('&'))
  return fc.oneof(
    { weight: 40, arbitrary: text },
    { weight: faults, arbitrary: wrong },
    { weight: (faults + 3) >> 2, arbitrary: twice },
  )
}

/** The query strings of a route, of which most have few of the optional parameters. */
export function queryString(
  route: RouteName,
  words: Vocabulary,
  faults: Faults,
): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 1, arbitrary: queryStringWith(80, route, words, faults) },
    { weight: 1, arbitrary: queryStringWith(600, route, words, faults) },
  )
}

/** @param absent weight of an optional parameter's absence beside 40 of its presence. */
function queryStringWith(
  absent: number,
  route: RouteName,
  words: Vocabulary,
  faults: Faults,
): fc.Arbitrary<string> {
  const asked = parametersOf(route).filter(({ name }) => name !== 'id')
  const parts = asked.map((field) => {
    const rare = field.name === 'limit' ? 40 : absent
    const missing = field.isRequired ? (faults + 1) >> 1 : rare
    return fc.oneof(
      { weight: missing, arbitrary: fc.constant(undefined) },
      { weight: 40, arbitrary: parameterText(field, words, faults) },
    )
  })
  const stranger = fc.oneof(
    { weight: 60, arbitrary: fc.constant(undefined) },
    { weight: faults, arbitrary: fc.constantFrom(...texts.strangers) },
  )
  return fc.tuple(fc.tuple(...parts), stranger, fc.nat(11)).map(([given, extra, turn]) => {
    const texts = given.filter((text) => text !== undefined)
    // The order of parameters is seldom that of the table.
    if (turn < 4 && texts.length > 1) texts.push(...texts.splice(0, 1 + (turn % texts.length)))
    if (extra !== undefined) texts.splice(turn % (texts.length + 1), 0, extra)
    return texts.join('&')
  })
}
