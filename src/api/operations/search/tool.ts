/** The reader of the answers of a search, for its tool. */
import type * as z from 'zod'
import type { summary } from '../../schemas/person.ts'
import { rankedLines, type Tool } from '../tool-texts.ts'
import type { UnderstoodInJson } from './schema.ts'

/** The tool `search_authorities`. */
export const searchTool: Tool<
  'search',
  z.output<typeof summary>,
  { readonly query?: UnderstoodInJson }
> = {
  conciseFields: ['sdu', 'name', 'rank', 'country_name', 'topic', 'explanation'],
  rest: 'pages',
  read: (items, { input: { query: text }, answer: { query }, all, chosen, largestTopics }) => {
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
    const near = nearLine(query)
    return {
      text: `No authority found for "${text}". ${ways}.${near}${topicsLine(largestTopics)}`,
      more: {
        query,
        hint: ways,
        ...(largestTopics.length > 0 && { largest_topics: largestTopics }),
      },
    }
  },
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

/** The subject of the index, behind a space; or ''. */
function topicsLine(largestTopics: readonly string[]): string {
  return largestTopics.length === 0
    ? ''
    : ` The largest topics of this index: ${largestTopics.join(', ')}.`
}

/** Topics and names to try where nobody was found, behind a space; or ''. */
function nearLine(understood: UnderstoodInJson | undefined): string {
  const { topics = [], names = [] } = understood?.suggestions ?? {}
  const parts = [
    topics.length === 0 ? '' : `Topics that are near: ${topics.join(', ')}.`,
    names.length === 0 ? '' : `Names that are near: ${names.join(', ')}.`,
  ]
  return parts.map((part) => (part === '' ? '' : ` ${part}`)).join('')
}
