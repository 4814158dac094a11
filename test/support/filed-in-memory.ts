/** Texts of a snapshot that is being made, in a file that is memory: for snapshots that are made without a directory. */
import type { BuiltSections } from '../../src/snapshot/file.ts'
import type { Counts } from '../../src/snapshot/sections.ts'
import { sectionNamesOf } from '../../src/snapshot/sections.ts'
import { FiledTexts } from '../../src/snapshot/texts/filed-texts.ts'

export function filedInMemory(): FiledTexts {
  let bytes = Buffer.alloc(0)
  return new FiledTexts({
    append: (more) => {
      bytes = Buffer.concat([bytes, more])
    },
    read: (into, length, position) => into.set(bytes.subarray(position, position + length)),
    close: () => {},
  })
}

export function withTexts(
  sections: BuiltSections,
  texts: FiledTexts,
  counts: Counts,
): BuiltSections {
  const pages = sectionNamesOf(counts).flatMap((name) => {
    const pieces = texts.piecesOf(name)
    if (pieces === undefined) return []
    return [[name, new Uint8Array(Buffer.concat(Array.from(pieces, (piece) => piece.slice())))]]
  })
  return { ...sections, ...Object.fromEntries(pages) }
}
