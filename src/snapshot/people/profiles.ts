/** Profile items: the identity of a person and, behind it, all other members. Readers that copy take the two pieces. */
import type { PagedTexts } from '../../memory/paged-texts.ts'
import { type ProfileSource, profileRests } from '../section-pages.ts'
import { type IdentitySections, identityTexts } from './identities.ts'

export class Profiles {
  /** `{"sdu":"1","name":"A"` of each person. */
  readonly identities: PagedTexts
  /** `,"bio":` and so on of each person; in the snapshot's file where texts stay there. */
  readonly rests: PagedTexts

  constructor(identities: PagedTexts, rests: PagedTexts) {
    this.identities = identities
    this.rests = rests
  }

  textAt(ordinal: number): string {
    return this.identities.textAt(ordinal) + this.rests.textAt(ordinal)
  }

  lengthOf(ordinal: number): number {
    return this.identities.lengthOf(ordinal) + this.rests.lengthOf(ordinal)
  }
}

export function profilesOf(snapshot: IdentitySections & ProfileSource) {
  return new Profiles(identityTexts(snapshot), profileRests(snapshot))
}
