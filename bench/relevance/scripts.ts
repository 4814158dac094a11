/** The scripts that names are written in. */

/** Scripts as Unicode calls them; a name is of the first one that its letters are of. */
export const scripts = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Thai',
  'Hiragana',
  'Katakana',
  'Han',
  'Hangul',
] as const

/** One of the scripts. */
export type Script = (typeof scripts)[number]

/** Those in which words stand without spaces between them. */
const unspaced: readonly (Script | undefined)[] = ['Thai', 'Hiragana', 'Katakana', 'Han', 'Hangul']

/** Whether words of a text have no spaces between them. */
export function isUnspaced(text: string): boolean {
  return unspaced.includes(scriptOf(text))
}

const shapes = scripts.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const)

/** The script of a text's first letter; undefined where it is of none of these. */
export function scriptOf(text: string): Script | undefined {
  const letter = /\p{L}/u.exec(text)?.[0] ?? ''
  return shapes.find(([, shape]) => shape.test(letter))?.[0]
}

/** The letters that words in each script are made of, each as often as it comes. */
export function lettersOf(texts: readonly string[]): ReadonlyMap<Script, readonly string[]> {
  const letters = new Map<Script, string[]>()
  for (const text of texts) {
    for (const letter of text.toLowerCase()) {
      const script = scriptOf(letter)
      if (script === undefined) continue
      const known = letters.get(script) ?? []
      letters.set(script, known)
      known.push(letter)
    }
  }
  return letters
}
