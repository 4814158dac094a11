/** Made-up words, and names of people in ten scripts, that read like real ones. */
import { type Random, Sampler, zipf } from '../../../test/support/random.ts'

const onsets = 'b c d f g h j k l m n p r s t v z br cr dr fl gr kl pr sh st tr'.split(' ')
const vowels = 'a e i o u a e i o ai ea io'.split(' ')
const codas = ['', '', '', '', 'n', 'r', 's', 'l', 'm', 'nd', 'st', 'x']

/** `count` different words in small letters, the first ones the shortest, as in any language. */
export function vocabulary(random: Random, count: number): string[] {
  const words = new Set<string>()
  while (words.size < count) {
    const syllables = words.size < count / 50 ? random.between(1, 2) : random.between(2, 4)
    words.add(wordOf(random, syllables))
  }
  return [...words]
}

function wordOf(random: Random, syllables: number): string {
  let word = ''
  for (let syllable = 0; syllable < syllables; syllable++) {
    word += random.pick(onsets) + random.pick(vowels)
  }
  return word + random.pick(codas)
}

interface Script {
  readonly share: number
  readonly units: readonly string[]
  readonly familyUnits: readonly [min: number, max: number]
  readonly givenUnits: readonly [min: number, max: number]
  /** Between the two words; a family name comes first where there is nothing between. */
  readonly separator: string
}

const alphabetic = { familyUnits: [2, 4], givenUnits: [2, 3], separator: ' ' } as const
const latin =
  'an be ca da el fi go ha is jo ka li ma na or pe ri sa to ul va we yo za mar len son ber'
const accented = 'né jü ña ós çe lø šk ří zé än är öd ła ță gō mé ía ué ñi ål ir an el so ma ri'
const cyrillic = 'ва ле ри на до ми тро ни ко лай сер гей ан др ей ма рья о льга ів ська ен ко ту'
const greek = 'γε ώρ γι ος μα ρί α νί κος ε λέ νη πα πά δό που λος κω στα ντί δη μή τρης'
const arabic = 'مح مد أح سا ري نو فا طم ها يو سف عب دل كر يم خا لد جم ال زي نب حس'
const hebrew = 'דו יד אב רה שר מש כה נע לי ות יו נת רח בן גל אל עד מי ור של'
const thai = 'สม ชัย พร วิ ชา นา รี สุ ดา มา ลี ศรี กิต ติ พงษ์ อร ธนา วัฒน์ จันทร์'
const hangul = '김 이 박 최 정 강 조 윤 장 임 민 서 준 현 지 우 영 수 진 호 은 하 윤 도 연 채'
const chinese =
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗伟芳娜敏静丽强磊军洋勇艳杰涛明超秀英华慧建文'
const kanji = '田中山本村木小川高橋佐藤鈴松井上林清水森池石原大野真美子太一健翔結花優陽菜悠斗'

const scripts: readonly Script[] = [
  { share: 60, units: latin.split(' '), ...alphabetic },
  { share: 12, units: accented.split(' '), ...alphabetic },
  { share: 7, units: cyrillic.split(' '), ...alphabetic },
  { share: 3, units: greek.split(' '), ...alphabetic },
  { share: 4, units: arabic.split(' '), ...alphabetic },
  { share: 2, units: hebrew.split(' '), ...alphabetic },
  { share: 2, units: thai.split(' '), ...alphabetic },
  { share: 5, units: [...chinese], familyUnits: [1, 1], givenUnits: [1, 2], separator: '' },
  { share: 2, units: [...kanji], familyUnits: [2, 2], givenUnits: [1, 2], separator: ' ' },
  { share: 3, units: hangul.split(' '), familyUnits: [1, 1], givenUnits: [2, 2], separator: '' },
]

const givenNames = 2_000
const familyNames = 20_000

/** Names of people: few given names carry many, as do few family names. */
export class Names {
  readonly #scripts = new Sampler(scripts.map(({ share }) => share))
  readonly #given: readonly string[][]
  readonly #family: readonly string[][]
  readonly #givenRanks = zipf(givenNames, 0.75)
  readonly #familyRanks = zipf(familyNames, 0.75)

  constructor(random: Random) {
    this.#given = scripts.map((script) => pool(random, script, script.givenUnits, givenNames))
    this.#family = scripts.map((script) => pool(random, script, script.familyUnits, familyNames))
  }

  draw(random: Random): string {
    const script = this.#scripts.draw(random)
    const given = this.#given[script]![this.#givenRanks.draw(random)]!
    const family = this.#family[script]![this.#familyRanks.draw(random)]!
    const { separator } = scripts[script]!
    return separator === '' ? family + given : given + separator + family
  }
}

function pool(
  random: Random,
  { units }: Script,
  [min, max]: readonly [number, number],
  count: number,
): string[] {
  return Array.from({ length: count }, () => {
    const length = random.between(min, max)
    return capitalized(Array.from({ length }, () => random.pick(units)).join(''))
  })
}

/** With its first letter large, in scripts that have large letters. */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
