/** A real browser for benches and suites: Debian's Chromium, found by its path, without a profile. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export const browserPath = places.find((path) => existsSync(path))

export function launchBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('no chromium is installed')
  // As root, as in a container, Chromium runs without its sandbox or not at all.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: browserPath, args })
}
