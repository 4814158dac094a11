/** What the ways of search look things up in. */
import type { Catalog } from '../catalog.ts'
import type { GuessSources } from '../match/candidates.ts'
import type { Matcher } from '../match/matcher.ts'
import type { Words } from '../terms/query-word.ts'
import type { Resolver } from '../terms/resolver.ts'
import type { PhraseReader } from './phrases.ts'

export interface Tools extends GuessSources {
  readonly catalog: Catalog
  readonly words: Words
  readonly phrases: PhraseReader
  readonly resolver: Resolver
  readonly matcher: Matcher
}
