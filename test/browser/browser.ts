/** Pages for the suites: what a page says on its console, what fails in it and whom it asks is gathered. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { browserPath } from '../../bench/shared/processes/browser.ts'

/** The title of a suite: says why it is skipped, where it is. */
export function inBrowser(title: string): string {
  return browserPath === undefined ? `${title} (skipped: no chromium is installed)` : title
}

/** A page, and what it has done that it should not. */
export interface WatchedPage {
  readonly page: Page
  /** Texts on the console, errors, and requests to anybody but the service. */
  readonly complaints: string[]
  readonly close: () => Promise<void>
}

/**
 * Opens a page of a service.
 * @param target path, query and fragment.
 */
export async function openPage(
  browser: Browser,
  address: string,
  target: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${address}/`)) complaints.push(`asked ${request.url()}`)
  })
  await page.goto(`${address}${target}`)
  return { page, complaints, close: () => context.close() }
}
