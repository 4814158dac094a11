/**
 * Names as other scripts write them by their sounds: `シェイクスピア`, `셰익스피어` and `Шекспир` are Shakespeare. The keys
 * that may propose a name in Latin letters, and how far a name is from the sounds.
 *
 * Invariant: no consonant is left out or made up, but those that a script cannot write.
 */
import { lazily } from '../lazily.ts'
import { loanCosts } from '../tables/tables.made.ts'
import type { LoanScript } from './loan-script.ts'
import {
  distanceBy,
  exchangesOf,
  type KeySoFar,
  keyBegun,
  keyEnded,
  keyOn,
  type SoundCosts,
  soundsOf,
} from './sounds.ts'

const vowels = 'aeiouy'
/** Keys of one word at most: bounds the work of a long one. */
const keysMax = 96

/**
 * The keys by which `name-sounds` may hold a word: every way to read what its script does not tell apart. Ways that
 * have become the same key are followed once; they count towards the bound as before.
 */
export function loanKeysOf(sounds: string, script: LoanScript): readonly string[] {
  let keys = new Map([['', keyBegun]])
  let spellings = 1
  for (let at = 0; at < sounds.length; at += 1) {
    const all = choicesAt(sounds, at, script)
    const choices = all.length * spellings > keysMax ? all.slice(0, 1) : all
    spellings *= choices.length
    const longer = new Map<string, KeySoFar>()
    for (const key of keys.values()) {
      for (const choice of choices) {
        const next = keyOn(key, choice)
        const state = `${next.key} ${next.last} ${next.open}`
        if (!longer.has(state)) longer.set(state, next)
      }
    }
    keys = longer
  }
  return [...new Set(Array.from(keys.values(), keyEnded))]
}

/** The sounds of a name in Latin letters that a sound may stand for; a vowel keeps consonants apart. */
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
    case 'h':
      // A ch behind a vowel, and a g in Dutch: バッハ, ゴッホ.
      return isSyllabic && at > 0 ? ['h', 'k'] : ['h']
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
  // So is the j of German at the beginning: ヨハン.
  if (sounds[at] === 'i' && at === 0 && next !== undefined && vowels.includes(next))
    return ['a', 'j']
  // A vowel that only parts two consonants is none: ヘプバーン is Hepburn.
  if (parting.test(sounds.slice(Math.max(0, at - 1), at + 2))) return ['a', '']
  const isOpen = next === undefined || !(vowels.includes(next) || next === ':' || next === 'h')
  if (!isOpen) return ['a']
  const sound = sounds[at]!
  const isSecond = at > 0 && vowels.includes(sounds[at - 1]!)
  const mayHide =
    script === 'hangul' ? sound === 'o' || sound === 'a' : script === 'kana' && next === undefined
  const hidden = mayHide && (sound === 'a' || script === 'hangul') ? ['ar'] : []
  return isSecond && sound === 'u' ? ['a', ...hidden, 'av'] : ['a', ...hidden]
}

const otherCost = 3
const vowelCost = 0.25
const hiddenCost = 0.1

function loanCostsOf(isSyllabic: boolean): SoundCosts {
  const listed = new Map<string, number>()
  for (const entry of loanCosts().split(/[,\n]\s*/)) {
    const [one = '', other = '', cost = ''] = entry.split(' ')
    listed.set(one + other, Number(cost)).set(other + one, Number(cost))
  }
  if (isSyllabic) listed.set('rl', 0).set('lr', 0)
  const usual = (one: string, other: string) => {
    if (vowels.includes(one) && vowels.includes(other)) return vowelCost
    const isHidden =
      (one === '1' && vowels.includes(other)) || (other === '1' && vowels.includes(one))
    return isHidden ? hiddenCost : otherCost
  }
  const exchanges = exchangesOf((one, other) => listed.get(one + other) ?? usual(one, other))
  return { exchanges, atEnd: exchanges, added: addedCost, unheard: unheardCost }
}

/** Made by the first word of such a script. */
const costs = {
  letters: lazily(() => loanCostsOf(false)),
  syllabic: lazily(() => loanCostsOf(true)),
} as const

/** Whether no consonant differs. O(sounds²). @param names its `loanReadingsOf`. */
export function isNearLoan(
  sounds: string,
  names: readonly string[],
  script: LoanScript,
  isAlone: boolean,
): boolean {
  const { letters, syllabic } = costs
  const among = script === 'letters' ? letters() : syllabic()
  return names.some((name) => {
    const most = mostOf(name, isAlone)
    return distanceBy(among, sounds, name, most) <= most
  })
}

/**
 * The sounds that other scripts write for a name in Latin letters: as most languages read it; with the ch and eu of
 * German, Bach and Freud; with one long o for au and aw, Hawking.
 */
export function loanReadingsOf(latin: string): readonly string[] {
  const name = nameSoundsOf(latin)
  const readings = [name]
  if (name.includes('au')) readings.push(name.replace('au', 'o'))
  if (name.includes('eu')) readings.push(name.replace('eu', 'oi'))
  if (/[aeiou]r?ch/.test(latin)) readings.push(nameSoundsOf(latin, true))
  return readings
}

/** Sums of costs are not exact. */
const rounding = 1e-6

/** The greatest distance of a word from a name: a longer word may be farther away; a word alone is a guess. */
function mostOf({ length }: string, isAlone: boolean): number {
  return (isAlone ? 0.12 * length : Math.max(0.65, 0.15 * length)) + rounding
}

/** The sounds of a name with what other scripts write in two ways. @param isHard whether `ch` is that of Bach. */
function nameSoundsOf(latin: string, isHard = false): string {
  let spelled = latin
  if (spelled.includes('th')) spelled = spelled.replaceAll('th', '0')
  if (spelled.includes('w')) spelled = spelled.replace(/(?<=[aeo])w(?![aeiouy])/g, 'u')
  if (spelled.includes('r')) spelled = spelled.replace(/(?<=[aeiouy])r(?![aeiouyr])|r(?=e$)/g, '1')
  const sounds = soundsOf(spelled, isHard)
  // A w at the beginning is a glide, which is no v.
  return latin.startsWith('w') && sounds.startsWith('v') ? `w${sounds.slice(1)}` : sounds
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
    (sound === 'i' && 'cjxks'.includes(before)) ||
    before === 'h'
  const isDiphthong = vowels.includes(before) || vowels.includes(sounds[at + 1] ?? ' ')
  return isCarrier ? 0.1 : isDiphthong ? 0.2 : 0.35
}

function unheardCost(name: string, at: number): number {
  const sound = name[at]!
  if (sound === '1' || sound === 'h') return 0.1
  if (sound === 'e' && at === name.length - 1) return 0.05
  if (sound === 'g' && name[at - 1] === 'n') return 0.2
  if (!vowels.includes(sound)) return otherCost
  return vowels.includes(name[at - 1] ?? ' ') ? 0.15 : 0.3
}
