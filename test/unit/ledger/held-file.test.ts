/** A command that cannot look at the ledger says so in one line. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refuseUnlessHeld } from '../../../src/ledger/sql/sqlite/held-file.ts'
import { temporaryDirectory } from '../../support/built.ts'

test('a directory that cannot be looked into is refused with what the command needs', async () => {
  const loop = join(temporaryDirectory(), 'data')
  symlinkSync(loop, loop)
  const message = /cannot be looked at: ELOOP.*the rights of the user whom the service runs as/
  await expect(refuseUnlessHeld(loop)).rejects.toMatchObject({
    code: 'ledger-refused',
    message: expect.stringMatching(message),
  })
})
