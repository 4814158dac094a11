/**
 * Profile items: the identity of a person and, behind it, all other members. Readers that copy take the two pieces. The
 * other members lie in pages: each is a section with memory of its own, so that neither its bytes nor an offset in it need
 * more than 32 bits.
 */
import { type Counts, type PageName, pageName, type Sections } from '../sections.ts'
import { PagedTexts } from '../texts/paged-texts.ts'
import { StoredBlocks } from '../texts/stored-blocks.ts'
import type { StoredTexts } from '../texts/stored-texts.ts'
import { type IdentitySections, identityTexts } from './identities.ts'

/** Authorities whose texts share a page: of 4 KiB for each of them it is as long as a section can be. */
export const authoritiesPerPage = 1 << 20

type PageCounts = Pick<Counts, 'authorities' | 'authoritiesPerPage'>

interface ProfileSource extends IdentitySections {
  readonly header: { readonly counts: PageCounts }
  readonly sections: IdentitySections['sections'] &
    Pick<Sections, 'profile.json' | 'profile.starts' | PageName>
  readonly texts?: StoredTexts | undefined
}

export class Profiles {
  /** `{"sdu":"1","name":"A"` of each person. */
  readonly identities: PagedTexts
  /** `,"bio":` and so on of each person; in the snapshot's file where texts stay there. */
  readonly rests: PagedTexts

  constructor(snapshot: ProfileSource) {
    const { header, sections, texts } = snapshot
    const pages = pagesOf(sections, header.counts)
    const stored = texts && pages.map((_, page) => texts.pages[pageName(page)]!)
    const blocks = texts && new StoredBlocks(texts, stored!)
    const { authoritiesPerPage: perPage } = header.counts
    this.identities = identityTexts(snapshot)
    this.rests = new PagedTexts(pages, sections['profile.starts'], blocks, perPage)
  }

  textAt(ordinal: number): string {
    return this.identities.textAt(ordinal) + this.rests.textAt(ordinal)
  }

  lengthOf(ordinal: number): number {
    return this.identities.lengthOf(ordinal) + this.rests.lengthOf(ordinal)
  }
}

/** The pages of the profiles, in order: at least one. */
export function pagesOf(
  sections: Pick<Sections, 'profile.json' | PageName>,
  { authorities, authoritiesPerPage: perPage }: PageCounts,
): Uint8Array[] {
  const pages = Math.max(1, Math.ceil(authorities / perPage))
  return Array.from({ length: pages }, (_, page) => sections[pageName(page)]!)
}
