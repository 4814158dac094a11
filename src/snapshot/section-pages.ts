/**
 * The texts of all people by pages: each page is a section with memory of its own, so that neither its
 * bytes nor an offset in it need more than 32 bits. Readers use `Profiles`.
 */
import { PagedTexts } from '../memory/paged-texts.ts'
import { type Counts, type PagedName, type PageName, pageName, type Sections } from './sections.ts'
import { listEnds, type StoredListName, type StoredTexts } from './texts/stored-texts.ts'
import { TextCache } from './texts/text-cache.ts'

/** Authorities whose texts share a page: of 4 KiB for each of them it is as long as a section can be. */
export const authoritiesPerPage = 1 << 20

/** Bytes of the buffer that reads the texts of a snapshot from its file, mostly one after the other. */
const readingBytes = 1 << 17

type PageCounts = Pick<Counts, 'authorities' | 'authoritiesPerPage'>

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
 * The profile items of everybody in a snapshot, behind their identities.
 * @param cache what reads the texts that stay in the file: a small one, for one reader, where it is absent.
 */
export function profileRests(
  { header: { counts }, sections, texts }: ProfileSource,
  cache = texts && new TextCache({ bytesMax: readingBytes }),
): PagedTexts {
  const name = 'profile.json'
  const pages = pagesOf(sections, name, counts)
  const stored = texts && pages.map((_, page) => texts.pages[pageName(name, page)]!)
  const parts = texts && cache!.partsOf(texts, stored!)
  return new PagedTexts(pages, sections['profile.ends'], counts.authoritiesPerPage, parts)
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

/** A snapshot with profiles, or its facts. */
export interface ProfileSource {
  readonly header: { readonly counts: PageCounts }
  readonly sections: Pick<Sections, 'profile.json' | 'profile.ends' | PageName>
  readonly texts?: StoredTexts | undefined
}
