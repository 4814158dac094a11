/** What the start of a service says of who is served the explorer; that it is so is for the tests of the explorer. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { endOf, start } from '../../../support/program.ts'

async function printedBy(words: readonly string[]): Promise<string> {
  const data = temporaryDirectory()
  const child = start(['serve', '--port', '0', '--threads', '1', '--data', data, ...words])
  let printed = ''
  await new Promise<void>((resolve) => {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.includes('serving snapshot')) resolve()
    })
  })
  child.kill('SIGTERM')
  await endOf(child)
  return printed
}

it.each([
  ['', 'for browsers of this computer, not through a proxy;', true],
  ['--host 0.0.0.0 --explorer local', 'for browsers of this computer, not through a proxy;', true],
  ['--explorer on', 'for every browser that reaches this address', true],
  ['--explorer off', 'off;', false],
])(
  'a start with %j says whom it serves the explorer, and where it is',
  async (words, reach, isOpen) => {
    const printed = await printedBy(words.split(' ').filter((word) => word !== ''))
    expect(printed).toContain(`\nexplorer: ${reach}`)
    expect(/\nopen: http:\/\/127\.0\.0\.1:\d+\/\n/.test(printed)).toBe(isOpen)
  },
)
