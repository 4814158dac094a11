/**
 * Ten questions of a stranger, each answered from the first view by keys alone. Keys are counted: every letter, Tab, arrow
 * and Enter is one. `docs/explorer.md` has the table of them, which this suite prints.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { browserPath } from '../../support/processes/browser.ts'
import { inBrowser, open, settled, sharedByTests, suggestionsFor } from './browser.ts'

const document = join(import.meta.dirname, '..', '..', '..', 'docs', 'explorer.md')

/** A keyboard that counts. */
class Keyboard {
  readonly #page: Page
  count = 0

  constructor(page: Page) {
    this.#page = page
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.count += 1
      await this.#page.keyboard.press(key)
    }
  }

  /** Goes to the search field and searches for a text. */
  async search(text: string): Promise<void> {
    await this.press('/', ...text, 'Enter')
    await this.#page.locator('.person, .state').first().waitFor()
    await settled(this.#page)
  }

  /** Presses Tab until what has the focus matches. */
  async tabTo(selector: string): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      await this.press('Tab')
      const isThere = await this.#page.evaluate(
        (wanted) => globalThis.document.activeElement?.matches(wanted) === true,
        selector,
      )
      if (isThere) return
    }
    throw new Error(`${selector} is not reached by Tab`)
  }

  /** Goes to what matches and presses Enter there. */
  async enter(selector: string): Promise<void> {
    await this.tabTo(selector)
    await this.press('Enter')
  }

  /** Chooses a person in the field that has the focus. */
  async choose(name: string): Promise<void> {
    await this.press(...name)
    await suggestionsFor(this.#page, name)
    await this.press('ArrowDown', 'Enter')
  }
}

interface Question {
  readonly text: string
  /** What the page says where it is answered. */
  readonly answer: RegExp
  /** Where the answer stands. */
  readonly at: string
  readonly ask: (keys: Keyboard, page: Page) => Promise<void>
}

/** To the profile of the owner of a handle. */
async function toProfile(keys: Keyboard, page: Page): Promise<void> {
  await keys.search('@sencapito')
  await keys.enter('.person .name')
  await page.locator('.handles').waitFor()
}

const questions: readonly Question[] = [
  {
    text: 'Who is the authority on health?',
    at: '.person',
    answer: /^1BS?Bernard Sanders/,
    ask: (keys) => keys.search('health'),
  },
  {
    text: 'Why are they first?',
    at: '.person-why .sentence',
    answer: /^Rank 1 of 23 in Health: 87.% of the share is from 22 who endorse them/,
    ask: async (keys) => {
      await keys.search('health')
      await keys.enter('.why-button')
    },
  },
  {
    text: 'How firm is that rank?',
    at: '.person-why .resilience',
    answer: /falls by one place without its strongest endorser, by ten without its 11/,
    ask: async (keys) => {
      await keys.search('health')
      await keys.enter('.why-button')
    },
  },
  {
    text: 'Whose handle is @SenCapito?',
    at: '.person .name',
    answer: /^Shelley Moore Capito$/,
    ask: (keys) => keys.search('@sencapito'),
  },
  {
    text: 'Is it really theirs, and who says so?',
    at: '.aside .panel',
    answer:
      /twitterSenCapito.*Listed by the source below.*Source: https:\/\/github\.com\/unitedstates/s,
    ask: toProfile,
  },
  {
    text: 'Where else are they ranked?',
    at: '.topic-ranks',
    answer: /1 of 19Environment.*\d+ of \d+US politics/s,
    ask: async (keys, page) => {
      await toProfile(keys, page)
      await keys.enter('.topic-ranks + button')
      await page.locator('.topic-ranks li:last-child .rank:not(:empty)').waitFor()
    },
  },
  {
    text: 'Who is around them?',
    at: '.peers tbody tr',
    answer: /^1Deb Fischer/,
    ask: async (keys, page) => {
      await toProfile(keys, page)
      await keys.enter('.actions a[href*=network]')
      await page.locator('.peers tbody tr').first().waitFor()
    },
  },
  {
    text: 'Who on health has the highest authority score?',
    at: '.person',
    answer: /Patty Murray/,
    ask: async (keys) => {
      await keys.search('health')
      await keys.enter('.sort.of-score')
    },
  },
  {
    text: 'Who on health works on small business, and what is their rank on health?',
    at: '.person',
    answer: /^\d+(?:st|nd|rd|th) of 23/,
    ask: async (keys, page) => {
      await keys.search('health')
      await keys.enter('.content .skip')
      const box = '.facet-row:has-text("Small business") input'
      const name = await page.locator(box).evaluate((element) => {
        element.id = 'wanted'
        return `#${element.id}`
      })
      await keys.tabTo(name)
      await keys.press('Space')
      await page.locator('.people.is-filtered').waitFor()
    },
  },
  {
    text: 'Capito or Whitehouse: who stands higher in what they share?',
    at: '.understood',
    answer: /^They differ most in .+: Shelley Moore Capito .+, Sheldon Whitehouse .+\.$/,
    ask: async (keys, page) => {
      await keys.enter('.views a[href*=compare]')
      // The page leads the focus from the link to its content; nobody presses a key before.
      await page.waitForFunction(
        () => globalThis.document.activeElement?.matches('.views a') === false,
      )
      await keys.tabTo('.choosers input')
      await keys.choose('capito')
      await page.locator('.understood strong').waitFor()
      await page.locator('.choosers input:focus').waitFor()
      await keys.choose('whitehouse')
      await page.locator('.compare-table .group').first().waitFor()
      await settled(page)
    },
  },
]

describe.skipIf(browserPath === undefined)(inBrowser('a question, by keys alone'), () => {
  const shared = sharedByTests()
  const rows: string[] = []

  it.each(questions.map((question) => [question.text, question] as const))(
    '%s',
    async (_, { text, at, answer, ask }) => {
      const page = await open(shared, '/')
      await page.getByText('Topics to begin with').waitFor()
      const keys = new Keyboard(page)
      await ask(keys, page)
      await settled(page)
      const found = page.locator(at).first()
      await found.waitFor()
      expect(await found.textContent()).toMatch(answer)
      rows.push(`| ${text} | ${keys.count} |`)
    },
  )

  it('stands with its number of keys in the document', () => {
    const written = readFileSync(document, 'utf8').replace(/ +\|/g, ' |')
    expect(rows.filter((row) => !written.includes(row))).toEqual([])
    expect(rows).toHaveLength(questions.length)
  })

  afterAll(() => console.info(['| question | keys |', '| --- | --- |', ...rows].join('\n')))
})
