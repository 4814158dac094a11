/** The documents that a reader follows command by command: every command works, and prints what the document says. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../../../../scripts/document-tables.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { isPrinted, runDocument } from '../../../support/document-commands.ts'
import { freePort } from '../../../support/processes/free-port.ts'

describe.each(['docs/tutorial.md', 'docs/how-to/backups.md', 'docs/how-to/upgrades.md'])(
  '%s',
  (name) => {
    test('has commands that work and print what it says', async () => {
      const directory = join(temporaryDirectory(), 'empty')
      mkdirSync(directory)
      const replaced = { '8080': String(await freePort()) }
      const steps = runDocument(readDocument(name), { directory, replaced, timeoutMs: 300_000 })
      expect(steps.length).toBeGreaterThan(3)
      const wrong = steps.filter(
        ({ printed, output }) => printed !== undefined && !isPrinted(printed, output),
      )
      expect(wrong).toEqual([])
    })
  },
)
