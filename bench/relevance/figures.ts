/**
 * What the answers of an engine are worth: the share of questions where somebody who is meant comes
 * first, the share of the first ten that could be had, the share that found nobody where nobody is
 * meant. All are better the nearer they are to 1.
 */
import { table } from '../shared/report.ts'
import { type Find, limit } from './engines.ts'
import type { Aim, Question } from './question.ts'
import type { Script } from './scripts.ts'

/** The name of the service among the engines. */
export const service = 'authority-index'

/** One kind of question over one set of records. */
export interface KindRow {
  readonly records: string
  readonly kind: string
  readonly aim: Aim
  readonly questions: number
  /** By engine, 0 to 1. */
  readonly scores: Readonly<Record<string, number>>
  /** A few questions that the service missed. */
  readonly missed: readonly string[]
}

/** Names in one script; by engine, 0 to 1. */
export interface ScriptRow {
  readonly records: string
  readonly script: Script
  readonly names: number
  readonly written: Readonly<Record<string, number>>
  readonly slipped: Readonly<Record<string, number>>
  readonly strangerFirst: Readonly<Record<string, number>>
}

/** How well an engine answers, on average, and what it missed. */
export interface Mark {
  readonly score: number
  readonly strangerFirst: number
  readonly missed: readonly string[]
}

const missedMax = 5

/** Asks an engine all questions. */
export function markOf(find: Find, aim: Aim, questions: readonly Question[]): Mark {
  let score = 0
  let strangers = 0
  const missed: string[] = []
  for (const question of questions) {
    const { text, right } = question
    const found = find(text)
    const worth = worthOf(aim, found, question)
    score += worth
    if (found.length > 0 && !right.has(found[0]!)) strangers += 1
    if (worth < 1 && missed.length < missedMax) missed.push(text)
  }
  const count = questions.length
  return { score: score / count, strangerFirst: strangers / count, missed }
}

function worthOf(aim: Aim, found: readonly number[], { right, sure }: Question): number {
  switch (aim) {
    case 'first':
      return found.length > 0 && right.has(found[0]!) ? 1 : 0
    case 'ten':
      return Math.min(1, found.filter((person) => right.has(person)).length / Math.min(limit, sure))
    case 'nobody':
      return found.length === 0 ? 1 : 0
  }
}

/** The best score of the other engines: the highest, unless less is better. */
export function bestPeer(scores: Readonly<Record<string, number>>, best = Math.max): number {
  return best(...Object.keys(scores).flatMap((name) => (name === service ? [] : scores[name]!)))
}

/** The mean over the kinds that mean somebody, by engine. */
function means(rows: readonly KindRow[]): Record<string, number> {
  const meant = rows.filter(({ aim }) => aim !== 'nobody')
  const names = Object.keys(rows[0]?.scores ?? {})
  return Object.fromEntries(
    names.map((name) => [
      name,
      meant.reduce((sum, { scores }) => sum + scores[name]!, 0) / meant.length,
    ]),
  )
}

const aims: Readonly<Record<Aim, string>> = {
  first: 'first',
  ten: 'first ten',
  nobody: 'nobody',
}

/** A table of each set of records: its kinds, its mean, its scripts. */
export function report(kinds: readonly KindRow[], scripts: readonly ScriptRow[]): string[] {
  return [...new Set(kinds.map(({ records }) => records))].flatMap((records) => [
    `${records}:`,
    '',
    ...kindTable(kinds.filter((row) => row.records === records)),
    '',
    ...scriptTable(scripts.filter((row) => row.records === records)),
    '',
  ])
}

function kindTable(rows: readonly KindRow[]): string[] {
  const lines = [
    ...rows.map((row) => ({ ...row, rightIs: aims[row.aim] })),
    { kind: 'mean, somebody is meant', rightIs: '', questions: '-', scores: means(rows) },
  ]
  const engines = Object.keys(rows[0]!.scores).map((name) => [
    name,
    ({ scores }: Pick<KindRow, 'scores'>) => scores[name]!.toFixed(3),
  ])
  return table(lines, {
    kind: ({ kind }) => kind,
    'right is': ({ rightIs }) => rightIs,
    queries: ({ questions }) => questions,
    ...Object.fromEntries(engines),
    'by MiniSearch': ({ scores }) => {
      const best = bestPeer(scores)
      return best === 0 ? '-' : (scores[service]! / best).toFixed(2)
    },
  })
}

function scriptTable(rows: readonly ScriptRow[]): string[] {
  const ours = (scores: ScriptRow['written']) => scores[service]!.toFixed(2)
  return table(rows, {
    script: ({ script }) => script,
    names: ({ names }) => names,
    'as written': ({ written }) => ours(written),
    MiniSearch: ({ written }) => bestPeer(written).toFixed(2),
    'one slip': ({ slipped }) => ours(slipped),
    'MiniSearch with one slip': ({ slipped }) => bestPeer(slipped).toFixed(2),
    'stranger first': ({ strangerFirst }) => ours(strangerFirst),
    'of MiniSearch': ({ strangerFirst }) => bestPeer(strangerFirst, Math.min).toFixed(2),
  })
}
