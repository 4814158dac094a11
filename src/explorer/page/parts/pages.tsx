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
  const { announce } = useSession()
  const ask = useOwnAsk()
  const [rest, setRest] = useState<readonly AnswerEnvelope<T>[]>([])
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
    announce(`${items.length + outcome.json.results.length} are shown`)
  }
  return { items, hasMore: cursor !== null, asked, showMore }
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
