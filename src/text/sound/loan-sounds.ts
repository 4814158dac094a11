/**
 * Names as other scripts write them by their sounds: `シェイクスピア`, `셰익스피어` and `Шекспир` are Shakespeare. The keys
 * that may propose a name in Latin letters, and how far a name is from the sounds.
 *
 * Invariant: no consonant is left out or made up, but those that a script cannot write.
 */
import type { LoanScript } from './loan-script.ts'
import { soundKey, soundsOf } from './sounds.ts'

const vowels = 'aeiouy'
/** Keys of one word at most: bounds the work of a long one. */
const keysMax = 96

/** The keys by which `name-sounds` may hold a word: every way to read what its script does not tell apart. */
export function loanKeysOf(sounds: string, script: LoanScript): readonly string[] {
  let spellings = ['']
  for (let at = 0; at < sounds.length; at += 1) {
    const choices = choicesAt(sounds, at, script)
    if (choices.length * spellings.length > keysMax) {
      spellings = spellings.map((spelling) => spelling + choices[0]!)
    } else {
      spellings = spellings.flatMap((spelling) => choices.map((choice) => spelling + choice))
    }
  }
  return [...new Set(spellings.map(soundKey))]
}

/** What a sound may be of in a name in Latin letters; a vowel keeps consonants apart. */
function choicesAt(sounds: string, at: number, script: LoanScript): readonly string[] {
  const sound = sounds[at]!
  const isSyllabic = script !== 'letters'
  const [before = '', next = ''] = [sounds[at - 1], sounds[at + 1]]
  switch (sound) {
    case 'r':
      return isSyllabic ? ['r', 'l'] : ['r']
    case 'b':
      return isSyllabic ? ['b', 'v'] : ['b']
    case 'p':
      return script === 'hangul' ? ['p', 'f'] : ['p']
    case 's':
      return isSyllabic ? ['s', 't'] : ['s']
    case 'j':
      return script === 'kana' ? ['j', 'd'] : ['j']
    case 'k':
      return script === 'letters' && at === 0 ? ['k', ''] : ['k']
    case 'n':
      if (next === 'b' || next === 'p') return ['m', 'n']
      // Of Washington only the n is heard.
      return next === 't' || next === 's' ? ['n', 'nk'] : ['n']
    case 'w':
      return ['v', '']
    case ':':
      // A long vowel hides an r, or the w of Crowley.
      return before === 'u' || before === 'o' ? ['a', 'r', 'v'] : ['a', 'r']
    default:
      return vowels.includes(sound) ? vowelChoices(sounds, at, script) : [sound]
  }
}

const parting = /^(?:[pbfv][uy][pbfv]|[td][oy][td]|[kg][uy][kg])$/

/** Behind a vowel at the end of a syllable an r may be hidden, behind u a w. */
function vowelChoices(sounds: string, at: number, script: LoanScript): readonly string[] {
  const next = sounds[at + 1]
  // Before another vowel u may be a w.
  if (sounds[at] === 'u' && next !== undefined && vowels.includes(next)) return ['a', 'v']
  // A vowel that only parts two consonants is none: ヘプバーン is Hepburn.
  if (parting.test(sounds.slice(Math.max(0, at - 1), at + 2))) return ['a', '']
  const isOpen = next === undefined || !(vowels.includes(next) || next === ':')
  if (!isOpen) return ['a']
  const sound = sounds[at]!
  const isSecond = at > 0 && vowels.includes(sounds[at - 1]!)
  const mayHide =
    script === 'hangul' ? sound === 'o' || sound === 'a' : script === 'kana' && next === undefined
  const hidden = mayHide && (sound === 'a' || script === 'hangul') ? ['ar'] : []
  return isSecond && sound === 'u' ? ['a', ...hidden, 'av'] : ['a', ...hidden]
}

/** What a sound costs for another, by both; `0` is th, `1` an r that may not be heard. */
const exchanges = new Map<string, number>()
const exchangeTable = `
0 s 0.05, 0 t 0.05, 0 d 0.1, 1 r 0, 1 l 0
b v 0.05, b f 0.3, p v 0.25, b p 0.6, d t 0.35, j d 0.25, g k 0.25, p f 0.15, h f 0.15
x s 0.15, c s 0.4, j s 0.15, c t 0.2, c x 0.15, c j 0.25, g j 0.2, i j 0.3
w u 0.1, w o 0.15, w v 0.1, v u 0.2, n m 0.3, k h 0.2, g h 0.2
`
for (const entry of exchangeTable.trim().split(/[,\n]\s*/)) {
  const [one = '', other = '', cost = ''] = entry.split(' ')
  exchanges.set(one + other, Number(cost))
  exchanges.set(other + one, Number(cost))
}
const otherCost = 3
const vowelCost = 0.25

/** How far a name in Latin letters is from the sounds of a word; at least 3 where a consonant differs. O(sounds²). */
export function loanDistance(sounds: string, latin: string, script: LoanScript): number {
  const name = nameSoundsOf(latin)
  // Of au and aw one long o may be heard: Hawking.
  const distance = distanceTo(sounds, name, script)
  return name.includes('au')
    ? Math.min(distance, distanceTo(sounds, name.replace('au', 'o'), script))
    : distance
}

function distanceTo(sounds: string, name: string, script: LoanScript): number {
  const row = [0]
  for (let at = 0; at < name.length; at += 1) row.push(row[at]! + unheardCost(name, at))
  for (let from = 0; from < sounds.length; from += 1) {
    const added = addedCost(sounds, from)
    let diagonal = row[0]!
    row[0] = diagonal + added
    for (let to = 0; to < name.length; to += 1) {
      const instead = diagonal + exchangeCost(sounds[from]!, name[to]!, script)
      diagonal = row[to + 1]!
      row[to + 1] = Math.min(instead, diagonal + added, row[to]! + unheardCost(name, to))
    }
  }
  return row.at(-1)!
}

/** How far a word may be from a name: the more it says, the farther; a word alone is a guess by nothing else. */
export function loanDistanceMax(latin: string, isAlone: boolean): number {
  const { length } = nameSoundsOf(latin)
  return isAlone ? 0.12 * length : Math.max(0.65, 0.15 * length)
}

/** The sounds of a name with what other scripts write in two ways. */
function nameSoundsOf(latin: string): string {
  const spelled = latin
    .replaceAll('th', '0')
    .replace(/(?<=[aeo])w(?![aeiouy])/g, 'u')
    .replace(/(?<=[aeiouy])r(?![aeiouyr])|r(?=e$)/g, '1')
  // A w at the beginning is a glide, which is no v.
  return soundsOf(spelled).replace(/^v/, latin.startsWith('w') ? 'w' : 'v')
}

function exchangeCost(one: string, other: string, script: LoanScript): number {
  if (one === other) return 0
  if (one === ':') return other === '1' ? 0 : otherCost
  if (vowels.includes(one) && vowels.includes(other)) return vowelCost
  if (vowels.includes(one) && other === '1') return 0.1
  if (script !== 'letters' && one === 'r' && other === 'l') return 0
  return exchanges.get(one + other) ?? otherCost
}

/** A sound of the word that the name has not: vowels that a syllable needs cost little. */
function addedCost(sounds: string, at: number): number {
  const sound = sounds[at]!
  const before = sounds[at - 1] ?? ''
  if (sound === ':') return 0
  if (sound === 'y') return 0.02
  if (sound === 'h') return 0.2
  if (sound === 'w') return 0.3
  if (!vowels.includes(sound)) return otherCost
  const isCarrier =
    (sound === 'u' && !vowels.includes(before)) ||
    (sound === 'o' && (before === 't' || before === 'd')) ||
    (sound === 'i' && 'cjxks'.includes(before))
  const isDiphthong = vowels.includes(before) || vowels.includes(sounds[at + 1] ?? ' ')
  return isCarrier ? 0.1 : isDiphthong ? 0.2 : 0.35
}

/** A sound of the name that is not heard in the word. */
function unheardCost(name: string, at: number): number {
  const sound = name[at]!
  if (sound === '1' || sound === 'h') return 0.1
  if (sound === 'e' && at === name.length - 1) return 0.05
  if (sound === 'g' && name[at - 1] === 'n') return 0.2
  if (!vowels.includes(sound)) return otherCost
  return vowels.includes(name[at - 1] ?? ' ') ? 0.15 : 0.3
}
