/**
 * The text of an API key: `aik_`, 30 random base62 characters, and 6 base62 characters of the
 * CRC-32 of what stands before them, so that a typo is found without a look-up. It is shown once
 * and never stored; its SHA-256 is. Admin keys begin with `aik_admin_`.
 */
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Returns a whole number from 0 below a limit, each as likely. */
type Draw = (limit: number) => number

const prefix = 'aik_'
const adminPrefix = `${prefix}admin_`
const secretLength = 30
const checksumLength = 6

export const keyLength = prefix.length + secretLength + checksumLength

const idAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secret = `[0-9A-Za-z]{${secretLength + checksumLength}}`
const mention = new RegExp(`${prefix}(?:admin_)?${secret}`)
const shape = new RegExp(`^${prefix}${secret}$`)
const adminShape = new RegExp(`^${adminPrefix}${secret}$`)

/** A new key: 62³⁰ equally likely texts, 178 bits. */
export function newKeyText(draw: Draw = randomInt, start = prefix): string {
  const body = start + randomText(secretLength, alphabet, draw)
  return body + checksumOf(body)
}

/** A new admin key: as a key, but `aik_admin_` at its beginning, so that neither can stand for the other. */
export function newAdminKeyText(): string {
  return newKeyText(randomInt, adminPrefix)
}

/** A new public name for a key: `key_` and 10 characters, drawn apart from the key itself. */
export function newKeyId(): string {
  return `key_${randomText(10, idAlphabet, randomInt)}`
}

export function newAdminKeyId(): string {
  return `adm_${randomText(10, idAlphabet, randomInt)}`
}

/** Whether the text can be a key at all: its shape and its checksum. Says nothing of its validity. */
export function isWellFormedKey(text: string): boolean {
  return shape.test(text) && hasItsChecksum(text)
}

export function isWellFormedAdminKey(text: string): boolean {
  return adminShape.test(text) && hasItsChecksum(text)
}

function hasItsChecksum(text: string): boolean {
  return text.endsWith(checksumOf(text.slice(0, -checksumLength)))
}

/** Names, labels and references that hold a key are refused: they are listed and logged. */
export function mentionsKey(text: string): boolean {
  return mention.test(text)
}

/** For answers that repeat what was sent: also the beginning of a key is hidden. */
export function withoutKeys(text: string): string {
  return text.replace(/aik_\w+/g, `${prefix}*`)
}

/** For whole messages, which may show the form of a key (`aik_…`). */
export function withoutWholeKeys(text: string): string {
  return text.replace(/aik_\w{36,}/g, `${prefix}*`)
}

/** A plain hash is enough for 178 random bits: slow ones protect what can be guessed. */
export function keyHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Six base62 digits hold every CRC-32: 62⁶ is above 2³². */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

function randomText(length: number, characters: string, draw: Draw): string {
  return Array.from({ length }, () => characters[draw(characters.length)]).join('')
}
