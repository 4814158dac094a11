/**
 * What it costs to take a text for a name: the one table of costs and bounds of the matcher. The cheapest reading
 * wins; a cost of 1 is one slip. Each row says which kind of text needs it.
 */

/** Costs of what departs from a name as it is written. */
export const costs = {
  /** Words of the text that are one in the name, or a word that is several there: `ocasiocortez`, `yo yo ma`. */
  joined: 0.1,
  /** Parts of a name in one word, some left out between them, or the surname first: `johnsmith`, `smithjohn`. */
  ends: 0.1,
  reversed: 0.3,
  /** A vowel for an umlaut: `Mueller`. */
  respelled: 0.05,
  /** A word in another script that is read as the name: `Шумер`. */
  script: 0.2,
  /** A possessive without its apostrophe: `cruzs`. */
  plural: 0.3,
  /** A nickname for the given name, or the other way round: `chuck grassley`. */
  nickname: 0.3,
  /** Another short form of the same given name. */
  secondNickname: 0.5,
  /** The first letters of a word: `ted cru`. */
  begins: 0.5,
  /** A slip; in a word of four letters; and two in a long one. */
  slip: 1,
  shortSlip: 1.3,
  twoSlips: 1.6,
  /** A slip in the first letter, which is hardly ever wrong. */
  firstLetter: 0.3,
  /** A word that sounds the same: `jon smyth`. */
  sound: 1,
  /** A word in another script that sounds nearly so: `Тед Круз`, `テッド・クルーズ`. */
  loan: 0.6,
  /** A letter for a word of the name, and a row of them: `Cruz T`, `AOC`. */
  initial: 0.3,
  initials: 0.35,
  /** A word for a letter of the name: `Terri Anne Sewell`, of Terri A. Sewell. */
  spelledOut: 0.4,
  /** A letter for the surname. */
  lastInitial: 0.15,
  /** The parts in another order: `Cruz, Ted`. */
  order: 0.1,
  /** Parts that the text leaves out: between both ends, the given name, the surname, both. */
  missingMiddle: 0.02,
  missingFirst: 0.3,
  missingLast: 0.55,
  missingOther: 0.5,
  /** Words around a name: of asking, of its subject, of a craft, a title. */
  aside: { asks: 0.02, about: 0.05, practises: 0.1, title: 0.1 },
  /** The title of an office that the person does not hold, and some other does. */
  noOffice: 0.5,
  /** Letters behind a name: `Ted Cruz FRS`. */
  letters: 0.1,
  /** A usual word beside a whole name: `ted cruz speech yesterday`. */
  common: 0.5,
  /** A name between both ends that the record does not know: `Geoffrey Everest Hinton`; and a letter there. */
  between: 1,
  betweenLetter: 0.8,
  /** A topic, a place or a word of the person beside the name; and each beside its own cost. */
  topic: 0.05,
  code: 0.15,
  word: 0.3,
  /** Another word for a topic: physicists, of Physics. */
  related: 0.35,
  context: 0.05,
  /** A further name of a person. */
  otherName: 0.01,
} as const

/** Bounds of what is taken for a name. */
export const bounds = {
  /** Of the whole text. */
  total: 3.5,
  /** Of the guesses: of one word alone, of several beside a sure one, of nothing but guesses. */
  one: 1.3,
  several: 1.75,
  soft: 2.6,
  /**
   * Strangers to be expected among the people of the snapshot by chance; where a whole name is said but for a slip in a
   * word that nobody is called by (`Vaber Wan`); of one word alone, people who have such a name.
   */
  chance: 0.3,
  chanceOfWhole: 3,
  alone: 4,
  /** Of a surname that a text asks about, beside words that say nothing: one person. */
  askedAbout: 2.5,
  /** Letters of the shortest surname that stands so. */
  surname: 4,
  /** Letters of the shortest word that is guessed alone. */
  aloneLetters: 5,
  /** And of the shortest that is guessed beside a word of a further name: `ron paul`, of Aaron alias Paul Bean. */
  otherLetters: 4,
  /** People beside those of the snapshot by whom a chance is reckoned: a few records say little of how rare a name is. */
  unknownPeople: 100,
  /** Letters of the shortest beginning that stands alone for a name. */
  begun: 5,
  /** People whose readings cost so much more than the cheapest are found behind them. */
  near: 0.45,
  /** A sure reading that costs more is weighed against guesses. */
  sure: 0.95,
  /** Common words beside a whole name. */
  extras: 3,
} as const
