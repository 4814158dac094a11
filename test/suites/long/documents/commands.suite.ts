/** The documents that a reader follows command by command: every command works, and prints what the document says. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentNames, readDocument } from '../../../../scripts/document-tables.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { commandLines, isPrinted, runDocument } from '../../../support/document-commands.ts'
import { freePort } from '../../../support/processes/free-port.ts'
import { run } from '../../../support/program.ts'

const followed = [
  ['docs/getting-started.md', undefined, 10],
  ['docs/operations.md', 'Back up and restore', 3],
  ['docs/operations.md', 'Upgrade', 1],
] as const

test.each(followed)(
  '%s has commands that work and print what it says: %s',
  async (name, heading, least) => {
    const directory = join(temporaryDirectory(), 'empty')
    mkdirSync(directory)
    const replaced = { '8080': String(await freePort()) }
    const text = readDocument(name)
    const part =
      heading === undefined ? text : text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
    const steps = runDocument(part, { directory, replaced, timeoutMs: 300_000 })
    expect(steps.length).toBeGreaterThanOrEqual(least)
    const wrong = steps.filter(
      ({ printed, output }) => printed !== undefined && !isPrinted(printed, output),
    )
    expect(wrong).toEqual([])
  },
)

test('every command of every document takes the settings that stand behind it', async () => {
  const { stdout } = await run(['--help'])
  const names = [...stdout.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?)(?= [A-Z[]| {2})/gm)].map(
    ([, name = '']) => name,
  )
  const named = (words: readonly string[]) =>
    [2, 1].map((length) => words.slice(0, length).join(' ')).find((name) => names.includes(name))
  const lines = documentNames().flatMap((name) => commandLines(readDocument(name)))
  const used = new Set(lines.map(named).filter((name) => name !== undefined))
  expect(used.size).toBeGreaterThan(20)
  const helps = new Map<string, string>()
  for (const name of used) helps.set(name, (await run([...name.split(' '), '--help'])).stdout)
  const wrong = lines.filter((words) => {
    const help = helps.get(named(words) ?? '') ?? ''
    const flags = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split('=')[0]!)
    return flags.some((flag) => !new RegExp(`${flag}\\b(?!-)`).test(help))
  })
  expect(wrong).toEqual([])
})
