/** Pages for the suites. They wait for what is to come, never for a time; bounds only end what would wait for ever. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { browserPath, launchBrowser } from '../../support/processes/browser.ts'
import type { RunningService } from '../../support/program.ts'
import { shared, sharedService } from '../../support/shared.ts'

/** Much longer than a loaded machine takes, and shorter than a test may. */
const waitMsMax = 90_000

/** The title of a suite: says why it is skipped, where it is. */
export function inBrowser(title: string): string {
  return browserPath === undefined ? `${title} (skipped: no chromium is installed)` : title
}

interface Shared {
  readonly service: RunningService
  readonly browser: Browser
}

/** A service and a browser for all tests of a suite. @param words of the service, with a directory for its files. */
export function sharedByTests(words?: Parameters<typeof sharedService>[0]): Shared {
  const browser = shared(launchBrowser, (launched) => launched.close())
  return { service: sharedService(words), browser }
}

/** Whose pages are opened where. */
interface Opening {
  readonly browser: Browser
  readonly service: Serving
}

type Serving = Pick<RunningService, 'address' | 'headers'>

interface OpenOptions extends BrowserContextOptions {
  readonly withKey?: boolean
  /** What the page may say on its console. */
  readonly expected?: RegExp
}

/** Opens a page until the test ends, by when it must not have complained, but of what is expected. */
export async function open(
  { browser, service }: Opening,
  path: string,
  { withKey = true, expected = /^$/, ...more }: OpenOptions = {},
): Promise<Page> {
  const { address } = service
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...more })
  const page = await context.newPage()
  page.setDefaultTimeout(waitMsMax)
  // Texts on the console, errors, and requests to anybody but the service.
  const complaints: string[] = []
  page.on('console', (message) => {
    complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${address}/`)) complaints.push(`asked ${request.url()}`)
  })
  onTestFinished(async () => {
    const unexpected = complaints.filter((text) => !expected.test(text))
    await context.close()
    expect(unexpected).toEqual([])
  })
  await page.goto(`${address}${path}${withKey ? `#key=${keyOf(service)}` : ''}`)
  return page
}

/** The same, when there are people in its list. */
export async function openList(...opening: Parameters<typeof open>): Promise<Page> {
  const page = await open(...opening)
  await page.locator('.person').first().waitFor()
  return page
}

export async function enterKey(page: Page, service: Serving): Promise<void> {
  await page.locator('.state input[type=password]').focus()
  await page.keyboard.type(keyOf(service))
  await page.keyboard.press('Enter')
}

export function keyOf({ headers }: Serving): string {
  return headers.authorization!.replace('Bearer ', '')
}

export function heading(page: Page, name: string | RegExp): Locator {
  return page.getByRole('heading', { name })
}

/** The list of what is offered for a text, when it is there. */
export async function suggestionsFor(page: Page, typed: string): Promise<Locator> {
  const list = page.getByRole('listbox', { name: `Suggestions for ${typed}`, exact: true })
  await list.waitFor()
  return list.getByRole('option')
}

/** Until nothing is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.loading, [aria-busy="true"]') === null)
  // Of Swagger UI, colours go over to those of the other scheme, whatever motion is asked for.
  await page.waitForFunction(() =>
    document.getAnimations().every((each) => !(each instanceof CSSTransition)),
  )
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The violations that axe knows, each as its rule and the elements. The page was opened with `bypassCSP`.
 * @throws where axe looked at next to nothing.
 */
export async function violationsOf(page: Page): Promise<string[][]> {
  await page.evaluate(axe)
  // Only violations: for each element of the rules that pass, axe would make a selector, which takes most of its time.
  const { violations, passes } = await page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof Axe }
    const found = await loaded.run({ resultTypes: ['violations'] })
    const named = found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
    return { violations: named, passes: found.passes.length }
  })
  expect(passes).toBeGreaterThan(10)
  return violations
}

/** How far the page is wider than its window, in px. */
export function beyondWidth(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}
