/**
 * The texts of all people by pages: each page is a section with memory of its own, so that neither its
 * bytes nor an offset in it need more than 32 bits. Readers use `itemsOf`.
 */
import { PagedTexts } from '../memory/paged-texts.ts'
import { type Counts, type PagedName, type PageName, pageName, type Sections } from './sections.ts'
import { listEnds, type StoredListName, type StoredTexts } from './texts/stored-texts.ts'
import type { TextCache } from './texts/text-cache.ts'

/** Authorities whose texts share a page: of 4 KiB for each of them it is as long as a section can be. */
export const authoritiesPerPage = 1 << 20

type PageCounts = Pick<Counts, 'authorities' | 'authoritiesPerPage'>
type ItemSections<K extends 'summary' | 'profile'> = Pick<
  Sections,
  `${K}.json` | `${K}.ends` | PageName
>

/** Number of pages of a section with one text for each person: at least 1. */
function pageCount({ authorities, authoritiesPerPage: perPage }: PageCounts): number {
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

/**
 * The ready-made JSON of everybody in a snapshot.
 * @param cache what reads the texts that stay in the file; needed where some do.
 */
export function itemsOf<K extends 'summary' | 'profile'>(
  { header: { counts }, sections, texts }: ItemSource<K>,
  kind: K,
  cache?: TextCache,
): PagedTexts {
  const name = `${kind}.json` as const
  const pages = pagesOf<`${K}.json`>(sections, name, counts)
  const stored = texts && pages.map((_, page) => texts.pages[pageName(name, page)]!)
  const parts = texts && cache!.partsOf(texts, stored!)
  return new PagedTexts(pages, sections[`${kind}.ends`], counts.authoritiesPerPage, parts)
}

/**
 * The ready-made items of all topics in a snapshot, or all lists of peers.
 * @param cache what reads them if they stay in the file.
 */
export function listTextsOf(
  { sections, texts }: { readonly sections: Sections; readonly texts?: StoredTexts | undefined },
  name: StoredListName,
  cache?: TextCache,
): PagedTexts {
  const page = texts?.pages[name]
  const parts = page && { ...cache!.partsOf(texts!, [page]), first: 0 }
  return new PagedTexts([sections[name]], listEnds(sections, name), entriesPerPage, parts)
}

/** More entries than there are: all of them are one section. */
const entriesPerPage = 2 ** 31

interface ItemSource<K extends 'summary' | 'profile'> {
  readonly header: { readonly counts: PageCounts }
  readonly sections: ItemSections<K>
  readonly texts?: StoredTexts | undefined
}

/** Texts in pages as sections. */
export function pageSections<N extends PagedName>(name: N, pages: readonly Uint8Array[]) {
  return Object.fromEntries(pages.map((text, page) => [pageName(name, page), text])) as Record<
    N,
    Uint8Array
  >
}
