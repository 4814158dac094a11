/** What the ways of search look things up in. */
import type { HashBuckets } from '../../memory/hash-buckets.ts'
import type { Catalog } from '../catalog.ts'
import type { Matcher } from '../match/matcher.ts'
import type { Postings } from '../postings/postings.ts'
import type { FuzzyTermIndex } from '../terms/fuzzy-term-index.ts'
import type { Words } from '../terms/query-word.ts'
import type { Resolver } from '../terms/resolver.ts'
import type { PhraseReader } from './phrases.ts'

export interface Tools {
  readonly catalog: Catalog
  readonly postings: Postings
  readonly words: Words
  readonly phrases: PhraseReader
  readonly dictionary: FuzzyTermIndex
  readonly resolver: Resolver
  readonly matcher: Matcher
  /** The terms of names by their sounds. */
  readonly sounds: HashBuckets
}
