/**
 * People by name: candidates with costs, then the cheapest cover of the whole text by one name. A
 * token that nothing explains means nobody; the work is bounded by the names that are looked at.
 */
import { lowerBound } from '../../memory/bounds.ts'
import { wordTextsOf } from '../../text/analyzer.ts'
import { isSurnameFirst } from '../../text/speech/name-parts.ts'
import { remembered } from '../bounded-cache.ts'
import type { Catalog } from '../catalog.ts'
import {
  bytesOf,
  type Candidate,
  Candidates,
  type GuessSources,
  guessableIn,
} from './candidates.ts'
import { bounds } from './costs.ts'
import { type Cover, Coverer, countOf, Effort, isPlain, lacksOffice } from './cover.ts'
import { eachPlaceOf, type Name, nameOfWords } from './name.ts'
import { MatchedText, type TextFacts } from './text.ts'
import { cutNamesOf, type Token } from './tokens.ts'

/** People of terms that are walked for one text, and people whose names are read. */
const entriesMax = 65_536
const peopleMax = 256
/** Of those of whom one word is said, people of whose names the terms are looked at. */
const outlinesMax = 1_024
/** Bytes of the longest word behind a name that only tells people of one name apart. */
const generationMax = 3
/** Entries that take as long to walk as one look. */
const walkedPerLook = 8
/** Steps of one text, each of some 50 ns: a candidate beside a name, a state of a cover, a look. */
const stepsMax = 32_768
/** Words that say something in the longest text that is guessed at: a name, and a few beside it. */
const guessedMax = 6
/** Names that are kept as they were read: of a surname the first by authority, whom many texts ask for. */
const namesMax = 2_048
/** Letters of a word that nobody is called by, and that may be of first letters. */
const rowLetters = 4

const smallA = 0x61
const smallZ = 0x7a

export interface Match extends Cover {
  readonly person: number
}

/** A text with the terms that its words may be, and the people whom it means as it is written. */
export interface Sure {
  readonly text: MatchedText
  readonly candidates: Candidates
  readonly matches: readonly Match[]
}

const nobody: readonly Match[] = []
const noFacts: TextFacts = { contextsAt: () => [], officeAt: () => undefined }

export class Matcher {
  readonly #catalog: Catalog
  readonly #sources: GuessSources
  readonly #nameWords = remembered(namesMax, (person: number) =>
    wordTextsOf(this.#catalog.nameOf(person)),
  )
  /** By country. */
  readonly #areSurnamesFirst: boolean[] = []
  /** A bit for each token that a name of a person may explain; zeros between two texts. */
  readonly #reach: Uint16Array

  constructor(catalog: Catalog, sources: GuessSources) {
    this.#catalog = catalog
    this.#sources = sources
    this.#reach = new Uint16Array(catalog.counts.authorities)
  }

  find(text: MatchedText): Sure {
    const candidates = new Candidates(this.#sources, text.tokens)
    return { text, candidates, matches: this.#matchesOf(text, candidates) }
  }

  /** First for words that nobody is called by, then for all that say something; once for each text. */
  guess({ text, candidates, matches }: Sure): readonly Match[] {
    const all = guessableIn(text.tokens)
    if (countOf(all) > guessedMax) return matches
    let unknown = 0
    for (let at = 0; at < text.tokens.length; at += 1) {
      if (!candidates.isKnown[at]! && text.facts.contextsAt(at).length === 0) unknown |= 1 << at
    }
    unknown &= all
    let found = matches
    if (unknown !== 0) {
      if (candidates.addGuesses(unknown)) found = this.#matchesOf(text, candidates)
      if (found.length > 0) return found
      if (unknown === all) return this.#cut(text)
    }
    // Without one name that is written as it is, known words say nothing to guess by.
    if (!candidates.isKnown.some((isKnown, at) => isKnown && ((all >> at) & 1) === 1)) {
      return found.length > 0 ? found : this.#cut(text)
    }
    return candidates.addGuesses(all & ~unknown) ? this.#matchesOf(text, candidates) : found
  }

  /** A name in Han or Hangul without spaces, cut into family and given name. */
  #cut({ tokens }: MatchedText): readonly Match[] {
    for (const cut of cutNamesOf(tokens)) {
      const candidates = new Candidates(this.#sources, cut)
      candidates.addSounds()
      const found = this.#matchesOf(new MatchedText(cut, noFacts), candidates)
      if (found.length > 0) return found
    }
    return nobody
  }

  /** The name that a person is mostly called by. */
  #nameOf(person: number): Name {
    const country = this.#catalog.sections['authority.countries'][person]!
    this.#areSurnamesFirst[country] ??= isSurnameFirst(this.#catalog.countryOf(country))
    const options = { isSurnameFirst: this.#areSurnamesFirst[country] }
    return nameOfWords(this.#nameWords(person), options)
  }

  #matchesOf(text: MatchedText, candidates: Candidates): readonly Match[] {
    if (candidates.all.length === 0) return nobody
    const needed = neededIn(text, candidates)
    const effort = new Effort(stepsMax)
    const people = this.#peopleOf(text, candidates, needed, effort)
    if (people.length === 0) return nobody
    const { authorities } = this.#catalog.counts
    const coverer = new Coverer(authorities, { text, candidates, needed, effort })
    const inOrder = candidates.all.toSorted((a, b) => a.from - b.from || a.cost - b.cost)
    const found: Match[] = []
    let least = Number.POSITIVE_INFINITY
    for (const person of people) {
      if (!effort.spend(2 * inOrder.length)) break
      const ceiling = Math.min(bounds.total, least + bounds.near)
      const name = this.#nameOf(person)
      const own = name.parts.length === 0 ? undefined : coverer.cover(person, name, ceiling)
      const other = otherNameOf(person, name, inOrder)
      const below = own?.cost ?? ceiling
      const cover = (other && coverer.cover(person, other, below)) ?? own
      if (cover === undefined) continue
      found.push({ ...cover, person })
      least = Math.min(least, cover.cost)
    }
    return found
      .filter(({ cost }) => cost <= least + bounds.near)
      .sort((a, b) => a.cost - b.cost || a.person - b.person)
  }

  /**
   * Those of the rarest token that only a name explains; of those in the middle one may stay open.
   */
  #peopleOf(
    text: MatchedText,
    candidates: Candidates,
    needed: number,
    effort: Effort,
  ): readonly number[] {
    const count = text.tokens.length
    const inside = insideOf(count)
    const droppable = droppableIn(text, candidates)
    const mayStandAlone = this.#standingAlone(text, droppable.rows)
    const isCut = (person: number) =>
      candidates.all.some((each) => each.isCut && isHeldBy(person, each))
    let outlines = 0
    const found: number[] = []
    for (const pivot of this.#pivotsOf(candidates, needed, count)) {
      const reached = this.#reachedBy(candidates, pivot, effort)
      // A surname stands beside words that say nothing where it is that of hardly anybody.
      const beside =
        text.isAsking && reached.length <= bounds.askedAbout ? droppable.two : droppable.any
      for (const person of reached) {
        const own = this.#reach[person]!
        const open = needed & ~own
        this.#reach[person] = 0
        if (found.length === peopleMax || open & ~inside || open & (open - 1)) continue
        const isOne = (own & (own - 1)) === 0
        const left = ~own & ~open & ~(isOne ? beside : droppable.two)
        if (left !== 0 && !(effort.spend(1) && isTrue(person, left, text))) continue
        // Beside one word of a name no other word stays open.
        if (isOne && !isCut(person)) {
          if (open !== 0 || outlines === outlinesMax) continue
          outlines += 1
          if (!mayStandAlone(person, ~own)) continue
        }
        found.push(person)
      }
      // Of a token in the middle a name may know nothing: then another one finds it.
      if (found.length > 0 || (inside & pivot) === 0) break
    }
    return found
  }

  /**
   * Says whether one word may stand for somebody's name beside other tokens, as the terms of the name tell: nobody
   * is meant by first letters of another name, nor, behind the title of another office, by one word of several.
   */
  #standingAlone(text: MatchedText, rows: number): (person: number, others: number) => boolean {
    const { tokens, facts } = text
    const offices = tokens.flatMap((_, at) => facts.officeAt(at) ?? [])
    const letters = tokens.map(({ text }) => lettersOf(text))
    const inside = insideOf(tokens.length)
    return (person, others) => {
      if ((others & rows) === 0) {
        const isOfOther = offices.some((office) => lacksOffice(person, office))
        return !isOfOther || !this.#isOfSeveral(person)
      }
      const first = this.#firstLettersOf(person)
      let contradicted = 0
      for (let at = 0; at < tokens.length; at += 1) {
        if (((others & rows) >> at) & 1 && letters[at]! & ~first) contradicted |= 1 << at
      }
      // Of a name between both ends the record may know nothing: G. E. Hinton.
      const isPassed = (contradicted & inside) !== 0 && (contradicted & (contradicted - 1)) === 0
      return contradicted === 0 || isPassed || isTrue(person, contradicted, text)
    }
  }

  /** The letters that words of somebody's names begin with, a bit each. */
  #firstLettersOf(person: number): number {
    const { postings } = this.#sources
    const terms = this.#nameTermsOf(person)
    return terms.reduce((bits, term) => bits | letterBit(postings.firstLetterOf(term)), 0)
  }

  /** Whether somebody's names have two words which are not `Jr` and the like. */
  #isOfSeveral(person: number): boolean {
    const { postings } = this.#sources
    const isLong = (term: number) => bytesOf(term, postings) > generationMax
    return this.#nameTermsOf(person).filter(isLong).length > 1
  }

  #nameTermsOf(person: number): Uint32Array {
    const { sections } = this.#catalog
    const starts = sections['suggest.name-starts']
    return sections['suggest.name-terms'].subarray(starts[person], starts[person + 1])
  }

  /** Tokens that only a name explains, the rarest first, a bit each, and behind them all tokens. */
  #pivotsOf({ all }: Candidates, needed: number, count: number): readonly number[] {
    const sizes = new Array<number>(count).fill(0)
    for (const { from, to, start, end } of all) {
      for (let at = from; at < to; at += 1) sizes[at]! += end - start
    }
    const pivots: number[] = []
    for (let at = 0; at < count; at += 1) {
      if (((needed >> at) & 1) === 1 && sizes[at]! > 0) pivots.push(at)
    }
    return [...pivots.sort((a, b) => sizes[a]! - sizes[b]!).map((at) => 1 << at), -1]
  }

  /**
   * The people whose names hold a term that covers a token of some, with a bit in `#reach` for each token that their
   * names may explain. Walks the terms of the other tokens, or looks each person up in those that many have.
   */
  #reachedBy({ all }: Candidates, pivot: number, effort: Effort): Uint32Array {
    const reach = this.#reach
    const covering: Candidate[] = []
    const others: Candidate[] = []
    let entries = 0
    for (const candidate of all) {
      if ((maskOf(candidate) & pivot) === 0) {
        others.push(candidate)
        continue
      }
      entries += candidate.end - candidate.start
      if (entries <= entriesMax) covering.push(candidate)
    }
    // A list that grows takes seven times as long to fill.
    const seen = new Uint32Array(Math.min(entries, entriesMax))
    let count = 0
    for (const candidate of covering) {
      const { people, start, end } = candidate
      const mask = maskOf(candidate)
      for (let at = start; at < end; at += 1) {
        const person = people[at]!
        if (reach[person] === 0) {
          seen[count] = person
          count += 1
        }
        reach[person]! |= mask
      }
    }
    const reached = seen.subarray(0, count)
    for (const candidate of others) {
      const { people, start, end } = candidate
      const mask = maskOf(candidate)
      if (!effort.spend(Math.ceil(Math.min(count, (end - start) / walkedPerLook)))) break
      if (end - start > walkedPerLook * count) {
        for (const person of reached) if (isHeldBy(person, candidate)) reach[person]! |= mask
        continue
      }
      for (let at = start; at < end; at += 1) {
        if (reach[people[at]!] !== 0) reach[people[at]!]! |= mask
      }
    }
    return reached
  }
}

/** A bit for each token between both ends. */
function insideOf(count: number): number {
  return ((1 << count) - 1) & ~1 & ~(1 << (count - 1))
}

/** A bit for each token that a candidate covers. */
function maskOf({ from, to }: Candidate): number {
  return (1 << to) - (1 << from)
}

function isHeldBy(person: number, { people, start, end }: Candidate): boolean {
  const place = lowerBound(people, person, start, end)
  return place < end && people[place] === person
}

/** The further name of which a person holds words that the main one lacks: as much of it as the text says. */
function otherNameOf(person: number, name: Name, inOrder: readonly Candidate[]): Name | undefined {
  const words: string[] = []
  let isOther = false
  let isOwn = false
  const note = () => {
    isOwn = true
  }
  let to = 0
  for (const candidate of inOrder) {
    if (candidate.from < to || !isHeldBy(person, candidate)) continue
    words.push(candidate.text)
    to = candidate.to
    isOwn = false
    eachPlaceOf(candidate.text, name, note)
    isOther ||= !isOwn
  }
  // What else the name has is not known: one word is not all of it.
  if (words.length === 1) words.push('')
  return isOther ? nameOfWords(words, { isOther: true }) : undefined
}

/** Whether tokens, a bit each, are true of a person beside a name, as far as one look tells. */
function isTrue(
  person: number,
  tokens: number,
  { facts, tokens: { length } }: MatchedText,
): boolean {
  let reached = 0
  for (let at = 0; at < length; at += 1) {
    if (((tokens >> at) & 1) === 0) continue
    for (const { to, people } of facts.contextsAt(at)) {
      if (people.mayContain(person) && people.contains(person)) reached |= (1 << to) - (1 << at)
    }
    if (((reached >> at) & 1) === 0) return false
  }
  return true
}

/** Whether a text is about something of somebody: beside the owner's name any word may stand. */
function isOfSomebody(tokens: readonly Token[], candidates: readonly Candidate[]): boolean {
  return tokens.some(({ isOwner }) => isOwner) || candidates.some(({ kind }) => kind === 'plural')
}

/**
 * Bits of tokens that a cover may leave out or take for letters: beside any part of a name, and beside two; and those
 * that are nothing but first letters beside one part.
 */
interface Droppable {
  readonly any: number
  readonly two: number
  readonly rows: number
}

function droppableIn(
  { tokens, facts, isAsking }: MatchedText,
  { all, isKnown }: Candidates,
): Droppable {
  if (isOfSomebody(tokens, all)) return { any: -1, two: -1, rows: 0 }
  let any = 0
  let two = 0
  let rows = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const { aside, isBehind, isCapitals, isCommon, text, isLatin, isNumber } = tokens[at]!
    const isRow = isLatin && text.length <= rowLetters && (text.length === 1 || !isKnown[at]!)
    const isInside = at > 0 && at < tokens.length - 1
    if (aside !== undefined || isBehind) any |= 1 << at
    else if (isCapitals || (isRow && !(isCommon && isAsking))) rows |= 1 << at
    // Common words, words of something that is not true, a further name, a word for a letter of the name.
    else if (isCommon || isNumber || isInside || !isKnown[at]!) two |= 1 << at
    else if (facts.contextsAt(at).some(({ kind }) => kind !== 'word')) two |= 1 << at
  }
  any |= rows
  two |= any
  return { any, two, rows }
}

/** A bit for each token that only a name explains. */
function neededIn(text: MatchedText, candidates: Candidates): number {
  const { tokens, facts } = text
  const { all, isKnown } = candidates
  if (isOfSomebody(tokens, all)) return 0
  let needed = 0
  const isPlainAt = (at: number) => isPlain(text, candidates, at)
  // Beside plain words, and behind a question, stand words that are no part of a name.
  const mayFollow = (at: number) =>
    isPlainAt(at + 1) ||
    tokens.some(
      ({ aside }, before) => before > 0 && before < at && (aside === 'asks' || isPlainAt(before)),
    )
  for (let at = 0; at < tokens.length; at += 1) {
    const { aside, isBehind, isCapitals, isCommon, text, isLatin, isNumber } = tokens[at]!
    if (aside !== undefined || isBehind || isCapitals || isCommon || isNumber) continue
    if (isLatin && text.length <= rowLetters && (text.length === 1 || !isKnown[at]!)) continue
    if (facts.contextsAt(at).length > 0) continue
    if (!isKnown[at]! && mayFollow(at)) continue
    needed |= 1 << at
  }
  return needed
}

/** The letters of a text from a to z, a bit each. */
function lettersOf(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at += 1) bits |= letterBit(text.charCodeAt(at))
  return bits
}

function letterBit(point: number): number {
  return point >= smallA && point <= smallZ ? 1 << (point - smallA) : 0
}
