/**
 * The tool `compare_authorities`: profiles beside each other. It asks the route of profiles with explanations, and
 * names the topics of all, the topics of one alone, and the highest authority score. It has no route of its own.
 */
import * as z from 'zod'
import type { Item } from '../api/operations/described.ts'
import { someOf, type Tool, withNote } from '../api/operations/tool-texts.ts'
import { readArguments } from '../api/schemas/tool-arguments.ts'
import { sdu } from '../api/schemas/values.ts'
import type { ToolWords } from '../operation.ts'

type Profile = Item<'detail'>

/** People in one comparison: more are hard to read beside each other. */
const peopleMax = 10

const comparedSdus = z
  .array(sdu)
  .min(2, 'give the SDUs of two people or more')
  .max(peopleMax, `at most ${peopleMax} people fit beside each other`)

/** The input of the tool. */
export const compareInput = z.preprocess(
  (given) => readArguments(given, { sdus: comparedSdus }),
  z.strictObject({ sdus: comparedSdus }),
)

/** The tool in words, for a model that must choose. */
export const compareWords: ToolWords = {
  name: 'compare_authorities',
  title: 'Compare authorities',
  description:
    'Compares authorities by SDU: scores, why each has its rank, shared topics and topics of one alone.',
}

/** The tool: its text about profiles. */
export const compareTool: Tool<'detail', Profile> = {
  conciseFields: ['sdu', 'name', 'authority_score', 'topics'],
  rest: 'values',
  read: (items, { input: { sdus }, all }) => {
    const unknown = sdus.filter((each) => !all.some((item) => item.sdu === each))
    const missing = unknown.length === 0 ? '' : `No authority has SDU ${unknown.join(', ')}`
    if (all.length < 2) {
      const why = missing === '' ? 'It takes two different SDUs' : missing
      return { text: `${why}; SDUs come from search_authorities and match_handle.`, nothing: true }
    }
    return { text: withNote(comparison(items), missing) }
  },
}

function comparison(items: readonly Profile[]): string {
  if (items.length < 2) return items.map(profileLine).join('\n')
  const shared = items[0]!.topics.filter((topic) =>
    items.every(({ topics }) => topics.includes(topic)),
  )
  const own = items.map(({ name, topics }) => {
    const others = topics.filter((topic) => !shared.includes(topic))
    return others.length === 0 ? '' : `Topics of ${name} beside: ${someOf(others, 8)}`
  })
  const lines = [
    ...items.map(profileLine),
    shared.length === 0 ? 'They share no topic.' : `Topics of all: ${someOf(shared, 8)}`,
    ...own,
    scoreLine(items),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function profileLine({ name, sdu: id, authority_score: score, explanation }: Profile): string {
  return `${name}, SDU ${id}, authority score ${score}. ${explanation?.sentence ?? ''}`.trim()
}

/** `Ann has the highest authority score, 11 above the next.` */
function scoreLine(items: readonly Profile[]): string {
  const [first, second] = items.toSorted((a, b) => b.authority_score - a.authority_score)
  const lead = Math.round((first!.authority_score - second!.authority_score) * 100) / 100
  return lead === 0
    ? 'The highest authority scores are equal.'
    : `${first!.name} has the highest authority score, ${lead} above the next.`
}
