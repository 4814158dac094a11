/**
 * The key of the account that a service makes in an empty ledger: a terminal shows it once; otherwise it goes
 * into a file that only its owner can read, never into a log. The ledger notes it as shown only after that, so a
 * start that fails before loses nothing: the next one makes another key.
 */
import { join, resolve } from 'node:path'
import { Refusal } from '../../problems.ts'
import { privateFileMode } from '../../process/private-directory.ts'
import { writeDurably } from '../../snapshot/store/state-file.ts'

/** Report of a start that made a key and could not show it. */
export const unshownKey =
  "the key of the account 'default' was not shown; the next start makes another"

/** The first key, and the file that holds it; no file where a terminal shows it. */
export interface FirstKey {
  readonly text: string
  readonly file: string | undefined
}

/**
 * Writes a first key into the file `first-key`, unless stdout is a terminal, which shows it.
 * @param text undefined where the start made no key.
 * @throws Refusal `ledger-refused` when the file cannot be written.
 */
export function keepFirstKey(
  text: string | undefined,
  isSeen: boolean,
  directory: string,
): FirstKey | undefined {
  if (text === undefined) return undefined
  return { text, file: isSeen ? undefined : writeKeyFile(text, resolve(directory)) }
}

function writeKeyFile(text: string, directory: string): string {
  const path = join(directory, 'first-key')
  try {
    writeDurably(directory, 'first-key', `${text}\n`, privateFileMode)
    return path
  } catch (error) {
    const reason = `${path} could not be written: ${(error as Error).message}`
    throw new Refusal('ledger-refused', `${reason}; ${unshownKey}`)
  }
}
