/**
 * The explorer of another checkout beside this one, as one picture in `docs/images`: search, profile, the reason of a rank,
 * network, and a search on a phone. Both must be built; needs Chromium.
 *
 *     npx tsx test/suites/browser/seen/before-after.ts /path/to/other/checkout
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { readPng, writePng } from '../../../support/png.ts'
import { launchBrowser } from '../../../support/processes/browser.ts'
import type { RunningService } from '../../../support/program.ts'
import { keyOf, openPage, settled } from '../browser.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const file = join(root, 'docs', 'images', 'before-after.png')
const capito = '351273370525540258'

/** What is shown, how wide, and what is pressed before. */
const shots = [
  { name: 'Search', path: '/?q=health', ready: '.person', width: 1280, height: 760 },
  {
    name: 'Why',
    path: '/?q=health',
    ready: '.person',
    width: 1280,
    height: 760,
    press: '.why-button',
  },
  { name: 'Profile', path: `/?person=${capito}`, ready: '.bars', width: 1280, height: 760 },
  { name: 'Network', path: '/?network=SenCapito', ready: '.peers tr', width: 1280, height: 760 },
  { name: 'Phone', path: '/?q=health', ready: '.person', width: 390, height: 760 },
] as const

/** How wide a shot is in the picture, of 1,280. */
const scale = 0.5

type Started = (directory: string) => Promise<RunningService>

/** What a checkout shows, as addresses of pictures. */
async function shotsOf(browser: Browser, checkout: string): Promise<string[]> {
  const { startService } = (await import(join(checkout, 'test', 'support', 'program.ts'))) as {
    readonly startService: Started
  }
  const directory = mkdtempSync(join(tmpdir(), 'before-after-'))
  const service = await startService(directory)
  const taken: string[] = []
  try {
    for (const { path, ready, width, height, ...more } of shots) {
      const target = `${path}#key=${keyOf(service)}`
      const options = { viewport: { width, height }, reducedMotion: 'reduce' as const }
      const { page, close } = await openPage(browser, service.address, target, options)
      await page.locator(ready).first().waitFor()
      if ('press' in more) await page.locator(more.press).first().click()
      await settled(page)
      taken.push(`data:image/png;base64,${(await page.screenshot()).toString('base64')}`)
      await close()
    }
  } finally {
    await service.stop('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
  return taken
}

function tableOf(before: readonly string[], after: readonly string[]): string {
  const cell = (source: string, width: number) =>
    `<td><img src="${source}" width="${width * scale}"></td>`
  const rows = shots.map(
    ({ name, width }, index) =>
      `<tr><th>${name}</th>${cell(before[index]!, width)}${cell(after[index]!, width)}</tr>`,
  )
  const style =
    'body{margin:0;background:#fff}table{font:600 18px sans-serif}th,td{padding:4px;vertical-align:top}img{border:1px solid #bbb}'
  return `<style>${style}</style><table><tr><td></td><th>before</th><th>after</th></tr>${rows.join('')}</table>`
}

const [other] = process.argv.slice(2)
if (other === undefined) throw new Error('the other checkout is missing')
const browser = await launchBrowser()
try {
  const before = await shotsOf(browser, other)
  const after = await shotsOf(browser, root)
  const page = await browser.newPage()
  page.setDefaultTimeout(120_000)
  await page.setContent(tableOf(before, after))
  const picture = writePng([readPng(await page.locator('table').screenshot())], 40)
  writeFileSync(file, picture)
  console.info(`${file}: ${picture.length} bytes`)
} finally {
  await browser.close()
}
