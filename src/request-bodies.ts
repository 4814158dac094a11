/**
 * Every member of the JSON bodies that operations take, once: its kind, and its descriptions.
 * Imports limits only.
 */
import { limits, withThousands } from './limits.ts'

/** The kind of a member, by which `src/api/parameters/bodies.ts` reads its value. */
export type MemberKind =
  | 'sdus'
  | 'handles'
  | 'sources'
  | 'topic'
  | 'fields'
  | 'explanation'
  | 'flag'

/** A member of a body. */
export interface BodyMember {
  readonly kind: MemberKind
  /** Whether a body without it is refused. */
  readonly required: boolean
  /** Its description in the API guide and OpenAPI. */
  readonly text: string
  /** Its description for a model that fills it in; absent if tools do not offer it. */
  readonly toolText?: string
  readonly example: unknown
}

const perBody = `1 to ${withThousands(limits.batchValuesMax)}, as a list of strings`

/** The members by name; the same name means the same in every body. */
export const members = {
  sdus: {
    kind: 'sdus',
    required: true,
    text: `SDUs: ${perBody}.`,
    example: ['4893387514556449885'],
  },
  handles: {
    kind: 'handles',
    required: true,
    text: `Handles, each as a GET takes it: ${perBody}.`,
    example: ['@SenCapito', 'github:davidtwco'],
  },
  sources: {
    kind: 'sources',
    required: true,
    text: `Handles, identifiers and addresses of profiles and of what people publish: ${perBody}.`,
    toolText: `The address of each source, or "platform:name" of its author.`,
    example: ['https://github.com/davidtwco', '@SenCapito', '@nobody'],
  },
  topic: {
    kind: 'topic',
    required: false,
    text: 'A topic by its label or an alias: its members come first, by their rank in it.',
    toolText: 'Puts first who ranks in this topic.',
    example: 'Rust',
  },
  fields: {
    kind: 'fields',
    required: false,
    text: 'The fields of an item that are wanted, of summary and profile; items hold no others. With `bio`, `topics`, `socials` or `website` each item with a person costs what detail costs, beside the query.',
    example: ['sdu', 'authority_score'],
  },
  explain: {
    kind: 'explanation',
    required: false,
    text: `\`true\` adds \`explanation\` to each item: what its rank is made of. For at most ${limits.explainedMax} values.`,
    example: true,
  },
  aligned: {
    kind: 'flag',
    required: false,
    text: '`true` answers one item for each value in the order of the request, `null` where there is no match. Of a rank, each item has its `position` in the order by authority.',
    example: true,
  },
  lenient: {
    kind: 'flag',
    required: false,
    text: '`true` answers an entry that is no source, and a topic that is unknown, by a `reason` in the item instead of a 400. An entry that is no source costs nothing.',
    example: true,
  },
} as const satisfies Record<string, BodyMember>

/** The name of a member. */
export type MemberName = keyof typeof members
