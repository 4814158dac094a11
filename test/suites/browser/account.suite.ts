/** The page of the account of a key: what it shows, by keyboard, and what it says when there is nothing to show. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBooks } from '../../../src/ledger/open-administration.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { browserPath } from '../../support/processes/browser.ts'
import { startService } from '../../support/program.ts'
import { soldOverDays } from '../../support/sold-days.ts'
import { heading, inBrowser, keyOf, open, settled, sharedByTests } from './browser.ts'

/** As hostile as a name of a key may be: markup, letters from right to left, and no break. */
const hostile = `<img src=x onerror=alert(1)>\u05e9\u05dc\u05d5\u05dd${'W'.repeat(30)}`
const dayMs = 86_400_000

describe.skipIf(browserPath === undefined)(inBrowser('the page of the account'), () => {
  const shared = sharedByTests()

  /** A service whose account was sold something on five days. */
  async function sold() {
    const directory = temporaryDirectory()
    const data = join(directory, 'data')
    const days = [0, 1, 26, 32, 91].map((ago) => ({ ago, searches: 10, matches: 4 }))
    const order = { lastMs: Date.now(), account: 'acme', label: hostile, days }
    const key = await soldOverDays({ data, ...order })
    const service = await startService(directory, ['--threads', '1'])
    onTestFinished(async () => void (await service.stop('SIGKILL')))
    const books = await openBooks({ data, ledger: null, clock: Date.now })
    onTestFinished(() => books.close())
    return { service: { ...service, headers: { authorization: `Bearer ${key}` } }, books }
  }

  const figures = (page: Page) => page.locator('.account-facts dd').allTextContents()

  it('is one step from the balance, and shows what was sold by day, by keyboard alone', async () => {
    const { service } = await sold()
    const page = await open({ ...shared, service }, '/')
    await page.getByText('Topics to begin with').waitFor()
    await page.locator('.balance').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Usage, limits and prices' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'acme').waitFor()
    expect(new URL(page.url()).pathname).toBe('/account')
    expect((await figures(page))[0]).toBe('$49.94')
    expect(await page.locator('.day-bar').count()).toBe(30)
    expect(await page.getByRole('img', { name: /^Cost by day from / }).count()).toBe(1)
    await page.getByRole('link', { name: '92 days' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/days=92/)
    // The address changes before the page asks.
    await expect.poll(() => page.locator('.day-bar').count()).toBe(92)
    await page.getByText('The same as a table').focus()
    await page.keyboard.press('Enter')
    const rows = page.locator('.day-chart tbody tr')
    expect(await rows.count()).toBe(5)
    expect(await rows.last().textContent()).toContain(
      new Date(Date.now() - 91 * dayMs).toISOString().slice(0, 10),
    )
    await page.goBack()
    await expect.poll(() => page.locator('.day-bar').count()).toBe(30)
    await page.getByRole('button', { name: 'This key' }).press('Enter')
    await page.getByRole('button', { name: 'Queries' }).press('Enter')
    await page.getByRole('img', { name: /^Queries by day/ }).waitFor()
  })

  it('shows a hostile name of a key as text, and nothing needs scrolling to the side', async () => {
    const { service } = await sold()
    const page = await open({ ...shared, service }, '/account', {
      viewport: { width: 320, height: 640 },
    })
    await heading(page, 'acme').waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    const [name] = await page.locator('#own-key bdi').allTextContents()
    expect(name).toBe(hostile)
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(beyond).toBe(0)
  })

  it('says at once that the balance, or the cap of the key, is used up', async () => {
    const { service, books } = await sold()
    const page = await open({ ...shared, service }, '/account')
    await heading(page, 'acme').waitFor()
    expect(await page.locator('.notice').count()).toBe(0)
    const [key] = await books.listKeys()
    await books.setKey(key!.id, { cap: { amountMicroUsd: 1, period: 'total' } })
    await refreshed(page, 'The cap of this key is reached.')
    await books.setKey(key!.id, { cap: null })
    const { creditedMicroUsd, chargedMicroUsd } = await books.accountNamed('acme')
    const amountMicroUsd = chargedMicroUsd - creditedMicroUsd
    await books.adjust('acme', { amountMicroUsd, reference: 'all', reason: 'test' })
    await refreshed(page, 'The balance is used up.')
    expect((await figures(page))[0]).toBe('$0.00')
  })

  /** Refreshes until a text is there: services hear of changes within a second. */
  async function refreshed(page: Page, text: string): Promise<void> {
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Refresh' }).press('Enter')
          await settled(page)
          return page.locator('.notice').allTextContents()
        },
        { timeout: 60_000 },
      )
      .toEqual([expect.stringContaining(text)])
  }

  it('asks for a key, and says that a wrong, ended or suspended one is not valid', async () => {
    const { service, books } = await sold()
    const without = await open({ ...shared, service }, '/account', { withKey: false })
    await heading(without, 'A key is needed').waitFor()
    const wrong = await open({ ...shared, service }, '/account#key=aik_wrong', {
      withKey: false,
      expected: /401/,
    })
    await heading(wrong, 'This key is not valid').waitFor()
    await wrong.locator('.state input[type=password]').fill(keyOf(service))
    await wrong.keyboard.press('Enter')
    await heading(wrong, 'acme').waitFor()
    await books.suspend('acme')
    await expect
      .poll(
        async () => {
          await wrong.reload()
          await settled(wrong)
          return wrong.locator('h2').first().textContent()
        },
        { timeout: 60_000 },
      )
      .toBe('This key is not valid')
    await wrong.getByText('its account is suspended').waitFor()
  })

  it('says that the ledger cannot be read, and asks again when it can', async () => {
    const page = await open(shared, '/', { expected: /503/ })
    await page.getByText('Topics to begin with').waitFor()
    await page.route('**/api/v1/account*', (route) =>
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
    await page.goto(`${shared.service.address}/account`)
    await heading(page, 'Charges cannot be recorded at the moment').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await heading(page, 'default').waitFor()
    await page.locator('.day-bars').waitFor()
  })
})
