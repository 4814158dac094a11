/** Reads the tables of words beside this file. Only what the build runs may read them: the program has what it made. */
import { readFileSync } from 'node:fs'

/** The lines of a table; those that begin with `#` and a space are comments. */
export function tableText(name: string): string {
  const lines = readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('# ')).join('\n')
}
