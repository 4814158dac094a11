/** The website of a person as it is compared: in small letters, without scheme, `www.` and a slash at the end. */
import { equal } from '../../memory/text-table.ts'

export const websiteBytesMax = 300

const quote = 0x22
const backslash = 0x5c
const slash = 0x2f
const close = 0x7d
const member = Buffer.from(',"website":')
const www = Buffer.from('www.')
const read = new Uint8Array(websiteBytesMax)
const none = read.subarray(0, 0)

/** The website in a profile, `text[from, to)`; empty where there is none. Good until the next call. */
export function websiteIn(text: Uint8Array, from: number, to: number): Uint8Array {
  let end = to - 2
  if (text[to - 1] !== close || text[end] !== quote) return none
  let start = end
  const least = Math.max(from, end - websiteBytesMax)
  while (start > least && text[start - 1] !== quote) start -= 1
  if (start === least || text[start - 2 - member.length] === backslash) return none
  if (!equal(text, start - 1 - member.length, member, 0, member.length)) return none
  start += text[start + 4] === 0x73 ? 'https://'.length : 'http://'.length
  while (end > start && text[end - 1] === slash) end -= 1
  for (let at = start; at < end; at += 1) read[at - start] = lower(text[at]!)
  const length = Math.max(0, end - start)
  const isShort = length < www.length || !equal(read, 0, www, 0, www.length)
  return read.subarray(isShort ? 0 : www.length, length)
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}
