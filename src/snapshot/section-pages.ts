/**
 * The texts of all people by pages: each page is a section with memory of its own, so that neither its
 * bytes nor an offset in it need more than 32 bits. Readers use `Profiles`.
 */
import { PagedTexts } from '../memory/paged-texts.ts'
import { type Counts, type PagedName, type PageName, pageName, type Sections } from './sections.ts'
import { StoredBlocks } from './texts/stored-blocks.ts'
import { listEnds, type StoredListName, type StoredTexts } from './texts/stored-texts.ts'

/** Authorities whose texts share a page: of 4 KiB for each of them it is as long as a section can be. */
export const authoritiesPerPage = 1 << 20

type PageCounts = Pick<Counts, 'authorities' | 'authoritiesPerPage'>

function pageCount({ authorities, authoritiesPerPage: perPage }: PageCounts): number {
  return Math.max(1, Math.ceil(authorities / perPage))
}

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

export function profileRests({ header: { counts }, sections, texts }: ProfileSource): PagedTexts {
  const name = 'profile.json'
  const pages = pagesOf(sections, name, counts)
  const stored = texts && pages.map((_, page) => texts.pages[pageName(name, page)]!)
  const parts = texts && new StoredBlocks(texts, stored!)
  return new PagedTexts(pages, sections['profile.ends'], counts.authoritiesPerPage, parts)
}

export function listTextsOf(
  { sections, texts }: { readonly sections: Sections; readonly texts?: StoredTexts | undefined },
  name: StoredListName,
): PagedTexts {
  const page = texts?.pages[name]
  const parts = page && new StoredBlocks(texts!, [page])
  return new PagedTexts([sections[name]], listEnds(sections, name), entriesPerPage, parts)
}

/** More entries than there are: all of them are one section. */
const entriesPerPage = 2 ** 31

export interface ProfileSource {
  readonly header: { readonly counts: PageCounts }
  readonly sections: Pick<Sections, 'profile.json' | 'profile.ends' | PageName>
  readonly texts?: StoredTexts | undefined
}
