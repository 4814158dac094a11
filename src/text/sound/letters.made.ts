/**
 * Letters by which characters of all scripts are read, from the tables of any-ascii, which take long to load. The build keeps
 * what this function gives.
 */
import anyAscii from 'any-ascii'

const blockSize = 256
const asciiMax = 0x7f
/** Planes of Unicode that any character is assigned in, but for private use. */
const planes = [0, 1, 2, 3, 14]
const blocksOfPlane = 256

/**
 * The letters a to z of each character beyond ASCII, by the number of its block, which is its code point without the last
 * eight bits: those of the characters of a block in order, with a space between two of them.
 */
export function latinLetters(): Readonly<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const plane of planes) {
    const end = (plane + 1) * blocksOfPlane
    for (let block = plane * blocksOfPlane; block < end; block += 1) {
      const letters = lettersOfBlock(block * blockSize)
      if (letters !== '') all[block] = letters
    }
  }
  return all
}

function lettersOfBlock(first: number): string {
  let characters = ''
  for (let code = first; code < first + blockSize; code += 1) {
    if (code > asciiMax) characters += String.fromCodePoint(code)
    characters += '\t'
  }
  const read = anyAscii(characters).toLowerCase()
  return read
    .replace(/[^a-z\t]+/g, '')
    .replaceAll('\t', ' ')
    .trimEnd()
}
