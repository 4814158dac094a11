/**
 * Names that strain a page: a word of 200 letters, and characters that turn the direction of what
 * stands behind them. Views keep their width, and the page's own words read from left to right.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { announce, publish } from '../../../src/snapshot/store/directory.ts'
import { snapshotOf } from '../../support/built.ts'
import { browserPath, launchBrowser } from '../../support/processes/browser.ts'
import { type RunningService, startService } from '../../support/program.ts'
import { authority, connection, social, topic } from '../../support/records.ts'
import { inBrowser, keyOf, openPage, settled } from './browser.ts'

const turn = '\u202e'
const names = [`${'W'.repeat(199)}x`, `${turn}Turned`, 'עברית', `\u2069${turn}Escaped`]
const label = `${turn}Turning topic`

/** Four people who endorse each other, in a topic that turns, too. */
function strainingSnapshot() {
  return snapshotOf({
    authorities: names.map((name, index) =>
      authority({
        sdu: String(index + 1),
        name,
        countryName: 'United States',
        topics: [topic(label)],
        socials: [social('github', `person${index + 1}`)],
      }),
    ),
    connections: names.flatMap((_, from) =>
      names.flatMap((_, to) => (from === to ? [] : [connection(`${from + 1}`, `${to + 1}`)])),
    ),
  })
}

/** Words of the page whose letters do not stand from left to right. */
function turnedWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const turned: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      const own = /\b(rank|of|in|authority|score|and|States|person|people|ahead|Search|by)\b/g
      for (const { index, 0: word } of text.matchAll(own)) {
        const leftOf = (at: number) => {
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          return range.getBoundingClientRect().left
        }
        if (leftOf(index) > leftOf(index + word.length - 1)) turned.push(`${word}: ${text}`)
      }
    }
    return turned
  })
}

/** Elements that end to the right of the page, where that can be scrolled to. */
function wideElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map(({ tagName, className }) => `${tagName} ${className}`)
  })
}

const views = [
  ['a search with its reasons', '/?q=turning', '.person'],
  ['profile of a long name', '/?person=1', '.bars'],
  ['profile of a turning name', '/?person=2', '.bars'],
  ['profile of a name that escapes', '/?person=4', '.bars'],
  ['network', '/?network=person2', '.graph-picture'],
  ['compare', '/?compare=1,2', '.compare-table'],
  ['compare of names that turn', '/?compare=3,4', '.compare-table'],
  ['topics', '/?topics=', '.topics li'],
] as const

describe.skipIf(browserPath === undefined)(inBrowser('names that strain a page'), () => {
  let directory: string
  let service: RunningService
  let browser: Browser
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'browser-'))
    const snapshots = join(directory, 'straining')
    const snapshot = strainingSnapshot()
    publish(snapshots, snapshot)
    announce(snapshots, snapshot.header.id)
    service = await startService(directory, ['--snapshots', snapshots])
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  })

  describe.each([1440, 390])('at a width of %i', (width) => {
    it.each(views)('%s keeps its width and the direction of its words', async (_, path, ready) => {
      const target = `${path}#key=${keyOf(service)}`
      const options = { viewport: { width, height: 900 } }
      const { page, close } = await openPage(browser, service.address, target, options)
      await page.locator(ready).first().waitFor()
      for (const button of await page.locator('.why-button').all()) await button.click()
      await settled(page)
      expect([await wideElements(page), await turnedWords(page)]).toEqual([[], []])
      await close()
    })
  })
})
