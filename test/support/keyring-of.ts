/** Keyrings that have keys, as if these had been sent and looked up. */
import { keyHash } from '../../src/ledger/books/key.ts'
import { type KeyOwner, Keyring } from '../../src/ledger/live/keyring.ts'

interface HeldKey {
  readonly text: string
  readonly owner: KeyOwner
  readonly expiresAtMs?: number
}

export function keyringOf(keys: readonly HeldKey[], clock: () => number = () => 0): Keyring {
  const keyring = new Keyring(clock)
  for (const key of keys) handKey(keyring, key)
  return keyring
}

/** Hands a key to a keyring that has it looked up. */
export function handKey(
  keyring: Keyring,
  { text, owner, expiresAtMs = Number.POSITIVE_INFINITY }: HeldKey,
): void {
  void keyring.seek(`Bearer ${text}`)
  keyring.take({ changed: [], keys: [{ ...owner, hash: keyHash(text), expiresAtMs }], bad: [] })
}
