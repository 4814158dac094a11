/**
 * A process that closes the ledger as the last one destroys the mutexes that LMDB keeps in its lock file, maybe while
 * another process opens it. The ledger can be opened and written all the same.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { openEnvironment, withEnvironment } from '../../../../src/ledger/lmdb/environment.ts'
import { statementOf } from '../../../../src/ledger/lmdb/views/statement.ts'
import { newEnvironment, startMs } from '../../../support/ledger-fixture.ts'
import { compiled } from '../../../support/processes/compiled.ts'

const clock = () => startMs
/** The kind of a mutex that is robust and shared by processes. */
const sharedKind = 144

/** A process that has the ledger open, and does nothing with it: LMDB makes no mutex anew while there is one. */
async function holdOpen(directory: string): Promise<void> {
  const holder = compiled(join(import.meta.dirname, '..', 'lmdb', 'holder.ts'))
  const words = [holder, directory, 'read']
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  await once(child.stdout, 'data')
}

/** As `pthread_mutex_destroy` of glibc does. @returns how many there were. */
function destroyMutexes(path: string): number {
  const bytes = readFileSync(path).subarray(0, 256)
  const descriptor = openSync(path, 'r+')
  const kinds = Array.from({ length: bytes.length / 4 }, (_, word) => word * 4).filter(
    (offset) => bytes.readInt32LE(offset) === sharedKind,
  )
  for (const offset of kinds) writeSync(descriptor, Buffer.alloc(4, 0xff), 0, 4, offset)
  return kinds.length
}

// The layout that the test looks for is that of glibc on a little-endian machine.
describe.runIf(endianness() === 'LE')('mutexes that the last process destroyed', () => {
  test('are mended by those who open the ledger next', async () => {
    const { directory, close } = await ledger()
    await close()
    await holdOpen(directory)
    expect(destroyMutexes(join(directory, 'ledger.mdb-lock'))).toBe(3)
    for (const reference of ['one', 'two']) {
      const environment = openEnvironment({ directory, clock })
      topUp(environment, 'first', 1, reference)
      await environment.close()
    }
    await withEnvironment({ directory, clock }, (environment) => {
      const references = statementOf(environment, 'first').credits.map((each) => each.reference)
      expect(references).toEqual([null, 'one', 'two'])
      expect(audit(environment).contradictions).toEqual([])
    })
  })
})

async function ledger() {
  const environment = newEnvironment()
  createAccount(environment, 'first')
  return { directory: environment.directory, close: () => environment.close() }
}
