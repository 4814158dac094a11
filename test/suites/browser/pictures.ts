/**
 * The pictures of the documents, to be looked at whenever the explorer looks otherwise (needs Chromium and
 * the built program):
 *
 *     npx tsx test/suites/browser/pictures.ts
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from '../../support/processes/browser.ts'
import { type RunningService, startService } from '../../support/program.ts'
import { keyOf, openPage, settled } from './browser.ts'
import { views } from './views.ts'

const images = join(import.meta.dirname, '..', '..', '..', 'docs', 'images')

const viewport = { width: 1440, height: 900 }

/** Which views, in which scheme. */
const pictures = [
  ['explorer', 'light'],
  ['profile', 'dark'],
] as const

async function take(browser: Browser, service: RunningService): Promise<void> {
  // The figures in them are those of a service that runs, not of one that starts.
  for (const [name] of pictures) await show(name, {}, async () => {})
  for (const [name, colorScheme] of pictures) {
    await show(name, { colorScheme, viewport }, async (page) => {
      await page.screenshot({ path: join(images, `${name}-${viewport.width}.png`) })
    })
  }

  async function show(
    name: string,
    options: BrowserContextOptions,
    use: (page: Page) => Promise<void>,
  ): Promise<void> {
    const view = views.find((each) => each.name === name)!
    const target = `${view.path}#key=${keyOf(service)}`
    const { page, close } = await openPage(browser, service.address, target, options)
    await page.locator(view.ready).first().waitFor()
    await settled(page)
    await use(page)
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
