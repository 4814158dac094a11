/** What the explorer says when something is not as it should be, and what it offers then. */
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { browserPath } from '../../support/processes/browser.ts'
import { type RunningService, startService } from '../../support/program.ts'
import {
  enterKey,
  heading,
  inBrowser,
  keyOf,
  open,
  openList,
  settled,
  sharedByTests,
} from './browser.ts'

/** Requests to the API that wait until they are let go, as on a network that is down for a while. */
async function held(page: Page): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const pattern = '**/api/**'
  await page.route(pattern, async (route) => {
    await released
    // Who asked may have turned away meanwhile.
    await route.continue().catch(() => {})
  })
  return async () => {
    release()
    await page.unroute(pattern)
  }
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

describe.skipIf(browserPath === undefined)(inBrowser('the explorer in trouble'), () => {
  const shared = sharedByTests()

  /** A service of its own, which ends with the test. */
  async function another(words: readonly string[] = []): Promise<RunningService> {
    const started = await startService(temporaryDirectory(), words)
    onTestFinished(async () => void (await started.stop('SIGKILL')))
    return started
  }

  it('says that a key is not valid, and takes another', async () => {
    const path = '/?q=rust#key=aik_wrong'
    const page = await open(shared, path, {
      withKey: false,
      expected: /401/,
    })
    await heading(page, 'This key is not valid').waitFor()
    await enterKey(page, shared.service)
    await page.locator('.person').first().waitFor()
  })

  it('takes a key that is put into the address of the open page, and takes it out of there', async () => {
    const page = await open(shared, '/?q=rust', { withKey: false })
    await heading(page, 'A key is needed').waitFor()
    await page.evaluate((key) => {
      location.hash = `#key=${key}`
    }, keyOf(shared.service))
    await page.locator('.person').first().waitFor()
    expect(page.url()).not.toContain('aik_')
  })

  it('says that the balance is used up, with the price and what is left', async () => {
    const poor = await another(['--price', 'search=30'])
    const page = await openList({ ...shared, service: poor }, '/?q=rust', { expected: /402/ })
    await search(page, 'health')
    await heading(page, 'The balance is used up').waitFor()
    const text = await page.locator('.state').textContent()
    expect(text).toContain('This costs $30.00, and the account has $20.00')
  })

  it('says that charges cannot be recorded, and asks again', async () => {
    const page = await open(shared, '/', { expected: /503/ })
    await page.getByText('Topics to begin with').waitFor()
    await page.route('**/api/v1/index*', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'content-type': 'application/problem+json' },
        body: JSON.stringify({
          type: 'urn:authority-index:problem:ledger-unavailable',
          title: 'Charges cannot be recorded at the moment',
          status: 503,
          detail: 'the ledger cannot be read at the moment; nothing was charged',
        }),
      }),
    )
    await search(page, 'rust')
    await heading(page, 'Charges cannot be recorded at the moment').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await page.locator('.person').first().waitFor()
  })

  it('goes on where the service answers again', async () => {
    const page = await openList(shared, '/?q=rust', { expected: /net::ERR/ })
    await page.route('**/api/**', (route) => route.abort())
    await search(page, 'health')
    await heading(page, 'The service does not answer').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await page.locator('.person').first().waitFor()
  })

  it('says that it is loading, and shows what was there until there is more', async () => {
    const page = await openList(shared, '/?q=rust')
    const before = await page.locator('.person .name').allTextContents()
    const release = await held(page)
    await search(page, 'health')
    await page.locator('.content[aria-busy=true]').waitFor()
    expect(await page.locator('.person .name').allTextContents()).toEqual(before)
    // What was there has no next page of what is to come.
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    await release()
    await settled(page)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(1)
    expect(await page.locator('.person .name').allTextContents()).not.toEqual(before)
  })

  it('shows what one goes back to at once, however slow the network is', async () => {
    const page = await openList(shared, '/?q=rust')
    const before = await page.locator('.person .name').allTextContents()
    await page.locator('.person .name').first().press('Enter')
    await page.getByText('Why this rank').waitFor()
    const release = await held(page)
    await page.goBack()
    await page.locator('.person').first().waitFor()
    expect(await page.locator('.person .name').allTextContents()).toEqual(before)
    await release()
  })

  it('keeps what is shown where somebody steps to the content', async () => {
    const page = await openList(shared, '/?q=rust')
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter')
    await page.waitForURL(/#main$/)
    expect(await page.locator('.person').count()).toBeGreaterThan(0)
  })
})
