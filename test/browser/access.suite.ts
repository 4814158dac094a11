/** That everybody can use the explorer: no violations known to axe, in light and dark, at any width. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { browserPath, launchBrowser } from '../../bench/shared/processes/browser.ts'
import { type RunningService, startService } from '../program.ts'
import { inBrowser, openPage } from './browser.ts'
import { type View, views } from './views.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(browserPath === undefined)(inBrowser('every view'), () => {
  let directory: string
  let service: RunningService
  let browser: Browser

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'access-'))
    service = await startService(directory)
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser.close()
    await service.stop('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  })

  async function show(view: View, scheme: 'light' | 'dark', width: number): Promise<Page> {
    const key = service.headers.authorization!.replace('Bearer ', '')
    const target = view.withoutKey === true ? view.path : `${view.path}#key=${key}`
    const options = { colorScheme: scheme, viewport: { width, height: 900 }, bypassCSP: true }
    const { page, close } = await openPage(browser, service.address, target, options)
    onTestFinished(close)
    await page.locator(view.ready).first().waitFor()
    await view.act?.(page)
    return page
  }

  describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
    it.each(views.map((view) => [view.name, view] as const))(
      '%s has no violation that axe knows',
      async (_, view) => {
        const page = await show(view, scheme, 1440)
        await page.evaluate(axe)
        const { violations, passes } = await page.evaluate(() =>
          (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
        )
        const told = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
        expect(told).toEqual([])
        expect(passes.length).toBeGreaterThan(10)
      },
    )
  })

  describe.each([320, 768, 1920])('at %i pixels', (width) => {
    it.each(views.map((view) => [view.name, view] as const))(
      '%s needs no scrolling to the side',
      async (_, view) => {
        const page = await show(view, 'light', width)
        const beyond = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(beyond).toBe(0)
      },
    )
  })
})
