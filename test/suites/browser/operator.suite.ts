/** The operator's page on a real admin listener: keys, views, changes that are made once, other sites. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openBooks } from '../../../src/ledger/open-administration.ts'
import { administered } from '../../support/administered-service.ts'
import { browserPath, launchBrowser } from '../../support/processes/browser.ts'
import { beyondWidth, heading, inBrowser, openPage, violationsOf } from './browser.ts'

/** As hostile as labels and references may be. */
const hostile = `<img src=x onerror=alert(1)>\u05e9\u05dc\u05d5\u05dd${'W'.repeat(30)}`

describe.skipIf(browserPath === undefined)(inBrowser("the operator's page"), () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  /** A service with an account of a hostile key and reference, its books, and a way to open its page. */
  async function operated() {
    const service = await administered()
    const books = await openBooks({ data: service.data, ledger: null, clock: Date.now })
    onTestFinished(() => books.close())
    await books.createAccount('acme')
    await books.issueKey({ account: 'acme', label: hostile, expiresAtMs: null })
    await books.topUp('acme', 5_000_000, hostile)
    const url = 'https://example.com/hooks'
    await books.webhooks().add({ url, account: 'acme', events: [], below: [], sdus: [] })
    const address = `http://${service.admin}`
    const shown = async (path = '/', expected = /^$/, options: BrowserContextOptions = {}) => {
      const { page, complaints, close } = await openPage(browser, address, path, options)
      onTestFinished(async () => {
        const unexpected = complaints.filter((text) => !expected.test(text))
        await close()
        expect(unexpected).toEqual([])
      })
      return page
    }
    return { ...service, address, books, shown }
  }

  async function enter(page: Page, key: string): Promise<void> {
    await page.getByLabel('Admin key').fill(key)
    await page.keyboard.press('Enter')
  }

  it('asks for a key once, keeps it in the tab only, and says when it is wrong or may not read', async () => {
    const { shown, adminKey, books } = await operated()
    const page = await shown('/', /401|403/)
    await enter(page, 'aik_admin_wrong')
    await heading(page, 'This admin key is not valid').waitFor()
    const order = { label: null, scopes: ['money'] as const, expiresAtMs: null }
    await enter(page, (await books.issueAdminKey(order)).text)
    await heading(page, 'This admin key may not read').waitFor()
    await page.getByRole('button', { name: 'Forget the key' }).press('Enter')
    await enter(page, adminKey)
    await page.getByRole('link', { name: 'acme' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'acme' }).waitFor()
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
    expect(page.url()).not.toContain('aik_')
    const other = await page.context().newPage()
    await other.goto(page.url())
    await heading(other, 'An admin key is needed').waitFor()
  })

  it('takes no key from an address, and says that it must be revoked', async () => {
    const { shown, adminKey, address } = await operated()
    const page = await shown(`/#key=${adminKey}`)
    await page.getByText('The address held a key.').waitFor()
    await heading(page, 'An admin key is needed').waitFor()
    expect(page.url()).toBe(`${address}/`)
    const { status } = await fetch(`${address}/?key=${adminKey}`)
    expect(status).toBe(400)
  })

  it('offers only what the scopes of the key allow', async () => {
    const { shown, books } = await operated()
    const order = { label: null, scopes: ['read', 'keys'] as const, expiresAtMs: null }
    const page = await shown('/?account=acme')
    await enter(page, (await books.issueAdminKey(order)).text)
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
    expect(await page.getByRole('button', { name: 'Top up' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Adjust' }).count()).toBe(0)
  })

  it('makes a change once: over a double press, an answer that is lost, and a reload', async () => {
    const { shown, adminKey, books } = await operated()
    const page = await shown('/?account=acme', /net::ERR/)
    await enter(page, adminKey)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '')
    })
    await page.getByRole('button', { name: 'Issue a key' }).press('Enter')
    await page.getByLabel('Label').fill('web')
    await page.getByLabel('Label').press('Enter')
    // The service makes the key; its answer never arrives.
    await page.route('**/admin/v1/keys', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Confirm' }).dblclick()
    await page.getByText('No answer came.').waitFor()
    expect(await books.listKeys()).toHaveLength(3)
    await page.unrouteAll()
    await page.reload()
    await heading(page, 'Issue a key for acme: the answer was not seen').waitFor()
    await page.getByRole('button', { name: 'Confirm' }).press('Enter')
    await page.getByText('It had been done already').waitFor()
    await page.getByText('This key is shown only now.').waitFor()
    expect(new Set(sent).size).toBe(1)
    expect(sent.length).toBe(2)
    expect(await books.listKeys()).toHaveLength(3)
    await page.getByRole('button', { name: 'Close' }).press('Enter')
    await page.reload()
    await page.getByRole('button', { name: 'Issue a key' }).waitFor()
    expect(await page.getByText('the answer was not seen').count()).toBe(0)
  })

  it('tops up, suspends and resumes by keyboard, and shows each in the audit log', async () => {
    const { shown, adminKey, books } = await operated()
    const page = await shown('/')
    await enter(page, adminKey)
    await page.getByRole('link', { name: 'acme' }).press('Enter')
    await page.getByRole('button', { name: 'Top up' }).press('Enter')
    await page.getByLabel('Amount, USD').fill('12.5')
    await page.getByLabel('Reference').fill('invoice 7')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Confirm' }).press('Enter')
    await page.getByText('Done.', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('$67.50').first().waitFor()
    for (const name of ['Suspend', 'Resume']) {
      await page.getByRole('button', { name }).press('Enter')
      await page.getByRole('button', { name: 'Go on' }).press('Enter')
      await page.getByRole('button', { name: 'Confirm' }).press('Enter')
      await page.getByRole('button', { name: 'Close' }).press('Enter')
    }
    await page.getByRole('link', { name: 'Its audit log' }).press('Enter')
    await page.getByRole('cell', { name: 'account.resume' }).waitFor()
    expect((await books.accountNamed('acme')).creditedMicroUsd).toBe(67_500_000)
    await page.goBack()
    await heading(page, 'acme').waitFor()
    await page.goForward()
    await heading(page, 'Audit log').waitFor()
  })

  it('saves the usage of an account as a file, and says so when none comes', async () => {
    const { shown, adminKey } = await operated()
    const page = await shown('/?account=acme', /503/)
    await enter(page, adminKey)
    await page.getByLabel('As a file, by').selectOption('key')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).press('Enter')
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^usage-acme-\d{4}-\d\d-\d\d-by-key\.csv$/)
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/^day,.*key_id/)
    await page.route('**/usage?*parquet*', (route) => route.fulfill({ status: 503 }))
    await page.getByRole('button', { name: 'Parquet' }).press('Enter')
    await page.getByRole('button', { name: 'Parquet: try again' }).waitFor()
  })

  it('adds an endpoint of webhooks, whose secret is shown once, and corrects a record', async () => {
    const { shown, adminKey, books, snapshots } = await operated()
    const page = await shown('/?view=webhooks')
    await enter(page, adminKey)
    await page.getByRole('button', { name: 'New endpoint' }).press('Enter')
    await page.getByLabel('Address').fill('https://example.com/other')
    await page.getByLabel('Balance below').fill('5, 20%')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Confirm' }).press('Enter')
    await page.getByText('This secret is shown only now.').waitFor()
    await page.getByRole('button', { name: 'Close' }).press('Enter')
    await page.getByText('below 5.00, below 20%').waitFor()
    expect(await page.content()).not.toContain('whsec_')
    expect(await books.webhooks().list()).toHaveLength(2)
    await page.getByRole('link', { name: 'Served', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Correct a record' }).press('Enter')
    await page.getByLabel('SDU', { exact: true }).fill('59121954044035807')
    await page.getByLabel('What is right').fill(hostile)
    await page.getByLabel('Where that is from').fill('a letter')
    await page.getByRole('button', { name: 'Go on' }).press('Enter')
    await page.getByRole('button', { name: 'Confirm' }).press('Enter')
    await page.getByText('Done.', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    const table = page.getByRole('region', { name: 'Table of corrections' })
    await table.getByText('a letter').waitFor()
    await table.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByRole('button', { name: 'Go on' }).press('Enter')
    await page.getByRole('button', { name: 'Confirm' }).press('Enter')
    await page.getByText('Done.', { exact: true }).waitFor()
    expect(readFileSync(join(snapshots, 'CORRECTIONS'), 'utf8')).toContain('a letter')
  })

  it('has no violation that axe knows, in light and dark, and fits a phone', async () => {
    const { shown, adminKey } = await operated()
    const page = await shown('/', /^$/, { bypassCSP: true })
    await enter(page, adminKey)
    for (const [name, ready] of [
      ['Accounts', 'accounts'],
      ['Keys', 'keys'],
      ['Webhooks', 'webhooks'],
      ['Served', 'snapshots'],
      ['Audit log', 'the audit log'],
      ['Books', 'admin keys'],
    ] as const) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.getByRole('link', { name, exact: true }).press('Enter')
      await page
        .getByRole('region', { name: `Table of ${ready}`, exact: true })
        .first()
        .waitFor()
      await expectClean(page, name)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'API', exact: true }).press('Enter')
    await heading(page, 'Credit an account').waitFor()
    await expectClean(page, 'API')
    await page.goto(`${new URL(page.url()).origin}/?account=acme`)
    await page.locator('.day-bars').waitFor()
    await expectClean(page, 'account')
    expect(await page.locator('main img').count()).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Adjust' }).press('Enter')
    await page.getByLabel('Reason').waitFor()
    await expectClean(page, 'dialog')
  })

  /** No violation in light and dark, and nothing beyond the width of a phone. */
  async function expectClean(page: Page, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect([name, colorScheme, await violationsOf(page)]).toEqual([name, colorScheme, []])
    }
    await page.setViewportSize({ width: 320, height: 640 })
    expect([name, await beyondWidth(page)]).toEqual([name, 0])
  }
})
