/**
 * That everybody can use the explorer: no violations known to axe, in light and dark, at any width. `PICTURES=1` takes the
 * pictures of the documents on the way, to be looked at whenever the explorer looks otherwise.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { browserPath } from '../../support/processes/browser.ts'
import { beyondWidth, inBrowser, open, settled, sharedByTests, violationsOf } from './browser.ts'
import { views } from './views.ts'

const images = join(import.meta.dirname, '..', '..', '..', 'docs', 'images')

describe.skipIf(browserPath === undefined)(inBrowser('every view'), () => {
  const shared = sharedByTests()

  it.each(views.map((view) => [view.name, view] as const))(
    '%s has no violation that axe knows, in light and dark, and needs no scrolling to the side at any width',
    async (_, view) => {
      const page = await open(shared, view.path, {
        withKey: view.withoutKey !== true,
        reducedMotion: 'reduce',
        bypassCSP: true,
      })
      await page.locator(view.ready).first().waitFor()
      await view.act?.(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await settled(page)
        expect([colorScheme, await violationsOf(page)]).toEqual([colorScheme, []])
        if (process.env.PICTURES !== undefined && view.picture === colorScheme) {
          await page.screenshot({ path: join(images, `${view.name}-1440.png`) })
        }
      }
      for (const width of [320, 768, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        expect([width, await beyondWidth(page)]).toEqual([width, 0])
      }
    },
  )
})
