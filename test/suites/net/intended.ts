/**
 * The differences between two builds that are intended, one row for each: how it leaves an answer of the older build.
 * What all rows leave has to be the answer of the newer build to the byte. The list is empty between two changes of the
 * interface.
 */
import type { ComparedAnswer, Difference } from './comparison.ts'

/** One intended difference. */
export interface Intended {
  /** Why the newer build answers differently: one sentence. */
  readonly reason: string
  /** The answer as the newer build has to give it; the same object where the row has nothing to change. */
  readonly rewrite: (before: ComparedAnswer, difference: Difference) => ComparedAnswer
}

/** The intended differences. */
export const intended: readonly Intended[] = [
  {
    reason: 'X-Tag is in no document, and no page may send it',
    rewrite: (answer, { ask, after }) => {
      const head = answer.head.map((line) => line.replace(/, X-Tag$/, ''))
      if (ask.target === '/openapi.json') return documentWithout(answer, after, isOfTags)
      return head.join() === answer.head.join() ? answer : { ...answer, head }
    },
  },
  {
    reason: 'dry_run is no parameter: no document describes it, and no refusal lists it',
    rewrite: (answer, { ask, after }) => {
      if (ask.target === '/openapi.json') {
        const document = documentWithout(answer, after, isOfDryRuns)
        const price = 'The price of this answer'
        const body = document.body.replace(/The price of this answer; [^"]*dry_run[^".]*/g, price)
        return revised(document, after, body)
      }
      const body = answer.body
        .replace(/(there are [a-z_, ]+), dry_run(?=[";])/, '$1')
        .replace('in its body, nothing but dry_run behind ?', 'in its body, nothing behind ?')
      return revised(answer, after, body)
    },
  },
  {
    reason: 'files of the page that changed have other names',
    rewrite: (answer, { after }) => {
      if (!/^<!doctype html>/.test(answer.body)) return answer
      const names = after.body.match(fileName) ?? []
      return revised(
        answer,
        after,
        answer.body.replace(fileName, () => names.shift() ?? ''),
      )
    },
  },
]

/** The name of a file of the page, which ends with a digest of its content. */
const fileName = /\/assets\/[a-z]+-[0-9A-Z]{8}/g

/** Whether a member or an entry of the OpenAPI document is of `X-Tag`. */
function isOfTags(name: string, value: unknown): boolean {
  return name === 'by_tag' || (value as { readonly name?: unknown } | null)?.name === 'X-Tag'
}

/** Whether a member or an entry of the OpenAPI document is of `dry_run`. */
function isOfDryRuns(_: string, value: unknown): boolean {
  const { name, description } = (value ?? {}) as Readonly<Record<string, unknown>>
  return name === 'dry_run' || /`dry_run=true`: (?:it|what)/.test(String(description))
}

/** An OpenAPI document without some members and entries. */
function documentWithout(
  answer: ComparedAnswer,
  after: ComparedAnswer,
  isGone: (name: string, value: unknown) => boolean,
): ComparedAnswer {
  if (answer.status !== 200) return answer
  const document = JSON.parse(answer.body, (name, value) => {
    if (Array.isArray(value)) return value.filter((each) => !isGone('', each))
    return isGone(name, value) ? undefined : value
  })
  return revised(answer, after, JSON.stringify(document))
}

/** An answer with another body; its tag and length are those of the newer build. */
function revised(answer: ComparedAnswer, after: ComparedAnswer, body: string): ComparedAnswer {
  if (body === answer.body) return answer
  const isOfBody = (line: string) => /^(?:ETag|Content-Length): /.test(line)
  const lines = after.head.filter(isOfBody)
  const head = answer.head.map((line) => (isOfBody(line) ? (lines.shift() ?? line) : line))
  return { ...answer, head, body }
}
