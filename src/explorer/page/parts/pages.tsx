/** The pages of a list behind the first, each asked for when it is wanted. */
import { useState } from 'preact/hooks'
import type { AnswerEnvelope } from '../model/answers.ts'
import type { ApiQuery } from '../model/requests.ts'
import { type AnswerState, useOwnAsk, useSession } from '../page-session.ts'
import { Trouble } from './states.tsx'

/** A list as far as it is there. */
export interface PagedList<T> {
  readonly items: readonly T[]
  readonly hasMore: boolean
  /** What became of the page that was asked for last. */
  readonly asked: AnswerState<unknown>
  readonly showMore: () => void
}

/** @param queryAfter asks for the page behind a cursor. */
export function usePages<T>(
  first: AnswerEnvelope<T>,
  queryAfter: (cursor: string) => ApiQuery,
): PagedList<T> {
  const { announce, seen } = useSession()
  const ask = useOwnAsk()
  const [rest, setRest] = useState(() => seenPages(first, (cursor) => seen(queryAfter(cursor))))
  const [asked, setAsked] = useState<AnswerState<unknown>>({ kind: 'cancelled' })
  const items = [first, ...rest].flatMap(({ results }) => results)
  const cursor = (rest.at(-1) ?? first).next_cursor ?? null
  const showMore = async () => {
    if (cursor === null || asked.kind === 'loading') return
    setAsked({ kind: 'loading' })
    const outcome = await ask<AnswerEnvelope<T>>(queryAfter(cursor))
    setAsked(outcome)
    if (outcome.kind !== 'answer') return
    setRest([...rest, outcome.json])
    history.replaceState({ ...history.state, pages: rest.length + 1 }, '')
    announce(`${items.length + outcome.json.results.length} are shown`)
  }
  return { items, hasMore: cursor !== null, asked, showMore }
}

/** The pages that were shown when the place was left, as far as their answers are at hand. */
function seenPages<T>(
  first: AnswerEnvelope<T>,
  pageAfter: (cursor: string) => AnswerEnvelope<T> | undefined,
): readonly AnswerEnvelope<T>[] {
  const { pages = 0 } = (history.state ?? {}) as { readonly pages?: number }
  const found: AnswerEnvelope<T>[] = []
  while (found.length < pages) {
    const cursor = (found.at(-1) ?? first).next_cursor ?? null
    const page = cursor === null ? undefined : pageAfter(cursor)
    if (page === undefined) break
    found.push(page)
  }
  return found
}

/** Asks for the next page, and says what became of it; keeps the focus for the one behind it. */
export function MoreButton({ pages }: { pages: PagedList<unknown> }) {
  const { hasMore, asked, showMore } = pages
  return (
    <>
      {hasMore && (
        <button type="button" class="more" onClick={showMore}>
          Show more
        </button>
      )}
      <Trouble asked={asked} again={showMore} />
    </>
  )
}
