/**
 * The pictures of the README, to be looked at whenever the explorer looks otherwise (needs Chromium and
 * the built program):
 *
 *     npx tsx test/browser/pictures.ts
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../bench/shared/processes/browser.ts'
import { type RunningService, startService } from '../program.ts'
import { openPage } from './browser.ts'
import { views } from './views.ts'

const images = join(import.meta.dirname, '..', '..', 'docs', 'images')

/** Which views, in which scheme, how wide. */
const pictures = [
  ['explorer', 'light', 1440],
  ['why', 'light', 1440],
  ['network', 'dark', 1440],
  ['docs', 'light', 1440],
  ['profile', 'dark', 1440],
  ['explorer', 'light', 320],
  ['why', 'dark', 320],
] as const

async function take(browser: Browser, service: RunningService): Promise<void> {
  for (const [name, colorScheme, width] of pictures) {
    const view = views.find((each) => each.name === name)!
    const key = service.headers.authorization!.replace('Bearer ', '')
    const viewport = { width, height: width < 500 ? 640 : 900 }
    const options = { colorScheme, viewport }
    const target = `${view.path}#key=${key}`
    const { page, close } = await openPage(browser, service.address, target, options)
    await page.locator(view.ready).first().waitFor()
    // The docs are shown as they open.
    if (name !== 'docs') await view.act?.(page)
    await page.screenshot({ path: join(images, `${name}-${width}.png`) })
    await close()
  }
}

const directory = mkdtempSync(join(tmpdir(), 'pictures-'))
mkdirSync(images, { recursive: true })
const service = await startService(directory)
const browser = await launchBrowser()
try {
  await take(browser, service)
} finally {
  await browser.close()
  await service.stop('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
}
