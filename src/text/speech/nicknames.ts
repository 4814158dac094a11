/**
 * Short forms of given names, both ways; never of family names. Of the pairs of one language
 * 384 also stand in names.csv of github.com/carltonnorthern/nicknames (Apache-2.0, commit 21d7505;
 * compared, not copied); the others are clippings, usual diminutives or other spellings. A pair is
 * in because adults in public life use it, never because a query needs it.
 */

import { nicknames, publicNames } from '../tables/tables.made.ts'

const shortNames = new Map(
  publicNames()
    .split('\n')
    .map((line) => line.split(' | ') as [short: string, name: string]),
)

/** The name of somebody whom the press calls by a short one, as the analyzer spells it. */
export function publicNameOf(short: string): string | undefined {
  return shortNames.get(short)
}

const fullForms = new Set<string>()
const others = new Map<string, Set<string>>()
for (const line of nicknames().split('\n')) {
  for (const names of line.slice(line.indexOf('|') + 1).split(';')) {
    const [full = '', ...short] = names.trim().split(' ')
    fullForms.add(full)
    for (const each of short) {
      add(full, each)
      add(each, full)
    }
  }
}

function add(name: string, other: string): void {
  const known = others.get(name)
  if (known === undefined) others.set(name, new Set([other]))
  else known.add(other)
}

const none: ReadonlySet<string> = new Set()

/** Other forms of a given name, as the analyzer spells them: the full one of a short one, or the short ones. */
export function otherForms(given: string): ReadonlySet<string> {
  return others.get(given) ?? none
}

/** Other short forms of the names that a given name is short for: Chuck, of Charlie. */
export function secondForms(given: string): ReadonlySet<string> {
  if (!others.has(given)) return none
  const full = [...otherForms(given)].filter((name) => fullForms.has(name))
  return new Set(full.flatMap((name) => [...otherForms(name)]).filter((form) => form !== given))
}
