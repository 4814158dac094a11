/**
 * The texts of all people by pages: each page is a section with memory of its own, so that neither its
 * bytes nor an offset in it need more than 32 bits. Readers use `itemsOf`.
 */
import { PagedTexts } from '../memory/paged-texts.ts'
import { type Counts, type PagedName, type PageName, pageName, type Sections } from './sections.ts'

/** Authorities whose texts share a page: of 4 KiB for each of them it is as long as a section can be. */
export const authoritiesPerPage = 1 << 20

type PageCounts = Pick<Counts, 'authorities' | 'authoritiesPerPage'>
type ItemSections<K extends 'summary' | 'profile'> = Pick<
  Sections,
  `${K}.json` | `${K}.ends` | PageName
>

/** How many pages hold one text a person: at least one. */
export function pageCount({ authorities, authoritiesPerPage: perPage }: PageCounts): number {
  return Math.max(1, Math.ceil(authorities / perPage))
}

/** The pages of a text of everybody, in order. */
export function pagesOf<N extends PagedName>(
  sections: Pick<Sections, N | PageName>,
  name: N,
  counts: PageCounts,
): Uint8Array[] {
  return Array.from(
    { length: pageCount(counts) },
    (_, page) => sections[pageName(name, page) as N | PageName]!,
  )
}

/** The ready-made JSON of everybody in a snapshot. */
export function itemsOf<K extends 'summary' | 'profile'>(
  { header: { counts }, sections }: { header: { counts: PageCounts }; sections: ItemSections<K> },
  kind: K,
): PagedTexts {
  const pages = pagesOf<`${K}.json`>(sections, `${kind}.json`, counts)
  return new PagedTexts(pages, sections[`${kind}.ends`], counts.authoritiesPerPage)
}

/** Texts in pages as sections. */
export function pageSections<N extends PagedName>(name: N, pages: readonly Uint8Array[]) {
  return Object.fromEntries(pages.map((text, page) => [pageName(name, page), text])) as Record<
    N,
    Uint8Array
  >
}
