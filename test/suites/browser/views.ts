/** Every view of the explorer in every state worth looking at: where it is, and when it is there. */
import type { Page } from 'playwright-core'

interface View {
  readonly name: string
  readonly path: string
  readonly ready: string
  readonly withoutKey?: boolean
  /** Documents have a picture of it in this scheme. */
  readonly picture?: 'light' | 'dark'
  /** What is done before it is looked at. */
  readonly act?: (page: Page) => Promise<void>
}

export const views: readonly View[] = [
  { name: 'home', path: '/', ready: '.chips .chip' },
  { name: 'explorer', path: '/?q=health', ready: '.person', picture: 'light' },
  {
    name: 'why',
    path: '/?q=health',
    ready: '.person',
    act: async (page) => {
      await page.locator('.why-button').first().click()
      await page.locator('.bars').waitFor()
    },
  },
  { name: 'filtered', path: '/?q=health&topic=Labor&score_min=40', ready: '.chip.is-set' },
  {
    name: 'suggestions',
    path: '/?q=health',
    ready: '.person',
    act: async (page) => {
      await page.getByRole('combobox').fill('sen')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('ArrowDown')
    },
  },
  { name: 'nobody', path: '/?q=zzzz', ready: '.state' },
  { name: 'stranger', path: '/', ready: '.examples', withoutKey: true },
  { name: 'no key', path: '/?q=rust', ready: '.state .key-form', withoutKey: true },
  { name: 'profile', path: '/?person=351273370525540258', ready: '.bars', picture: 'dark' },
  { name: 'network', path: '/?network=SenCapito', ready: '.graph-picture' },
  { name: 'topics', path: '/?topics=', ready: '.topics li' },
  {
    name: 'docs',
    path: '/docs',
    ready: '.opblock',
    act: async (page) => {
      const operation = page.locator('#operations-queries-searchAuthorities')
      await operation.locator('.opblock-summary-control').click()
      await operation.locator('.parameters').first().waitFor()
    },
  },
]
