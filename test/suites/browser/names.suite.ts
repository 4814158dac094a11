/** Records that strain a page. Views keep their width, and nothing of a record is run, loaded or followed. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { announce, publish } from '../../../src/snapshot/store/directory.ts'
import { snapshotOf } from '../../support/built.ts'
import { browserPath } from '../../support/processes/browser.ts'
import { authority, connection, social, topic } from '../../support/records.ts'
import { inBrowser, open, settled, sharedByTests } from './browser.ts'

const turn = '\u202e'
const long = `${'W'.repeat(199)}x`
const markup = '<img src="/x" onerror="window.ran=1"><b onclick="window.ran=1">Bold</b>'
const names = [
  long,
  `${turn}Turned`,
  'עברית',
  `\u2069${turn}Escaped`,
  markup,
  '🇪🇺🏴‍☠️ Flags',
  'محمد بن سلمان',
]
const bios = ['', `${turn}A turned life.`, '', long, `${markup} A life of markup.`, '🇪🇺', 'حياة.']
const websites = [
  null,
  'javascript:window.ran=1',
  'https://example.com/ok',
  `https://${long}.example`,
]
const label = `${turn}Turning topic`

/** People who endorse each other, in a topic that turns and in one of markup, each with a record to strain. */
function strainingSnapshot() {
  return snapshotOf({
    authorities: names.map((name, index) =>
      authority({
        sdu: String(index + 1),
        name,
        bio: bios[index]!,
        website: websites[index % websites.length]!,
        countryName: 'United States',
        topics: [topic(label), topic(markup)],
        socials: [social('github', `person${index + 1}`), social('twitter', `x${index + 1}`)],
        source: index % 2 === 0 ? 'javascript:window.ran=1' : markup,
        licence: markup,
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
      // Code breaks within words.
      if (node.parentElement?.closest('pre')) continue
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

/** What a record brought to life: elements of its markup, and links that lead to a script. */
function livingParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const elements = [...document.querySelectorAll('main img, main b[onclick], main script')]
    const links = [...document.querySelectorAll('a')].filter(
      (link) =>
        !/^(?:https?|mailto):/.test(new URL(link.getAttribute('href')!, location.href).href),
    )
    const ran = (globalThis as { ran?: number }).ran === undefined ? [] : ['a script ran']
    return [...elements, ...links].map(({ outerHTML }) => outerHTML).concat(ran)
  })
}

const views = [
  ['a search with its reasons', '/?q=turning', '.person'],
  ['profile of a long name', '/?person=1', '.bars'],
  ['profile of a turning name', '/?person=2', '.bars'],
  ['profile of a name that escapes', '/?person=4', '.bars'],
  ['network', '/?network=person2', '.graph-picture'],
  ['profile of markup', '/?person=5', '.bars'],
  ['profile of flags', '/?person=6', '.bars'],
  ['profile of a name from right to left', '/?person=7', '.bars'],
  ['a search under a filter', '/?q=turning&country=United+States', '.person'],
  ['network of a long name', '/?network=person1', '.graph-picture'],
  ['topics', '/?topics=', '.topics li'],
] as const

describe.skipIf(browserPath === undefined)(inBrowser('names that strain a page'), () => {
  const shared = sharedByTests((directory) => {
    const snapshots = join(directory, 'straining')
    const snapshot = strainingSnapshot()
    publish(snapshots, snapshot)
    announce(snapshots, snapshot.header.id)
    return ['--snapshots', snapshots]
  })

  describe.each([1440, 390])('at a width of %i', (width) => {
    it.each(views)('%s keeps its width and the direction of its words', async (_, path, ready) => {
      const page = await open(shared, path, { viewport: { width, height: 900 } })
      await page.locator(ready).first().waitFor()
      for (const button of await page.locator('.why-button').all()) await button.click()
      await settled(page)
      expect([await wideElements(page), await turnedWords(page)]).toEqual([[], []])
      expect(await livingParts(page)).toEqual([])
    })
  })
})
