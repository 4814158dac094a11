/**
 * What is wrong with a value of a record, for a person who reads it in a list of rejects. Rules with words of their own
 * keep them; these are the words of the others.
 */
import type * as z from 'zod'

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** The words for an issue; undefined for one that has its own. */
export function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is missing'
    const kind = kinds[issue.expected]
    return kind && `must be ${kind}`
  }
  if (issue.code === 'too_big') return `must be at most ${boundOf(issue, issue.maximum)}`
  if (issue.code === 'too_small') return `must be at least ${boundOf(issue, issue.minimum)}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  return undefined
}

function boundOf({ origin }: { readonly origin: string }, bound: number | bigint): string {
  if (origin === 'string') return `${bound} characters long`
  return origin === 'array' ? `${bound} entries long` : String(bound)
}
