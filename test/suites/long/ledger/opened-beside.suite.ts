/** Processes that open the ledger beside others that write: no charge and no top-up of the others is lost. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Books } from '../../../../src/ledger/books/books.ts'
import { withAdministration } from '../../../../src/ledger/open-administration.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { compiled } from '../../../support/processes/compiled.ts'
import { Random } from '../../../support/random.ts'
import { match, Shop } from '../../../support/shop.ts'

/** Of each of two lines of processes. `OPENED_KILLS=100` kills more, `OPENED_SEED=N` at other moments. */
const kills = Number(process.env.OPENED_KILLS ?? 4)
const seed = Number(process.env.OPENED_SEED ?? 1)

/** Works with the books of a directory, made if there are none. */
function withBooks<T>(data: string, work: (books: Books) => Promise<T>): Promise<T> {
  return withAdministration({ data, ledger: null, clock: Date.now, create: true }, work)
}

/** Starts a process that opens the ledger so often, with so many top-ups each time. */
function startCustomer(directory: string, openings: number, topUps: number) {
  const program = join(import.meta.dirname, 'opening-customer.ts')
  const words = [compiled(program), directory, String(openings), String(topUps)]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended: once(child, 'exit'), errors: text(child.stderr) }
}

/** Opens the ledger so often, with so many top-ups each time; the references that were acknowledged. */
async function openAgain(directory: string, openings: number, topUps: number): Promise<string[]> {
  const { child, ended, errors } = startCustomer(directory, openings, topUps)
  const printed = await text(child.stdout)
  expect(await ended, await errors).toEqual([0, null])
  return printed.split('\n').filter((line) => line !== '')
}

/** Opens the ledger again and again with two top-ups each time until so many were acknowledged, and is killed then. */
async function openUntilKilled(directory: string, acknowledgedMax: number): Promise<string[]> {
  const { child, ended, errors } = startCustomer(directory, 100_000, 2)
  let printed = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    printed += chunk
    if (printed.split('\n').length > acknowledgedMax) child.kill('SIGKILL')
  }
  expect(await ended, await errors).toEqual([null, 'SIGKILL'])
  // A line that was cut was not read to its end.
  return printed.split('\n').slice(0, -1)
}

describe('a ledger that processes open, write and close at the same time', () => {
  test('has every top-up that was acknowledged', async () => {
    const directory = join(temporaryDirectory(), 'data')
    await withBooks(directory, (books) => books.createAccount('default'))
    const acknowledged = await Promise.all([0, 1, 2, 3].map(() => openAgain(directory, 60, 3)))
    await withBooks(directory, async (books) => {
      const { credits } = await books.statementOf('default')
      const references = credits.slice(1).map(({ reference }) => reference)
      expect(references.sort()).toEqual(acknowledged.flat().sort())
      expect(references).toHaveLength(720)
      expect((await books.audit()).contradictions).toEqual([])
    })
  })

  test('has every top-up that was acknowledged, though some of them are killed again and again', async () => {
    const directory = join(temporaryDirectory(), 'data')
    await withBooks(directory, (books) => books.createAccount('default'))
    const random = new Random(seed, 1)
    const dying = async () => {
      const all: string[] = []
      for (let kill = 0; kill < kills; kill += 1) {
        all.push(...(await openUntilKilled(directory, random.between(1, 60))))
      }
      return all
    }
    const steady = () => openAgain(directory, 40 * kills, 1)
    const acknowledged = (await Promise.all([dying(), steady(), dying(), steady()])).flat()
    await withBooks(directory, async (books) => {
      const { credits } = await books.statementOf('default')
      const references = new Set(credits.map(({ reference }) => reference))
      expect(acknowledged.filter((each) => !references.has(each))).toEqual([])
      // What was written when its process was killed may not have been printed any more.
      expect(references.size - 1 - acknowledged.length).toBeLessThanOrEqual(2 * kills * 2)
      expect((await books.audit()).contradictions).toEqual([])
    })
  })

  test('has every charge of the service that sells meanwhile', async () => {
    const data = temporaryDirectory()
    const shop = await Shop.open(data, ['--commit-window', '10'])
    onTestFinished(() => void shop.end('SIGKILL'))
    let isOpening = true
    const opening = Promise.all([openAgain(shop.data, 150, 0), openAgain(shop.data, 50, 1)])
    void opening.finally(() => {
      isOpening = false
    })
    let served = 0
    while (isOpening) {
      // A commit that waits for the others for long stops the sale for a moment.
      const { status } = await shop.ask(match)
      expect([200, 503]).toContain(status)
      if (status === 200) served += 1
    }
    const [, acknowledged] = await opening
    await shop.end('SIGTERM')
    expect(served).toBeGreaterThan(100)
    await withBooks(shop.data, async (books) => {
      const { credits, charges } = await books.statementOf('default')
      expect(charges.reduce((sum, { queries }) => sum + queries, 0)).toBe(served)
      expect(credits).toHaveLength(1 + acknowledged.length)
      expect((await books.audit()).contradictions).toEqual([])
    })
  })
})
