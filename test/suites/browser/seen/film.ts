/**
 * The film of the first minute in `docs/images`: what a stranger does in the explorer, as one moving PNG, with what is asked
 * written below. Needs Chromium and the built program; look at the film before it is committed:
 *
 *     npx tsx test/suites/browser/seen/film.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Picture, readPng, writePng } from '../../../support/png.ts'
import { launchBrowser } from '../../../support/processes/browser.ts'
import { startService } from '../../../support/program.ts'
import { keyOf, openPage, settled } from '../browser.ts'

const file = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'images', 'first-minute.png')
const size = { width: 1120, height: 700 }
const colors = 64
const bytesMax = 1_500_000

/** A step of the film: what is written below it, what is done, and how long each look at it lasts. */
interface Step {
  readonly caption: string
  readonly act: (page: Page, look: (ms: number) => Promise<void>) => Promise<void>
}

const steps: readonly Step[] = [
  {
    caption: 'Who is the authority on health?',
    act: async (page, look) => {
      await page.getByText('Topics to begin with').waitFor()
      await look(2_500)
      await page.keyboard.press('/')
      for (const letters of ['he', 'alth']) {
        await page.keyboard.type(letters)
        await page.getByRole('option').first().waitFor()
        await look(700)
      }
      await page.keyboard.press('Enter')
      await page.locator('.person').first().waitFor()
      await look(4_000)
    },
  },
  {
    caption: 'Why?',
    act: async (page, look) => {
      await page.locator('.why-button').first().click()
      await page.locator('.bars').waitFor()
      await look(5_000)
    },
  },
  {
    caption: 'Who is that, and is this handle really theirs?',
    act: async (page, look) => {
      await page.keyboard.press('/')
      await page.keyboard.type('@sencapito')
      await page.getByRole('option').first().waitFor()
      await look(1_200)
      await page.keyboard.press('Enter')
      await page.getByText('Understood as a handle').waitFor()
      await look(2_500)
      await page.locator('.person .name').first().click()
      await page.locator('.handles').waitFor()
      await look(5_000)
      await page.getByRole('button', { name: /other ranks/ }).click()
      await page.locator('.topic-ranks li:last-child .rank:not(:empty)').waitFor()
      await page.locator('.topic-ranks').scrollIntoViewIfNeeded()
      await look(4_000)
    },
  },
  {
    caption: 'Who is around them?',
    act: async (page, look) => {
      await page.locator('.handles li > a').first().click()
      await page.locator('.peers tbody tr').first().waitFor()
      await page.evaluate(() => scrollTo(0, 0))
      await look(3_500)
      await page.locator('a.node .touch').nth(3).hover()
      await look(2_500)
      await page.locator('a.node .touch').nth(3).click()
      await page.getByText('It belongs to').waitFor()
      await look(3_500)
    },
  },
  {
    caption: 'Which of two stands higher, and in what?',
    act: async (page, look) => {
      await page.getByRole('link', { name: 'Compare' }).click()
      for (const [label, name] of [
        ['First person', 'capito'],
        ['Second person', 'whitehouse'],
      ] as const) {
        await page.getByLabel(label).fill(name)
        await page.getByRole('option').first().waitFor()
        await look(1_200)
        await page.getByRole('option').first().click()
      }
      await page.locator('.compare-table .group').first().waitFor()
      await settled(page)
      await look(6_000)
    },
  },
]

/** Writes a text below what is seen. */
async function write(page: Page, caption: string): Promise<void> {
  await page.evaluate((text) => {
    const bar = document.getElementById('caption') ?? document.createElement('p')
    bar.id = 'caption'
    bar.textContent = text
    bar.style.cssText =
      'position:fixed;inset:auto 0 0;z-index:9;padding:0.7rem 1.5rem;background:#0b5563;color:#fff;font:600 1.2rem var(--sans)'
    document.documentElement.append(bar)
  }, caption)
}

const directory = mkdtempSync(join(tmpdir(), 'film-'))
const service = await startService(directory)
const browser = await launchBrowser()
try {
  const options = { viewport: size, reducedMotion: 'reduce' as const, bypassCSP: true }
  const target = `/#key=${keyOf(service)}`
  const { page } = await openPage(browser, service.address, target, options)
  const frames: Picture[] = []
  const delaysMs: number[] = []
  for (const { caption, act } of steps) {
    await act(page, async (ms) => {
      await settled(page)
      await write(page, caption)
      frames.push(readPng(await page.screenshot({ caret: 'hide' })))
      delaysMs.push(ms)
    })
  }
  const film = writePng(frames, colors, delaysMs)
  const seconds = delaysMs.reduce((sum, ms) => sum + ms, 0) / 1_000
  if (film.length > bytesMax) throw new Error(`${film.length} bytes are more than ${bytesMax}`)
  writeFileSync(file, film)
  console.info(`${file}: ${frames.length} frames, ${seconds} s, ${film.length} bytes`)
} finally {
  await browser.close()
  await service.stop('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
}
