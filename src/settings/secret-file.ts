/** Files with secrets that signatures are made with. */
import { readFileSync } from 'node:fs'
import { Refusal } from '../problems.ts'

/** Fewer bytes could be guessed. */
const secretBytesMin = 32

/**
 * The secret in a file.
 * @param flag of the setting that names the file.
 * @throws Refusal `wrong-usage` for a file that cannot be read, or holds too little.
 */
export function readSecretFile(flag: string, path: string): Uint8Array {
  let secret: Uint8Array
  try {
    secret = readFileSync(path)
  } catch (error) {
    throw new Refusal('wrong-usage', `${flag} cannot be read: ${(error as Error).message}`)
  }
  if (secret.length >= secretBytesMin) return secret
  throw new Refusal('wrong-usage', `${flag}: a secret has ${secretBytesMin} bytes or more`)
}
