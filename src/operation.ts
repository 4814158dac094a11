/** The shape of the rows of `operations.ts`: an operation of the service, of each kind. */

export interface Operation {
  /** All methods that it answers; any other is 405. */
  readonly methods: readonly [string, ...string[]]
  /** Every published form; messages and documents use the first. `{id}` is the parameter `id`. */
  readonly paths: readonly [string, ...string[]]
  readonly scope: 'account' | 'open'
  readonly id: string
  readonly summary: string
  readonly text: string
}

export interface OpenReply {
  readonly text: string
  readonly type: string
  /** The name of the schema of its JSON, if that is more than an object. */
  readonly schema?: string
  /** Whether it is the same for every client, so that it has an ETag, a 304, and encodings. */
  readonly isReady?: boolean
}

export interface OpenOperation extends Operation {
  readonly scope: 'open'
  /** Whether its requests are limited by address. */
  readonly isLimited?: boolean
  readonly replies: Readonly<Record<number, OpenReply>>
}

/** The shape of an answer's items: see `src/api/operations/items.ts`. */
export type ItemName =
  | 'summary'
  | 'profile'
  | 'match'
  | 'source'
  | 'snapshot'
  | 'snapshotPage'
  | 'change'
  | 'moment'
  | 'suggestion'
  | 'topic'

interface Price {
  readonly defaultMicroUsd: number
  /** The unit of the price: a request, or each value of the first parameter or member. */
  readonly each: 'request' | 'value'
  readonly help: string
}

/** Formats of the answers of tools: the main fields only, or all of them. */
export const answerFormats = ['concise', 'detailed'] as const

export type AnswerFormat = (typeof answerFormats)[number]

/** An operation as a tool of the Model Context Protocol; written for a model that must choose. */
export interface ToolWords {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The value of `explain` in its request if the model does not ask for explanations. */
  readonly explainUnasked?: 'query'
  /** Parameters that a request must have and a call may leave out. */
  readonly optional?: readonly string[]
  /** The default format; absent if the tool has only one. */
  readonly format?: AnswerFormat
}

export interface Route extends Operation {
  readonly scope: 'account'
  readonly price: Price
  readonly item: ItemName
  /** Whether the body of an answer carries `request_id`. */
  readonly requestIdInBody: boolean
  /** Whether an answer names the way in which it was found (`X-Search-Way`). */
  readonly saysWay: boolean
  /** The source of its answers: the people of the catalog, or the changes between snapshots. */
  readonly about: 'people' | 'changes'
  /** The answers that are pages of a list: those to requests with a cursor, or all. */
  readonly pages?: 'asked' | 'always'
  /** The route whose price the caller must be able to pay while this one is free; absent if it is free to all. */
  readonly freeWith?: 'search'
  readonly tool?: ToolWords
}
