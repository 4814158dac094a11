/** The tools of the operations: the text of each answer, one line a person wherever that is enough, and its fields. */
import { withoutKeys } from '../../ledger/books/key.ts'
import type { AnswerFormat } from '../../operation.ts'
import type { ToolRouteName } from '../../operations.ts'
import { parseHandle } from '../../text/handle.ts'
import type { ToolInput } from '../schemas/tool-inputs.ts'
import type { Explanation, Item, UnderstoodInJson } from './items.ts'
import { unknownReasons } from './rank.ts'

interface AnswerText {
  readonly text: string
  /** Members of the result that say what the text says beside the items: some clients show one of both. */
  readonly more?: Readonly<Record<string, unknown>>
}

export interface ToolAnswer<R extends ToolRouteName> {
  readonly input: ToolInput<R>
  /** Concise if the requested details are too long. */
  readonly format: AnswerFormat
  readonly query?: UnderstoodInJson | undefined
  readonly all: readonly Item<R>[]
  /** The listed items in words if the model has named their fields. */
  readonly chosen: string | undefined
}

export interface Tool<R extends ToolRouteName> {
  /** @param items those to list, or the first of them if more would be too long. */
  read(items: readonly Item<R>[], answer: ToolAnswer<R>): AnswerText
  /** The fields of a concise result: those that its text says. */
  readonly conciseFields: readonly string[]
  /** Where a concise item is not some of its fields. */
  concise?(item: Item<R>): Readonly<Record<string, unknown>> | undefined
  /** The way to what a result left out: page by page, by the rest of the values, or a narrower request. */
  readonly rest: 'pages' | 'values' | 'narrower'
  /** Whether an item is summed up with others instead of listed. */
  isGrouped?(item: Item<R>): boolean
}

export const tools: { readonly [R in ToolRouteName]: Tool<R> } = {
  search: {
    conciseFields: ['sdu', 'name', 'rank', 'country_name', 'topic', 'explanation'],
    rest: 'pages',
    read: (items, { input: { query: text }, query, all, chosen }) => {
      if (all.length > 0) {
        const head = understoodLine(query)
        return {
          text: withHead(head, chosen ?? rankedLines(items)),
          more: head === '' ? {} : { query },
        }
      }
      const ways =
        'Try a topic or a country by its usual name, a name as its owner writes it, or fewer words; ' +
        'for an account use match_handle'
      return {
        text: `No authority found for "${text}". ${ways}.${nearLine(query)}`,
        more: { query, hint: ways },
      }
    },
  },
  detail: {
    conciseFields: ['sdu', 'name', 'country', 'topics', 'authority_score', 'explanation'],
    rest: 'values',
    read: (items, { input: { sdus }, format, all, chosen }) => {
      const known = new Set(all.map(({ sdu }) => sdu))
      const unknown = sdus.filter((sdu) => !known.has(sdu))
      const missing = unknown.length === 0 ? '' : `No authority has SDU ${someOf(unknown)}`
      if (all.length > 0) {
        const profiles = () =>
          format === 'concise'
            ? items.map(profileLine).join('\n')
            : items.map(profileText).join('\n\n')
        return { text: withNote(chosen ?? profiles(), missing), more: unknownOf(unknown) }
      }
      const way = 'SDUs come from search_authorities, match_handle and find_peers'
      return { text: `${missing}; ${way}.`, more: unknownOf(unknown, way) }
    },
  },
  peers: {
    conciseFields: ['sdu', 'name', 'rank', 'country_name', 'topic', 'explanation'],
    rest: 'pages',
    read: (items, { input: { handles }, all, chosen }) =>
      all.length === 0
        ? {
            text: `No authority is known to be connected with ${someOf(handles)}.`,
            more: unknownOf(handles),
          }
        : { text: chosen ?? rankedLines(items) },
  },
  match: {
    conciseFields: ['sdu', 'name', 'rank', 'country_name', 'topic', 'handle', 'explanation'],
    rest: 'values',
    read: (items, { input: { handles }, all, chosen }) => {
      const owned = new Set(all.map((item) => identityOf(item.handle ?? handles[0]!)))
      const unowned = handles.filter((handle) => !owned.has(identityOf(handle)))
      const missing = unowned.length === 0 ? '' : `No authority owns ${someOf(unowned)}`
      if (all.length > 0) {
        const text = chosen ?? items.map(matchLine).join('\n')
        return { text: withNote(text, missing), more: unknownOf(unowned) }
      }
      const way = "try search_authorities with the person's name"
      return { text: `${missing}; ${way}.`, more: unknownOf(unowned, way) }
    },
  },
  rank: {
    conciseFields: ['source', 'sdu', 'name', 'authority_score', 'rank', 'topic'],
    rest: 'values',
    isGrouped: ({ sdu }) => sdu === null,
    read: (items, { all }) => {
      const groups = groupsOf(all.filter(({ sdu }) => sdu === null))
      const parts = [sourceLines(items), ...groups.map(groupLine)]
      return {
        text: parts.filter((part) => part !== '').join('\n\n'),
        more: groups.length === 0 ? {} : { unknown: groups },
      }
    },
  },
  changes: {
    conciseFields: ['type', 'sdu', 'topic', 'before', 'after'],
    concise: ({ type, sdu, before, after }) =>
      isOfPerson(type) ? { type, sdu, name: nameIn(after) ?? nameIn(before) ?? null } : undefined,
    rest: 'narrower',
    read: (items, { all }) => {
      if (all.length === 0) {
        const hint = 'Nothing of this kind has changed.'
        return { text: hint, more: { hint } }
      }
      const counts = countsOf(all)
      return { text: withNote(items.map(changeLine).join('\n'), inWords(counts)), more: { counts } }
    },
  },
  history: {
    conciseFields: ['sdu', 'at', 'topic', 'rank', 'authority_score'],
    rest: 'narrower',
    read: (items, { input: { sdus }, all }) =>
      all.length === 0
        ? { text: `No history is known of SDU ${someOf(sdus)}.`, more: unknownOf(sdus) }
        : { text: items.map(momentLine).join('\n') },
  },
}

const namesMax = 20

function someOf(names: readonly string[]): string {
  const more = names.length - namesMax
  return more > 0 ? `${names.slice(0, namesMax).join(', ')} and ${more} more` : names.join(', ')
}

/** Values that are not known, as far as a text names them, and the way to known ones. */
function unknownOf(values: readonly string[], hint?: string): Readonly<Record<string, unknown>> {
  if (values.length === 0) return {}
  const more = values.length - namesMax
  return {
    unknown: values.slice(0, namesMax),
    ...(more > 0 && { unknown_more: more }),
    ...(hint !== undefined && { hint }),
  }
}

/** `1. David Wood (Rust, Germany), SDU 489…` for each, in order. */
function rankedLines(items: readonly Item<'search'>[]): string {
  return items.map((item) => `${item.rank}. ${personOf(item)}${reasonOf(item)}`).join('\n')
}

/** '' without an explanation. */
export function reasonOf({
  explanation,
}: {
  readonly explanation?: Explanation | undefined
}): string {
  return explanation === undefined ? '' : `. ${explanation.sentence}`
}

function personOf({ name, topic, country_name: country, sdu }: Item<'search'>): string {
  return `${name} (${country === '' ? topic : `${topic}, ${country}`}), SDU ${sdu}`
}

function withNote(text: string, note: string): string {
  return note === '' ? text : `${text}\n\n${note}.`
}

function withHead(head: string, text: string): string {
  return head === '' ? text : `${head}\n\n${text}`
}

/** The line above people who were found by another text than the requested one; or ''. */
function understoodLine(understood: UnderstoodInJson | undefined): string {
  if (understood === undefined) return ''
  const { way, words, corrected, topics } = understood
  if (way === 'likely-topic') return `No exact match; showing the topic ${topics.join(', ')}.`
  if (way === 'related') return `No topic of that name; showing ${topics.join(', ')}.`
  if (way !== 'corrected') return ''
  const better = new Map(corrected.map(({ from, to }) => [from, to]))
  return `No exact match; showing '${words.map((word) => better.get(word) ?? word).join(' ')}'.`
}

function nearLine(understood: UnderstoodInJson | undefined): string {
  const { topics = [], names = [] } = understood?.suggestions ?? {}
  const parts = [
    topics.length === 0 ? '' : `Topics that are near: ${topics.join(', ')}.`,
    names.length === 0 ? '' : `Names that are near: ${names.join(', ')}.`,
  ]
  return parts.map((part) => (part === '' ? '' : ` ${part}`)).join('')
}

/** Characters of a biography that the text repeats; the structured content holds all of it. */
const bioCharactersMax = 400

const topicsMax = 3

/** `Ann Other, SDU 7, authority score 61 (Rust, Compilers; France)`, with three topics at most. */
function profileLine(profile: Item<'detail'>): string {
  const { name, sdu, authority_score: score, country, topics } = profile
  const known = [topics.slice(0, topicsMax).join(', '), country].filter((part) => part !== '')
  return `${name}, SDU ${sdu}, authority score ${score} (${known.join('; ')})${reasonOf(profile)}`
}

function profileText(profile: Item<'detail'>): string {
  const { name, sdu, authority_score: score, country, topics, socials, website, bio } = profile
  const accounts = Object.entries(socials).map(([platform, { handle, followers }]) =>
    followers === 0 ? `${platform} ${handle}` : `${platform} ${handle} (${followers} followers)`,
  )
  const facts = [
    `${name}, SDU ${sdu}, authority score ${score} of 100`,
    country === '' ? '' : `Country: ${country}`,
    `Topics: ${topics.join(', ')}`,
    accounts.length === 0 ? '' : `Verified accounts: ${accounts.join(', ')}`,
    website === null ? '' : `Website: ${website}`,
    bio === '' ? '' : `Bio: ${JSON.stringify(startOf(bio, bioCharactersMax))}`,
    profile.explanation?.sentence ?? '',
    proofText(profile.explanation?.sources ?? []),
  ]
  return facts.filter((fact) => fact !== '').join('\n')
}

/** `Known to be theirs: the person by register (2026-11-01), github ann by rel=me`; '' if no record says. */
function proofText(sources: Explanation['sources']): string {
  const proofs = sources.flatMap(({ verified_by: by, verified_at: at, handles = [] }) => [
    ...(by === undefined ? [] : [`the person by ${by}${dateOf(at ?? null)}`]),
    ...handles.map(
      ({ platform, handle, ...proof }) =>
        `${platform} ${handle} by ${proof.verified_by}${dateOf(proof.verified_at)}`,
    ),
  ])
  return proofs.length === 0 ? '' : `Known to be theirs: ${proofs.join(', ')}`
}

function dateOf(at: string | null): string {
  return at === null ? '' : ` (${at})`
}

export function startOf(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const characters = [...text]
  if (characters.length <= charactersMax) return text
  return `${characters.slice(0, charactersMax).join('')}…`
}

/** The identity that all spellings of one handle share. */
function identityOf(handle: string): string {
  const { platform, key } = parseHandle(handle)
  return `${platform ?? ''}:${key}`
}

/** `@ann: owned by Ann Other (France), SDU 7, rank 3 in Rust`. */
function matchLine(item: Item<'match'>): string {
  const { handle, name, country_name: country, sdu, rank, topic } = item
  const owner = country === '' ? name : `${name} (${country})`
  return `${handle}: owned by ${owner}, SDU ${sdu}, rank ${rank} in ${topic}${reasonOf(item)}`
}

/** `1. https://x.com/ann: Ann Other, score 61, rank 3 in Rust, SDU 7` for each source. */
function sourceLines(items: readonly Item<'rank'>[]): string {
  return items.map((item, index) => `${index + 1}. ${item.source}: ${publisherOf(item)}`).join('\n')
}

function publisherOf({ name, sdu, authority_score: score, rank, topic }: Item<'rank'>): string {
  const place = rank === null ? `not ranked in ${topic}` : `rank ${rank} in ${topic}`
  return `${name}, score ${score}, ${place}, SDU ${sdu}`
}

interface Group {
  readonly reason: keyof typeof unknownReasons
  readonly why: string
  readonly count: number
  /** The first of them, in the order of the request. */
  readonly sources: readonly string[]
}

/** Sources and characters of each that a group repeats: the caller has all of them. */
const sourcesMax = 10
const charactersMax = 80

function groupsOf(items: readonly Item<'rank'>[]): Group[] {
  const reasons = [...new Set(items.map(({ reason }) => reason))]
  return reasons.map((reason) => {
    const sources = items.filter((item) => item.reason === reason).map(({ source }) => source ?? '')
    return {
      reason: reason!,
      why: unknownReasons[reason!],
      count: sources.length,
      sources: sources.slice(0, sourcesMax).map(startOfSource),
    }
  })
}

/** Without a key, which would not be known as one behind a cut. */
function startOfSource(source: string): string {
  return withoutKeys(source).slice(0, charactersMax)
}

function groupLine({ why, count, sources }: Group): string {
  const more = count > sources.length ? ` and ${count - sources.length} more` : ''
  return `No known author (${count}; ${why}): ${sources.join(', ')}${more}`
}

/** Whether a change is of a whole person, whose profile is too long for a line. */
function isOfPerson(type: Item<'changes'>['type']): boolean {
  return type === 'added' || type === 'removed' || type === 'merged'
}

/** `SDU 7: rank in Rust 3 → 2`, `SDU 8: added, Ann Other`. */
function changeLine({ type, sdu, topic, before, after }: Item<'changes'>): string {
  const name = nameIn(after) ?? nameIn(before)
  if (isOfPerson(type)) {
    return `SDU ${sdu}: ${type}${name === undefined ? '' : `, ${name}`}`
  }
  const what = topic === null ? type.replace('_', ' ') : `${type} in ${topic}`
  return `SDU ${sdu}: ${what} ${valueText(before)} → ${valueText(after)}`
}

function nameIn(value: Item<'changes'>['after']): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return typeof value.name === 'string' ? value.name : undefined
}

const valueCharactersMax = 100

function valueText(value: Item<'changes'>['after']): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === 'null' ? 'none' : text.slice(0, valueCharactersMax)
}

interface Counts {
  readonly changes: number
  readonly people: number
  readonly types: Readonly<Record<string, number>>
}

function countsOf(items: readonly Item<'changes'>[]): Counts {
  const types = new Map<string, number>()
  for (const { type } of items) types.set(type, (types.get(type) ?? 0) + 1)
  const people = new Set(items.map(({ sdu }) => sdu)).size
  return { changes: items.length, people, types: Object.fromEntries(types) }
}

/** `Changes on this page: 12, of people: 5 (added 1, rank 11)`. */
function inWords({ changes, people, types }: Counts): string {
  const parts = Object.entries(types).map(([type, count]) => `${type} ${count}`)
  return `Changes on this page: ${changes}, of people: ${people} (${parts.join(', ')})`
}

/** `SDU 7 since 2026-11-01: rank 3 in Rust, authority score 61`. */
function momentLine({ sdu, at, topic, rank, authority_score: score }: Item<'history'>): string {
  const since = at === null ? 'from the oldest known snapshot on' : `since ${at.slice(0, 10)}`
  if (score === null) return `SDU ${sdu} ${since}: not in the index`
  const place = rank === null ? 'not among the first 50' : `rank ${rank}`
  return `SDU ${sdu} ${since}: ${place}${topic === null ? '' : ` in ${topic}`}, authority score ${score}`
}
