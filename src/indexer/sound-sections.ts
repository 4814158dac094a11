/** The terms of names by how they sound. A term that is found must be compared (`src/text/sound/sounds.ts`). */
import { uint32Column } from '../memory/columns.ts'
import { hashText, inBuckets } from '../memory/hash-buckets.ts'
import { countOf, textAt } from '../memory/text-table.ts'
import type { Sections } from '../snapshot/sections.ts'
import { textsOf } from '../snapshot/text-tables.ts'
import { isForeign, isVowelless, latinOf } from '../text/sound/latin.ts'
import { keysOf, latinKey, lettersMax } from '../text/sound/sound-keys.ts'
import { bucketed } from './text-sections.ts'

const letters = /^[\p{L}\p{M}]{2,}$/u

/** The sounds of all terms that names hold: about a microsecond a term. */
export function soundSections(
  sections: Pick<Sections, 'term.text' | 'term.starts' | 'name.starts'>,
) {
  const texts = textsOf({ sections }, 'term')
  const lists = sections['name.starts']
  const hashes = uint32Column()
  const terms = uint32Column()
  for (let term = 0; term < countOf(texts); term += 1) {
    if (lists[term] === lists[term + 1]) continue
    for (const key of soundsOfName(textAt(texts, term))) {
      hashes.push(hashText(key))
      terms.push(term)
    }
  }
  return bucketed('sound', inBuckets(hashes.view(), terms.view()))
}

/** The keys of a term's sounds, and that of its letters where they are not Latin ones. */
function soundsOfName(text: string): readonly string[] {
  if (!letters.test(text)) return []
  const latin = latinOf(text)
  const keys = keysOf({ latin, isVowelless: isVowelless(text) })
  const hasLatinKey = isForeign(text) && latin.length > 1 && latin.length <= lettersMax
  return hasLatinKey ? [...keys, latinKey(latin)] : keys
}
