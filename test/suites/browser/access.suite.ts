/** That everybody can use the explorer: no violations known to axe, in light and dark, at any width. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserPath } from '../../support/processes/browser.ts'
import { inBrowser, open, settled, sharedByTests } from './browser.ts'
import { type View, views } from './views.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(browserPath === undefined)(inBrowser('every view'), () => {
  const shared = sharedByTests()

  /** Shows a view as it is when nothing is on its way, nor moves, any more. */
  async function show(view: View, scheme: 'light' | 'dark', width: number): Promise<Page> {
    const page = await open(shared, view.path, {
      withKey: view.withoutKey !== true,
      colorScheme: scheme,
      reducedMotion: 'reduce',
      viewport: { width, height: 900 },
      bypassCSP: true,
    })
    await page.locator(view.ready).first().waitFor()
    await view.act?.(page)
    await settled(page)
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

  it.each(views.map((view) => [view.name, view] as const))(
    '%s needs no scrolling to the side, however wide it is',
    async (_, view) => {
      const page = await show(view, 'light', 320)
      for (const width of [320, 768, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        const beyond = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect([width, beyond]).toEqual([width, 0])
      }
    },
  )
})
