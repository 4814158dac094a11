/**
 * Every view as it is seen, on phones, tablets and screens, in light and dark, against the pictures in `reference/`. They
 * are made smaller, so that another build of Chromium, which smooths letters otherwise, gives the same. Where the machine
 * has other fonts nothing can be compared: the suite says so, and holds only that a picture is one. After an intended change
 * `SEEN=write npm run test:browser -- test/suites/browser/seen` writes them anew, to be looked at before they are committed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { differentPart, type Picture, readPng, shrunk, writePng } from '../../../support/png.ts'
import { browserPath } from '../../../support/processes/browser.ts'
import { inBrowser, open, settled, sharedByTests } from '../browser.ts'
import { type View, views } from '../views.ts'

/** Widths and heights, and how many pixels of each become one. */
const sizes = [
  { width: 1440, height: 900, by: 3 },
  { width: 768, height: 1024, by: 2 },
  { width: 390, height: 844, by: 2 },
] as const

const schemes = ['light', 'dark'] as const

/** A pixel differs where a channel does by more than this, of 255; colours of a reference are rounded by up to 12. */
const channelMax = 40
/** The part of the pixels that may differ. */
const partMax = 0.004
const referenceColors = 48

const directory = join(import.meta.dirname, 'reference')
const fontsFile = join(directory, 'fonts.json')
const isWriting = process.env.SEEN === 'write'

/** What changes from one look to the next: balances, durations, requests. */
const changing =
  '.balance, .facts dd, .request-panel summary .number, .answer, .key-form { visibility: hidden }'

/** The widths of a text in the two fonts of the page, which tell machines with other fonts. */
function fontWidths(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    ['--sans', '--mono'].map((name) => {
      const probe = document.createElement('span')
      const family = getComputedStyle(document.documentElement).getPropertyValue(name)
      probe.style.cssText = `position:absolute;white-space:nowrap;font:100px ${family}`
      probe.textContent = 'Who is the authority on this? 0123456789'
      document.body.append(probe)
      const { width } = probe.getBoundingClientRect()
      probe.remove()
      return Math.round(width)
    }),
  )
}

function knownFontWidths(): number[] | undefined {
  return existsSync(fontsFile) ? JSON.parse(readFileSync(fontsFile, 'utf8')) : undefined
}

/** A picture of what is seen at first, small. */
async function pictureOf(page: Page, { width, height, by }: (typeof sizes)[number]) {
  await page.setViewportSize({ width, height })
  await settled(page)
  // What follows the size, as the names of a network do, is drawn in the next frames.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
  await page.evaluate(() => scrollTo(0, 0))
  const png = await page.screenshot({ style: changing, animations: 'disabled', caret: 'hide' })
  return shrunk(readPng(png), by)
}

/** What is wrong with a picture; undefined where nothing is. */
function difference(name: string, picture: Picture): string | undefined {
  const file = join(directory, `${name}.png`)
  if (isWriting) {
    writeFileSync(file, writePng([picture], referenceColors))
    return undefined
  }
  const part = differentPart(picture, readPng(readFileSync(file)), channelMax)
  if (part <= partMax) return undefined
  const seen = join(tmpdir(), `seen-${name}.png`)
  writeFileSync(seen, writePng([picture], 256))
  return `${(part * 100).toFixed(2)} % of ${name} differ; it is seen as ${seen}`
}

describe.skipIf(browserPath === undefined)(inBrowser('every view as it is seen'), () => {
  const shared = sharedByTests()

  /** Shows a view as it is when nothing is on its way any more; the reference without its long lists open. */
  async function show({ path, ready, act, name, withoutKey }: View): Promise<Page> {
    const options = {
      withKey: withoutKey !== true,
      reducedMotion: 'reduce' as const,
      bypassCSP: true,
    }
    const page = await open(shared, path, options)
    await page.locator(ready).first().waitFor()
    if (name !== 'docs') await act?.(page)
    return page
  }

  it.each(views.map((view) => [view.name, view] as const))(
    '%s looks as it did, at any width, in light and dark',
    async (_, view) => {
      const page = await show(view)
      const widths = await fontWidths(page)
      mkdirSync(directory, { recursive: true })
      if (isWriting) writeFileSync(fontsFile, `[${widths.join(', ')}]\n`)
      const hasFonts = JSON.stringify(widths) === JSON.stringify(knownFontWidths())
      if (!hasFonts) console.warn(`not compared: other fonts than those of ${fontsFile}`)
      const isCompared = (hasFonts || isWriting) && view.isChanging !== true
      const found: (string | undefined)[] = []
      for (const size of sizes) {
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          const picture = await pictureOf(page, size)
          expect(new Set(picture.rgba).size).toBeGreaterThan(8)
          const name = `${view.name.replace(' ', '-')}-${size.width}-${colorScheme}`
          if (isCompared) found.push(difference(name, picture))
        }
      }
      expect(found.filter((text) => text !== undefined)).toEqual([])
    },
  )
})
