/** A client that asks for access, from a document or a registration. Its name is its own claim. */
import { mentionsKey } from '../../ledger/books/key.ts'

export interface OAuthClient {
  readonly id: string
  /** The name that it gives itself: one line without invisible characters. */
  readonly name: string
  readonly redirects: readonly string[]
  /** The host of its document; undefined for a registered client, whose name any program can use. */
  readonly host: string | undefined
}

const nameCharactersMax = 50

/** A name in the form in which it may be shown and be a label. */
export function shownName(value: unknown): string {
  const text = typeof value === 'string' ? value.slice(0, 1_000) : ''
  const line = text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
  const name = [...line].slice(0, nameCharactersMax).join('').trim()
  return name === '' || mentionsKey(name) ? 'a client without a name' : name
}
