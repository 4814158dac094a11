/** Handles that are a name and nothing else, by their characters alone: no rule touches them. */

/** The byte in the key for each byte of a handle; 0 for a byte that makes the handle more than a name. */
export const keyCharacters: Uint8Array = new Uint8Array(256)
for (const character of '0123456789abcdefghijklmnopqrstuvwxyz_-.') {
  keyCharacters[character.charCodeAt(0)] = character.charCodeAt(0)
  keyCharacters[character.toUpperCase().charCodeAt(0)] = character.charCodeAt(0)
}

const [hyphen, dot] = [0x2d, 0x2e]
const [smallC, smallM, smallO, smallU, smallY] = Buffer.from('cmouy')
const channelLength = 24
const orcidLength = 19

/**
 * Whether a handle with this key may mean more than a name: the id of a YouTube channel, in which case counts, an
 * ORCID iD with its check digit, a host that names a person (.com, .io, .gy), or a name and a full stop.
 */
export function isMoreThanName(key: string): boolean {
  const { length } = key
  if (length === channelLength && key.startsWith('uc')) return true
  if (length === orcidLength && key.charCodeAt(4) === hyphen) return true
  const last = key.charCodeAt(length - 1)
  return last === dot || (endsHosts(last) && /\.(?:com|io|gy)$/.test(key))
}

/** The same of a key in memory: `bytes[start, end)`. */
export function isMoreThanKey(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start
  if (length === channelLength && bytes[start] === smallU && bytes[start + 1] === smallC)
    return true
  if (length === orcidLength && bytes[start + 4] === hyphen) return true
  const last = bytes[end - 1]!
  if (last === dot) return true
  if (!endsHosts(last)) return false
  return bytes[end - (last === smallM ? 4 : 3)] === dot
}

function endsHosts(last: number): boolean {
  return last === smallM || last === smallO || last === smallY
}
