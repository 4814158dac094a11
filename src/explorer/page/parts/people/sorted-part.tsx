/**
 * The note on a list that the page sorts by a number of its own: how much of it is sorted, and a button that loads the
 * rest, with what that costs. Only a press loads anything.
 */
import { restToLoad } from '../../model/people/people-rows.ts'
import { countText, wholeText } from '../../model/wording.ts'
import { type PagedList, useLoading } from '../pages.tsx'
import { Trouble } from '../states.tsx'

interface Props {
  readonly pages: PagedList<unknown>
  /** Number of people in the whole list. */
  readonly total: number
}

export function SortedPart({ pages, total }: Props) {
  const shown = pages.items.length
  const { people, queries, size } = restToLoad(total, shown)
  const { asked, press } = useLoading(pages, queries, size)
  if (!pages.hasMore || people <= 0) return null
  const left = total - shown
  const isAll = people === left
  return (
    <div class="sorted-part">
      <p class="muted small">
        Sorted: the {wholeText(shown)} that are loaded, not the other {wholeText(left)}.{' '}
        <button type="button" onClick={press}>
          {isAll ? 'Load the rest' : `Load ${wholeText(people)} more`} (
          {countText(queries, 'query', 'queries')})
        </button>
      </p>
      {asked.kind !== 'loading' && <Trouble asked={asked} again={press} />}
    </div>
  )
}
