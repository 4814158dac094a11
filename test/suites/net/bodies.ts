/**
 * JSON bodies of the operations that take one, made from the table of their members: good ones in
 * several spellings, and malformed ones.
 */
import fc from 'fast-check'
import { type Field, membersOf } from '../../../src/api/schemas/inputs.ts'
import type { RouteName } from '../../../src/operations.ts'
import type { Faults } from './query-strings.ts'
import { latin1 } from './spellings.ts'
import texts from './texts.json' with { type: 'json' }
import { goodValues, jsonValue } from './values.ts'
import type { Vocabulary } from './vocabulary.ts'

interface TypedBody {
  readonly type: string | undefined
  readonly body: string
}

/** Mostly short lists, some of up to 200 values, in which values repeat. */
function goodMember(words: Vocabulary, member: Field): fc.Arbitrary<unknown> {
  const values = goodValues(words, member)
  const long = fc.array(values, { minLength: 1, maxLength: 5 }).map((lists) => lists.flat())
  const list = fc.oneof({ weight: 6, arbitrary: values }, { weight: 1, arbitrary: long })
  return list.map((each) => jsonValue(member, each))
}

const wrongMembers: readonly unknown[] = [
  ...texts.wrongMembers,
  ['\ud800'],
  ...[['a'.repeat(300)], ['9'.repeat(33)], ['a'.repeat(2_001)], 'a'.repeat(257)],
  Array.from({ length: 1_001 }, (_, index) => String(index)),
]

const wrongTexts = [...texts.wrongBodies, `{"handles":["${'a'.repeat(262_144)}"]}`]

const types = [
  undefined,
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json;charset=latin1',
  'application/jsonp',
  'text/plain',
  'application/x-www-form-urlencoded',
  '',
]

/** How a value is written as JSON to the same effect. */
const writers: readonly ((value: unknown) => string)[] = [
  JSON.stringify,
  JSON.stringify,
  JSON.stringify,
  (value) => JSON.stringify(value, null, 2),
  (value) => ` ${JSON.stringify(value).replaceAll(',', ' ,\t')}\n`,
  (value) => escapeAll(JSON.stringify(value)),
]

function escapeAll(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

export function typedBody(
  route: RouteName,
  words: Vocabulary,
  faults: Faults,
): fc.Arbitrary<TypedBody> {
  const taken = membersOf(route)
  const entries = (taken.length > 0 ? taken : membersOf('match').slice(0, 2)).map((member) => {
    const { name, isRequired } = member
    const absent = isRequired ? (faults + 1) >> 1 : 80
    return fc.oneof(
      { weight: absent, arbitrary: fc.constant([] as const) },
      { weight: 40, arbitrary: goodMember(words, member).map((value) => [name, value] as const) },
      {
        weight: faults,
        arbitrary: fc.constantFrom(...wrongMembers).map((value) => [name, value] as const),
      },
    )
  })
  const stranger = fc.oneof(
    { weight: 60, arbitrary: fc.constant([] as const) },
    {
      weight: faults,
      arbitrary: fc.constantFrom(
        ['handel', ['ann']] as const,
        ['x', 1] as const,
        ['', null] as const,
      ),
    },
  )
  const object = fc
    .tuple(fc.tuple(...entries), stranger, fc.nat(5), fc.constantFrom(...writers))
    .map(([given, extra, turn, write]) => {
      const all: (readonly [] | readonly [string, unknown])[] = [...given, extra]
      const pairs = all.filter((pair) => pair.length === 2)
      if (turn < 2) pairs.reverse()
      return latin1(write(Object.fromEntries(pairs)))
    })
  const body = fc.oneof(
    { weight: 40, arbitrary: object },
    { weight: faults, arbitrary: fc.constantFrom(...wrongTexts) },
  )
  const type = fc.oneof(
    { weight: 40, arbitrary: fc.constant('application/json') },
    { weight: faults, arbitrary: fc.constantFrom(...types) },
  )
  return fc.record({ type, body })
}
