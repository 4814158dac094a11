/** Words that are a part of a name beside given names and surnames, or stand behind one: one table of each kind. */

const table = `
particle | inside a name | van von de da der den del della di du la le al el bin ibn abu ten ter zu dos das the of
generation | tells names apart | jr sr ii iii iv
behind | degrees | phd dphil md dds dvm jd pharmd ba ma mba bsc msc
behind | orders and honours | obe cbe mbe kbe
behind | memberships and offices | frs freng fba fmedsci frse frcp facs cpa rn mp msp mep qc kc esq
`

const kinds = new Map(
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [kind = '', , words = ''] = line.split(' | ')
      return words.split(' ').map((word) => [word, kind] as const)
    }),
)

/** Whether a word, as the analyzer spells it, may stand inside a name and be left out: van, al. */
export function isParticle(word: string): boolean {
  return kinds.get(word) === 'particle'
}

/** Whether a word tells people of one name apart: Jr. */
export function isGeneration(word: string): boolean {
  return kinds.get(word) === 'generation'
}

/** Whether a word is of letters that stand behind a name: FRS, MD, Jr. */
export function isBehindName(word: string): boolean {
  const kind = kinds.get(word)
  return kind === 'behind' || kind === 'generation'
}
