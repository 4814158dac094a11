/**
 * A real browser for the suites: Debian's Chromium, found by its path, without a profile. What a page
 * says on its console, what fails in it and where it asks are gathered.
 */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where a browser is; undefined where none is installed. */
export const browserPath = places.find((path) => existsSync(path))

/** The title of a suite: says why it is skipped, where it is. */
export function inBrowser(title: string): string {
  return browserPath === undefined ? `${title} (skipped: no chromium is installed)` : title
}

/** Starts the browser. */
export function launchBrowser(): Promise<Browser> {
  // As root, as in a container, Chromium runs without its sandbox or not at all.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: browserPath!, args })
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
