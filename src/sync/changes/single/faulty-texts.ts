/** Texts that a program has spoiled: read in a wrong encoding, escaped for a page, or left empty by name. */

/** Letters of UTF-8 read as Latin-1 or Windows-1252, references of HTML, its tags, and what was lost. */
const spoiled =
  /[ÂÃâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|&(?:#x?[\da-f]+|[a-z]{2,8});|<\/?[a-z][^<>]*>|\ufffd/i
/** Texts that programs write in place of a missing value. */
const placeholder = /^(?:null|undefined|none|nan|nil|n\/?a|unknown|-+|\[object object\])$/i

/** Whether a text is spoiled. */
export function isSpoiled(text: string): boolean {
  return spoiled.test(text)
}

/** Whether a text stands for none. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text)
}
