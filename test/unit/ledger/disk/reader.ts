/**
 * A process that damages a copy of a ledger again and again, each time elsewhere, and then reads all
 * of it and, where nothing is wrong, writes to it. What it prints is one line for each; a crash is that a line is missing.
 */
import { copyFileSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { withEnvironment } from '../../../../src/ledger/lmdb/environment.ts'
import { Refusal } from '../../../../src/problems.ts'

const [original = '', directory = '', from = '0', until = '0'] = process.argv.slice(2)
const path = join(directory, 'ledger.mdb')
const bytes = readFileSync(original)

/** Numerical Recipes' generator: the same damages every time. */
function random(seed: number): number {
  return (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
}

function damage(number: number): void {
  copyFileSync(original, path)
  const place = random(random(number)) % bytes.length
  const length = [1, 2, 8, 512, 4096][number % 5]!
  const value = number % 2 === 0 ? 0 : random(number + 7) & 0xff
  writeSync(
    openSync(path, 'r+'),
    Buffer.alloc(Math.min(length, bytes.length - place), value),
    0,
    undefined,
    place,
  )
}

for (let number = Number(from); number < Number(until); number += 1) {
  damage(number)
  try {
    const found = await withEnvironment({ directory, clock: Date.now }, (environment) => {
      const { contradictions } = audit(environment)
      if (contradictions.length === 0) topUp(environment, 'first', 1, `after ${number}`)
      return contradictions.length
    })
    process.stdout.write(`${number} read ${found}\n`)
  } catch (error) {
    const code =
      error instanceof Refusal
        ? error.code
        : `bug ${String((error as Error).stack).replaceAll('\n', ' ')}`
    process.stdout.write(`${number} ${code}\n`)
  }
}
