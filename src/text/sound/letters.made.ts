/**
 * How characters of all scripts are read aloud, from the tables of any-ascii, which take long to load. The build keeps
 * what this function gives.
 */
import anyAscii from 'any-ascii'

const blockSize = 256
const asciiMax = 0x7f
const codePointMax = 0x10_ffff

/**
 * The letters a to z of each character beyond ASCII, by the number of its block, which is its code point without the last
 * eight bits: those of the characters of a block in order, with a space between two of them.
 */
export function latinLetters(): Readonly<Record<string, string>> {
  const all: Record<string, string> = {}
  for (let first = 0; first <= codePointMax; first += blockSize) {
    const characters = Array.from({ length: blockSize }, (_, low) => first + low)
    const shown = characters.map((each) => (each <= asciiMax ? '' : String.fromCodePoint(each)))
    const read = anyAscii(shown.join('\t'))
      .toLowerCase()
      .replace(/[^a-z\t]/g, '')
    const letters = read.replaceAll('\t', ' ').trimEnd()
    if (letters !== '') all[first / blockSize] = letters
  }
  return all
}
