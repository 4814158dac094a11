/**
 * The cheapest cover of a text by a name. A token that is no part or letter of it, nor true of the
 * person, nor may be left out, ends it: the name means nobody.
 */
import { isParticle } from '../../text/speech/name-parts.ts'
import type { DocSet } from '../postings/doc-set.ts'
import type { Candidates, Kind } from './candidates.ts'
import { bounds, costs } from './costs.ts'
import { eachPlaceOf, highestPart, lowestPart, type Name } from './name.ts'
import type { MatchedText, Office } from './text.ts'
import type { Token } from './tokens.ts'

/** The steps that one text may take: what is not found within them is not found, on every machine alike. */
export class Effort {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  spend(steps: number): boolean {
    this.#left -= steps
    return this.#left >= 0
  }
}

interface Reading {
  readonly text: MatchedText
  readonly candidates: Candidates
  /** A bit for each token that only a name explains; of those in the middle one may stay unexplained. */
  readonly needed: number
  readonly effort: Effort
}

export function isPlain({ tokens }: MatchedText, { isKnown }: Candidates, at: number): boolean {
  return tokens[at]?.isCommon === true && !isKnown[at]!
}

/** A word, and the one that was taken instead. */
export interface Correction {
  readonly from: string
  readonly to: string
}

export interface Cover {
  readonly cost: number
  /** A bit for each token that was left out. */
  readonly leftOut: number
  /** Words that were guessed, or read in another script, in their order. */
  readonly corrected: readonly Correction[]
}

interface Span {
  readonly to: number
  readonly parts: number
  readonly cost: number
  readonly kind: Kind
  readonly text: string
}

/** A letter of a text excludes this many names. */
const lettersApart = 12
/** Letters of the longest row of first letters. */
const rowMax = 4
const row = /^[a-z]{1,4}$/

/** What a text says of a name, up to a token. */
const unsaid = {
  cost: 0,
  /** Parts of the name that were said; as they are written, by a guess, by a letter, by a word for their letter. */
  used: 0,
  whole: 0,
  soft: 0,
  initials: 0,
  spelled: 0,
  /** The sum of the costs of guesses, and the shortest guessed word. */
  bad: 0,
  shortest: 99,
  /** The lowest part of the last span, or -1, and whether any came before the one before it. */
  last: -1,
  isBack: false,
  /** Common words, and other things that are true of the person. */
  extras: 0,
  contexts: 0,
  /** What was passed over between both ends. */
  between: undefined as 'letter' | 'name' | undefined,
  /** A title of an office that the person does not hold. */
  lacks: false,
  /** All guesses are beginnings, which find whom they begin by no chance. */
  isBegun: false,
  isOwned: false,
  /** A part was said by a word that is no usual one. */
  isTold: false,
  /** A word that only asks was left out behind a part: no part follows it. */
  isEnded: false,
  /** What was guessed is by itself a common word or a name as it is written; one of several tokens is such a name. */
  isSaying: false,
  isKnown: false,
  /** Strangers to be expected by chance. */
  odds: 0,
  leftOut: 0,
  corrected: [] as readonly Correction[],
}

type State = typeof unsaid

const nobodysName: Name = { parts: [], core: 0, surnames: 0, initials: 0, isOther: false }

export class Coverer {
  readonly #authorities: number
  readonly #reading: Reading
  /** By the token at which they begin: the spans of the name that is looked at. */
  readonly #spans: Span[][]
  #name: Name = nobodysName
  #person = 0
  #ceiling = 0
  #best: State | undefined

  constructor(authorities: number, reading: Reading) {
    this.#authorities = authorities
    this.#reading = reading
    this.#spans = reading.text.tokens.map(() => [])
  }

  /** The cheapest cover by a name of a person that costs less than a ceiling, or undefined. */
  cover(person: number, name: Name, ceiling: number): Cover | undefined {
    this.#person = person
    this.#name = name
    if (!this.#readSpans()) return undefined
    this.#ceiling = ceiling
    this.#best = undefined
    this.#go(0, { ...unsaid, odds: this.#authorities })
    const best = this.#best as State | undefined
    return best && { cost: this.#ceiling, leftOut: best.leftOut, corrected: best.corrected }
  }

  /** Reads the spans of the name; false where they leave too many tokens open. */
  #readSpans(): boolean {
    const { candidates, needed } = this.#reading
    const { core } = this.#name
    const last = 1 << highestPart(core)
    for (const spans of this.#spans) spans.length = 0
    let reach = 0
    for (const { from, to, text, cost, kind } of candidates.all) {
      eachPlaceOf(text, this.#name, (mask, joined) => {
        // A nickname is of a given name.
        if (kind === 'nickname' && mask === last && core !== last) return
        this.#spans[from]!.push({ to, parts: mask, cost: cost + joined, kind, text })
        reach |= (1 << to) - (1 << from)
      })
    }
    const open = needed & ~reach
    return reach !== 0 && (open & (open - 1)) === 0
  }

  #go(at: number, state: State): void {
    const { text, effort } = this.#reading
    const { tokens, facts } = text
    if (state.cost >= this.#ceiling || !effort.spend(1)) return
    if (at === tokens.length) {
      const cost = this.#judge(state)
      if (cost === undefined || cost >= this.#ceiling) return
      this.#best = state
      this.#ceiling = cost
      return
    }
    this.#goByParts(at, state)
    this.#goByLetters(at, state)
    for (const { to, people, cost } of facts.contextsAt(at)) {
      if (!(people.mayContain(this.#person) && people.contains(this.#person))) continue
      const next = { ...state }
      next.odds *= this.#chanceOf(people.size)
      next.cost += cost + costs.context
      next.contexts += 1
      this.#go(to, next)
    }
    this.#goWithout(at, state)
  }

  #chanceOf(people: number): number {
    return people / (this.#authorities + bounds.unknownPeople)
  }

  #goByParts(at: number, state: State): void {
    if (state.isEnded) return
    const {
      text: { tokens },
      candidates,
    } = this.#reading
    const { initials } = this.#name
    for (const { to, parts, cost, kind, text } of this.#spans[at]!) {
      if ((state.used & parts) !== 0) {
        // A given name that is said twice: Margaret (Peggy).
        if (kind !== 'nickname') continue
        this.#go(to, { ...state, cost: state.cost + cost, leftOut: state.leftOut | (1 << at) })
        continue
      }
      const token = tokens[at]!
      const isOne = to === at + 1
      const isSure = isSureKind(kind)
      const isLetters = initials !== 0 && (parts & ~initials) === 0
      const lowest = lowestPart(parts)
      const next = { ...state }
      next.used |= parts
      next.cost += cost
      if (state.last > lowest && !state.isBack) {
        next.cost += costs.order
        next.isBack = true
      }
      next.last = lowest
      if (isLetters) next.initials |= parts
      else if (isSure) next.whole |= parts
      next.isTold ||= token.aside === undefined && !token.isCommon && text.length >= bounds.surname
      if (kind === 'plural' || (isOne && token.isOwner)) next.isOwned = true
      if (!isSure || kind === 'script')
        next.corrected = [...state.corrected, { from: token.text, to: text }]
      if (!isSure) {
        next.soft |= parts
        next.bad += cost
        next.shortest = Math.min(state.shortest, lettersSaidBy(tokens.slice(at, to)))
        if (isOne && (token.isCommon || candidates.isKnown[at]!)) next.isSaying = true
        if (candidates.isKnown[at]!) next.isKnown = true
        next.isBegun = kind === 'begins' && (state.isBegun || state.soft === 0)
      }
      next.odds *= this.#chanceOf(candidates.sizeOf(at, to, cost) + 1)
      this.#go(to, next)
    }
  }

  /** The token is the first letter of a part, or of several in a row; or a word for a part that is a letter. */
  #goByLetters(at: number, state: State): void {
    const {
      text: { tokens },
      candidates,
    } = this.#reading
    const { text, isLatin, isCapitals } = tokens[at]!
    const { parts: names, initials, core } = this.#name
    if (!isLatin) return
    const isRow = text.length === 1 || isCapitals || !candidates.isKnown[at]!
    if (text.length <= rowMax && isRow && row.test(text)) {
      const parts = this.#partsOf(text, state.used)
      if (parts !== 0) {
        const next = { ...state }
        next.used |= parts
        next.initials |= parts
        next.odds /= lettersApart
        next.cost += text.length > 1 ? costs.initials : costs.initial
        this.#go(at + 1, next)
      }
    }
    if (text.length < 3) return
    const free = initials & core & ~(1 << highestPart(core)) & ~state.used
    for (let part = 0; part < names.length; part += 1) {
      if (((free >> part) & 1) === 0) continue
      if (names[part]![0] !== text[0]) continue
      const next = { ...state }
      next.used |= 1 << part
      next.spelled |= 1 << part
      next.last = part
      next.cost += costs.spelledOut
      this.#go(at + 1, next)
    }
  }

  #partsOf(text: string, used: number): number {
    const { parts: names } = this.#name
    let parts = 0
    let part = 0
    for (let at = 0; at < text.length; at += 1) {
      while (part < names.length && (names[part]![0] !== text[at] || ((used >> part) & 1) === 1)) {
        part += 1
      }
      if (part === names.length) return 0
      parts |= 1 << part
      part += 1
    }
    return parts
  }

  #goWithout(at: number, state: State): void {
    const { text, candidates } = this.#reading
    const { tokens, facts, isOfSeveral } = text
    const token = tokens[at]!
    const isKnown = candidates.isKnown[at]!
    const next = { ...state }
    next.leftOut |= 1 << at
    if (token.aside !== undefined) {
      next.cost += costs.aside[token.aside]
      // Another particle than that of the name stands inside it: Ludwig von Beethoven.
      const isInside = isParticle(token.text) && state.soft === 0
      if (token.aside === 'asks' && state.used !== 0 && !isInside) next.isEnded = true
      this.#weighOffice(facts.officeAt(at), next)
    } else if (token.isBehind && at > 0) {
      next.cost += costs.letters
    } else if (token.isCapitals && at > 1 && !isKnown) {
      next.cost += costs.letters * 2
      next.extras += 1
    } else if (
      // What stands before a common word that is no name, or behind such a word or a question, is no name either.
      !token.isEponym &&
      (token.isCommon ||
        token.isNumber ||
        state.isOwned ||
        (!isKnown &&
          !isOfSeveral &&
          (state.extras > 0 || state.isEnded || isPlain(text, candidates, at + 1))) ||
        (token.text.length > 1 &&
          facts.contextsAt(at).some((each) => each.to === at + 1 && each.kind !== 'word')))
    ) {
      next.cost += costs.common
      next.extras += 1
    } else if (
      at > 0 &&
      // Behind the given name in the order of lists: Hinton, Geoffrey E.
      (at < tokens.length - 1 || (state.isBack && token.text.length === 1)) &&
      token.isLatin &&
      state.used !== 0 &&
      state.between === undefined
    ) {
      next.between = token.text.length === 1 ? 'letter' : 'name'
      next.cost += next.between === 'letter' ? costs.betweenLetter : costs.between
    } else return
    this.#go(at + 1, next)
  }

  #weighOffice(office: Office | undefined, next: State): void {
    if (office === undefined) return
    if (isIn(office.holders, this.#person)) {
      next.contexts += 1
      next.odds *= this.#chanceOf(office.holders.size)
    } else if (lacksOffice(this.#person, office)) {
      next.cost += costs.noOffice
      next.lacks = true
    }
  }

  #judge(state: State): number | undefined {
    if ((state.whole | state.soft) === 0) return undefined
    const { core, surnames, isOther } = this.#name
    const said = saidIn(state, core)
    const { all, hit, first, last, sure, soft, letters } = said
    const hasFirst = (hit & first) !== 0
    const hasLast = (hit & last) !== 0
    let cost = state.cost
    if (all > 1 && !hasLast) cost += hasFirst ? costs.missingLast : costs.missingOther
    else if (all > 1 && !hasFirst) cost += costs.missingFirst
    else cost += costs.missingMiddle * (all - countOf(hit))
    if (isOther) cost += costs.otherName
    if (!this.#mayLeaveOut(state, said)) return undefined
    if (state.between !== undefined && !mayPassOver(state, said, this.#name)) return undefined
    if (state.spelled !== 0 && !(hasLast && sure > 0 && sure + soft > 1)) return undefined
    if (letters > 0 && (state.initials & last) !== 0 && all > 1) cost += costs.lastInitial
    const parts = sure + soft
    if (parts === 0 || cost > bounds.total) return undefined
    const isAlone = parts === 1 && letters === 0 && all > 1
    if (isAlone && state.lacks) return undefined
    // A given name alone says too little beside words that do more than ask.
    if (
      isAlone &&
      soft === 0 &&
      (hit & surnames) === 0 &&
      state.contexts === 0 &&
      (state.leftOut & ~this.#reading.text.asking) !== 0
    )
      return undefined
    return soft === 0 || this.#mayGuess(state, said) ? cost : undefined
  }

  /**
   * Words that say nothing of the person are left out beside a whole name, or beside the surname of one person that a
   * text asks about.
   */
  #mayLeaveOut(state: State, said: Said): boolean {
    const { all, hit, first, last, sure, soft, letters } = said
    const { extras, bad } = state
    if (extras === 0 || this.#isOneAskedAbout(state, said)) return true
    const isFull = (hit & first) !== 0 && (hit & last) !== 0 && sure + soft + letters > 1
    if (!isFull || sure === 0 || bad >= 1.2 || extras > bounds.extras) return false
    const lettersOfName = countOf(state.initials & this.#name.initials)
    return all > 1 && sure + soft + lettersOfName > 1
  }

  /** Whether all that is said is the surname of one person, and the text asks about somebody. */
  #isOneAskedAbout({ isOwned, isTold, whole, odds, lacks }: State, { sure, soft }: Said): boolean {
    if (sure !== 1 || soft > 0 || lacks || !isTold || !(isOwned || this.#reading.text.isAsking))
      return false
    if ((whole & this.#name.surnames) === 0) return false
    return this.#peopleBy(odds) <= bounds.askedAbout
  }

  /** The people who would be found by chance if nobody were meant, of the snapshot alone. */
  #peopleBy(odds: number): number {
    return (odds * (this.#authorities + bounds.unknownPeople)) / this.#authorities
  }

  /** How many would be found so by chance? */
  #mayGuess(state: State, { all, sure, soft, letters, first, last }: Said): boolean {
    const parts = sure + soft
    const isAlone = parts === 1 && letters === 0 && state.spelled === 0 && state.contexts === 0
    // Of one word alone everybody whom it may mean is counted.
    if (
      isAlone &&
      (this.#peopleBy(state.odds) > bounds.alone || state.shortest < bounds.aloneLetters)
    )
      return false
    const isWhole = sure > 0 && countOf(state.used & this.#name.core) === all
    const chance = isWhole && parts > 1 && !state.isKnown ? bounds.chanceOfWhole : bounds.chance
    if (!isAlone && !state.isBegun && state.odds > chance) return false
    // Words of further names may be of several of them.
    const { isOther } = this.#name
    if (isOther && parts > 1 && state.shortest < bounds.otherLetters) return false
    if (parts > 1 && (state.used & last) === 0) return false
    if (parts > 1) return state.bad <= (sure > 0 || isOther ? bounds.several : bounds.soft)
    // Where a word is a name as it is written no other one is meant: Zinke is no Finke.
    if (state.isSaying || state.bad > bounds.one) return false
    if (state.isBegun && state.shortest < bounds.begun) return false
    const isLast = all === 1 || (state.soft & last) !== 0
    const isFirst = letters === 0 && (state.soft & first) !== 0 && (state.isBegun || state.bad < 1)
    return isLast || isFirst
  }
}

/** The parts of a name that a text must say: their number, which are said, the ends, and numbers by how they are said. */
function saidIn({ used, whole, soft, initials }: State, core: number) {
  return {
    all: countOf(core),
    hit: used & core,
    first: core & -core,
    last: 1 << highestPart(core),
    sure: countOf(whole & core),
    soft: countOf(soft & core),
    letters: countOf(initials & core),
  }
}

type Said = ReturnType<typeof saidIn>

/** A name between both ends is passed over where the record has no initial there, and both ends are written. */
function mayPassOver(
  { whole, initials, between }: State,
  { all, hit, first, last }: Said,
  name: Name,
): boolean {
  if (countOf(hit) !== all || all < 2 || (whole & last) === 0 || name.initials !== 0) return false
  return (whole & first) !== 0 || (between === 'letter' && all === 2 && (initials & first) !== 0)
}

function isSureKind(kind: Kind): boolean {
  return kind === 'exact' || kind === 'script' || kind === 'nickname' || kind === 'plural'
}

export function lacksOffice(person: number, { holders, others }: Office): boolean {
  return !isIn(holders, person) && (others === undefined || isIn(others, person))
}

function isIn(people: DocSet, person: number): boolean {
  return people.mayContain(person) && people.contains(person)
}

/** The letters of tokens as they are read in Latin ones. */
function lettersSaidBy(tokens: readonly Token[]): number {
  let letters = 0
  for (const { text, spellings, isLatin } of tokens) {
    letters += isLatin ? text.length : spellings.at(-1)!.length
  }
  return letters
}

export function countOf(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1
  return count
}
