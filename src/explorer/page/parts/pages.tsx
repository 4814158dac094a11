/** The pages of a list behind the first, each asked for when it is wanted. */
import { useRef, useState } from 'preact/hooks'
import type { AnswerEnvelope } from '../model/answers.ts'
import type { ApiQuery } from '../model/requests.ts'
import { type AnswerState, useOwnAsk, useSession } from '../page-session.ts'
import { Trouble } from './states.tsx'

/** A list as far as it is there. */
export interface PagedList<T> {
  readonly items: readonly T[]
  readonly hasMore: boolean
  /**
   * Asks for a number of further pages, one after the other, until one has no answer or the list ends. While some are
   * on their way, another call asks for nothing.
   * @param size of each page; that of the list unless given.
   */
  readonly load: (pages: number, size?: number) => Promise<AnswerState<unknown>>
}

/** The request for the page behind a cursor, of the given size if there is one. */
type QueryAfter = (cursor: string, size?: number) => ApiQuery

export function usePages<T>(first: AnswerEnvelope<T>, queryAfter: QueryAfter): PagedList<T> {
  const { announce, seen } = useSession()
  const ask = useOwnAsk()
  const [rest, setRest] = useState(() => seenPages<T>(first, (query) => seen(query), queryAfter))
  const isLoading = useRef(false)
  const cursor = cursorOf(rest.at(-1) ?? first)
  const load = async (pages: number, size?: number): Promise<AnswerState<unknown>> => {
    if (isLoading.current) return { kind: 'cancelled' }
    isLoading.current = true
    let found = rest
    let asked: AnswerState<unknown> = { kind: 'cancelled' }
    for (let next = cursor; next !== null && found.length < rest.length + pages; ) {
      const outcome = await ask<AnswerEnvelope<T>>(queryAfter(next, size))
      asked = outcome
      if (outcome.kind !== 'answer') break
      next = cursorOf(outcome.json)
      found = [...found, outcome.json]
      setRest(found)
      keepSize(found.length - 1, size)
    }
    isLoading.current = false
    if (asked.kind === 'answer') announce(`${itemsOf([first, ...found]).length} are shown`)
    return asked
  }
  return { items: itemsOf([first, ...rest]), hasMore: cursor !== null, load }
}

function itemsOf<T>(pages: readonly AnswerEnvelope<T>[]): readonly T[] {
  return pages.flatMap(({ results }) => results)
}

function cursorOf({ next_cursor: cursor = null }: AnswerEnvelope<unknown>): string | null {
  return cursor
}

/** The sizes of the pages behind the first, as the entry of the history keeps them; 0 is that of the list. */
function keptSizes(): readonly number[] {
  const { pages = [] } = (history.state ?? {}) as { readonly pages?: readonly number[] }
  return pages
}

function keepSize(index: number, size = 0): void {
  const pages = [...keptSizes().slice(0, index), size]
  history.replaceState({ ...history.state, pages }, '')
}

/** The pages that were shown when the place was left, as far as their answers are at hand. */
function seenPages<T>(
  first: AnswerEnvelope<T>,
  seen: (query: ApiQuery) => AnswerEnvelope<T> | undefined,
  queryAfter: QueryAfter,
): readonly AnswerEnvelope<T>[] {
  const found: AnswerEnvelope<T>[] = []
  for (const size of keptSizes()) {
    const cursor = cursorOf(found.at(-1) ?? first)
    const page = cursor === null ? undefined : seen(queryAfter(cursor, size || undefined))
    if (page === undefined) break
    found.push(page)
  }
  return found
}

/** Loads pages at a press, and keeps the outcome of the last request. */
export function useLoading({ load }: PagedList<unknown>, pages: number, size?: number) {
  const [asked, setAsked] = useState<AnswerState<unknown>>({ kind: 'cancelled' })
  const press = async () => {
    setAsked({ kind: 'loading' })
    setAsked(await load(pages, size))
  }
  return { asked, press }
}

/** Asks for the next page, and says what became of it; keeps the focus for the one behind it. */
export function MoreButton({ pages }: { pages: PagedList<unknown> }) {
  const { asked, press } = useLoading(pages, 1)
  return (
    <>
      {pages.hasMore && (
        <button type="button" class="more" onClick={press}>
          Show more
        </button>
      )}
      <Trouble asked={asked} again={press} />
    </>
  )
}
