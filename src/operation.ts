/** The shape of the rows of `operations.ts`: an operation of the service, of each kind. */
import type { MemberName } from './request-bodies.ts'
import type { ParameterName } from './request-parameters.ts'

/** What every operation has. */
export interface Operation {
  /** All that it answers; any other method is 405. */
  readonly methods: readonly [string, ...string[]]
  /** Every published form; messages and documents use the first. `{id}` is the parameter `id`. */
  readonly paths: readonly [string, ...string[]]
  /** Whether a request needs the key of an account, or none. */
  readonly scope: 'account' | 'open'
  /** Its `operationId` in OpenAPI. */
  readonly id: string
  readonly summary: string
  readonly text: string
}

/** What an operation that needs no key replies with, in one status. */
export interface OpenReply {
  readonly text: string
  readonly type: string
  /** The name of the schema of its JSON, where that is more than an object. */
  readonly schema?: string
  /** Whether it is the same for everybody, so that it has an ETag, a 304, and encodings. */
  readonly isReady?: boolean
}

/** An operation that needs no key. */
export interface OpenOperation extends Operation {
  readonly scope: 'open'
  /** Whether an address may ask only so often. */
  readonly isLimited?: boolean
  /** By status. */
  readonly replies: Readonly<Record<number, OpenReply>>
}

/** The shape of an answer's items: see `src/api/operations/described.ts`. */
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

/** What a query on a route costs, unless a setting says otherwise. */
interface Price {
  readonly defaultMicroUsd: number
  /** The unit of the price: a request, or each value of the first parameter or member. */
  readonly each: 'request' | 'value'
  readonly help: string
}

/** How a tool answers: in as few words as will do, or with all there is. */
export const answerFormats = ['concise', 'detailed'] as const

/** One of `answerFormats`. */
export type AnswerFormat = (typeof answerFormats)[number]

/** An operation as a tool of the Model Context Protocol; written for a model that must choose. */
export interface ToolWords {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What it asks for with `explain` where the model does not ask for explanations. */
  readonly explainUnasked?: 'query'
  /** Parameters that a request must have and a call may leave out. */
  readonly optional?: readonly ParameterName[]
  /** How it answers where the model does not say; absent where it answers in one way only. */
  readonly format?: AnswerFormat
}

/** An operation that answers queries: it has parameters, a price, and perhaps a tool that asks it. */
export interface Route extends Operation {
  readonly scope: 'account'
  /** Of a GET, the main one first; none where there is no GET. */
  readonly parameters: readonly ParameterName[]
  /** Those of them that a request may leave out here, though elsewhere it may not. */
  readonly optional?: readonly ParameterName[]
  /** What clients of the published interface send to every route, and this one does not need. */
  readonly passesOver?: readonly string[]
  /** What the JSON of a POST holds, the main member first; absent where there is no POST. */
  readonly body?: readonly [MemberName, ...MemberName[]]
  readonly price: Price
  readonly item: ItemName
  /** Whether the body of an answer carries `request_id`. */
  readonly requestIdInBody: boolean
  /** Whether an answer says which way found it (`X-Search-Way`). */
  readonly saysWay: boolean
  /** What its answers are made from: the people of the catalog, or the changes between snapshots. */
  readonly about: 'people' | 'changes'
  /** Whether an answer is a page of a list: where a cursor asks for one, or always. */
  readonly pages?: 'asked' | 'always'
  /** Which limit of the account counts its requests: that of queries unless it says otherwise. */
  readonly limitedAs?: 'lookup'
  readonly tool?: ToolWords
}
