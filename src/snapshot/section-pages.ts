/**
 * The texts of all people by pages: each page is a section with memory of its own, so that neither its
 * bytes nor an offset in it need more than 32 bits. Readers use `Profiles`.
 */
import { PagedTexts } from '../memory/paged-texts.ts'
import { type Counts, type PageName, pageName, type SectionOf, type Sections } from './sections.ts'
import { StoredBlocks } from './texts/stored-blocks.ts'
import type { StoredTexts } from './texts/stored-texts.ts'

/** Authorities whose texts share a page: of 4 KiB for each of them it is as long as a section can be. */
export const authoritiesPerPage = 1 << 20

type PageCounts = Pick<Counts, 'authorities' | 'authoritiesPerPage'>

/** The pages of the profiles, in order: at least one. */
export function pagesOf(
  sections: Pick<Sections, 'profile.json' | PageName>,
  { authorities, authoritiesPerPage: perPage }: PageCounts,
): Uint8Array[] {
  const pages = Math.max(1, Math.ceil(authorities / perPage))
  return Array.from({ length: pages }, (_, page) => sections[pageName(page)]!)
}

export function profileRests({ header: { counts }, sections, texts }: ProfileSource): PagedTexts {
  const pages = pagesOf(sections, counts)
  const stored = texts && pages.map((_, page) => texts.pages[pageName(page)]!)
  const parts = texts && new StoredBlocks(texts, stored!)
  return new PagedTexts(pages, sections['profile.starts'], parts, counts.authoritiesPerPage)
}

export function listTextsOf(
  { sections, texts }: { readonly sections: Sections; readonly texts?: StoredTexts | undefined },
  name: 'topic.json' | 'peer.gaps',
  starts: SectionOf<'uint32'>,
): PagedTexts {
  const page = texts?.pages[name]
  const parts = page && new StoredBlocks(texts!, [page])
  return new PagedTexts([sections[name]], sections[starts], parts)
}

export interface ProfileSource {
  readonly header: { readonly counts: PageCounts }
  readonly sections: Pick<Sections, 'profile.json' | 'profile.starts' | PageName>
  readonly texts?: StoredTexts | undefined
}
