/**
 * Tokens of the keys of topics: the spellings of a term that is half written or has a slip. They find the keys that a
 * text may mean. A token is stored as its hash; a key found through a hash collision is compared with the text like any
 * other.
 */
import { type NumberColumn, uint32Column } from '../memory/columns.ts'
import { hashOn, hashText, inBuckets } from '../memory/hash-buckets.ts'
import { countOf, mixHash, noBytesHash, type Texts, textAt } from '../memory/text-table.ts'
import { tokenSlotBits, tokenSlots } from '../snapshot/sections.ts'
import { bucketed } from './text-sections.ts'

type ShowTokens = (term: string, show: (hash: number) => void) => void

/** The term up to each of its letters. */
const showBeginnings: ShowTokens = (term, show) => {
  let hash = noBytesHash
  for (let at = 0; at < term.length; at += 1) {
    hash = hashOn(hash, term, at, at + 1)
    show(mixHash(hash))
  }
}

/** The term; and of three letters or more without each of them, or two neighbours exchanged, but for the first. */
const showSlips: ShowTokens = (term, show) => {
  const { length } = term
  show(hashText(term))
  if (length < 3) return
  let before = hashOn(noBytesHash, term, 0, 1)
  for (let at = 1; at < length; at += 1) {
    show(mixHash(hashOn(before, term, at + 1, length)))
    if (at + 1 < length) {
      const exchanged = hashOn(hashOn(before, term, at + 1, at + 2), term, at, at + 1)
      show(mixHash(hashOn(exchanged, term, at + 2, length)))
    }
    before = hashOn(before, term, at, at + 1)
  }
}

/** The tokens of the keys of topics: 0.2 s of processor time for 14,000 keys of three terms. */
export function tokenSections(keys: Texts) {
  return {
    ...bucketed('topic-beginning', tokensOf(showBeginnings, keys)),
    ...bucketed('topic-slip', tokensOf(showSlips, keys)),
  }
}

function slotOf(index: number, terms: number): number {
  if (index === 0 || terms <= tokenSlots) return index
  return Math.trunc(((tokenSlots - 1) / terms) * index + 1)
}

/**
 * Each token once for a key, by slot in each bucket. O(letters), of slips O(letters of a term²).
 */
function tokensOf(showTokens: ShowTokens, keys: Texts) {
  const hashes = Array.from({ length: tokenSlots }, uint32Column)
  const places = Array.from({ length: tokenSlots }, uint32Column)
  const made = new Set<number>()
  for (let key = 0; key < countOf(keys); key += 1) {
    const terms = textAt(keys, key).split(' ')
    made.clear()
    for (const [index, term] of terms.entries()) {
      // A term before it has left this token, and is found by it.
      if (made.has(hashText(term))) continue
      const slot = slotOf(index, terms.length)
      showTokens(term, (hash) => {
        if (made.has(hash)) return
        made.add(hash)
        hashes[slot]!.push(hash)
        places[slot]!.push(key * (1 << tokenSlotBits) + slot)
      })
    }
  }
  return inBuckets(joined(hashes), joined(places))
}

function joined(columns: readonly NumberColumn<Uint32Array>[]): Uint32Array {
  const whole = uint32Column()
  for (const column of columns) whole.append(column.view())
  return whole.view()
}
