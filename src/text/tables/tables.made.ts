/**
 * The tables of words beside this file, each a text: comments begin with `#`. The build keeps what these functions give
 * beside the program.
 */
import { readFileSync } from 'node:fs'

function table(name: string): string {
  const lines = readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('# ')).join('\n')
}

export const abbreviations = () => table('abbreviations')
export const families = () => table('families')
export const nouns = () => table('nouns')
