/**
 * The pictures of the page of an account and of the operator's page, for docs/administration.md and docs/explorer.md (needs
 * Chromium and the built program). What was sold is made for the days before today, so dates differ from one taking to the next:
 *
 *     npx tsx test/suites/browser/seen/account-pictures.ts
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, Page } from 'playwright-core'
import { openBooks } from '../../../../src/ledger/open-administration.ts'
import { readPng, writePng } from '../../../support/png.ts'
import { launchBrowser } from '../../../support/processes/browser.ts'
import { copyDefaultSnapshot, endOf, run, start } from '../../../support/program.ts'
import { soldOverDays } from '../../../support/sold-days.ts'
import { openPage, settled } from '../browser.ts'

const images = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'images')
const colors = 64
const durbin = '59121954044035807'

/** Books with a month of sales of `acme`, two accounts more, an endpoint of webhooks and a correction. */
async function fill(data: string, snapshots: string): Promise<string> {
  const days = Array.from({ length: 30 }, (_, ago) => ({
    ago,
    searches: 300 + ((ago * 137) % 400),
    matches: (ago * 91) % 300,
    tag: 'shop',
  })).filter(({ ago }) => ago % 7 !== 3)
  const order = { lastMs: Date.now(), account: 'acme', label: 'web shop' }
  const key = await soldOverDays({ data, days, ...order })
  const books = await openBooks({ data, ledger: null, clock: Date.now })
  await books.topUp('acme', 25_000_000, 'invoice 17')
  for (const [account, label] of [
    ['birch-research', 'pipeline'],
    ['cedar-news', 'newsroom'],
  ] as const) {
    await books.createAccount(account)
    await books.issueKey({ account, label, expiresAtMs: null })
  }
  await books.suspend('cedar-news')
  const url = 'https://acme.example/hooks'
  await books.webhooks().add({ url, account: 'acme', events: [], below: [], sdus: [] })
  await books.close()
  const set = '{"bio":"U.S. Senator for Illinois."}'
  const from = ['--evidence', 'a letter of 3 May', '--snapshots', snapshots, '--data', data]
  const { exitCode, stderr } = await run(['correction', 'add', durbin, set, ...from])
  if (exitCode !== 0) throw new Error(stderr)
  return key
}

async function served(data: string, snapshots: string) {
  const places = ['--data', data, '--snapshots', snapshots, '--admin', '127.0.0.1:0']
  const child = start(['serve', '--port', '0', '--threads', '1', '--json', ...places])
  const ended = endOf(child)
  const [line] = await Promise.race([
    once(createInterface(child.stdout!), 'line'),
    ended.then(({ stderr }) => Promise.reject(new Error(`the service ended: ${stderr}`))),
  ])
  const { address, admin } = JSON.parse(String(line)) as { address: string; admin: string }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { address, admin: `http://${admin}`, stop }
}

async function save(page: Page, name: string): Promise<void> {
  await settled(page)
  const bytes = writePng([readPng(await page.screenshot({ caret: 'hide' }))], colors)
  writeFileSync(join(images, `${name}.png`), bytes)
  console.info(`${name}.png: ${bytes.length} bytes`)
}

async function take(
  browser: Browser,
  { address, admin }: { readonly address: string; readonly admin: string },
  { key, adminKey }: { readonly key: string; readonly adminKey: string },
): Promise<void> {
  const viewport = { width: 1280, height: 800 }
  const account = await openPage(browser, address, `/account#key=${key}`, { viewport })
  await account.page.locator('.day-bars').waitFor()
  await save(account.page, 'account')
  await account.close()
  const { page, close } = await openPage(browser, admin, '/', { viewport })
  await page.getByLabel('Admin key').fill(adminKey)
  await page.keyboard.press('Enter')
  const acme = page.getByRole('link', { name: 'acme' })
  await acme.first().waitFor()
  await save(page, 'operator-accounts')
  await acme.first().press('Enter')
  await page.locator('.day-bars').waitFor()
  await save(page, 'operator-account')
  await page.getByRole('link', { name: 'Served', exact: true }).press('Enter')
  await page.getByText('a letter of 3 May').waitFor()
  await save(page, 'operator-served')
  await close()
}

const directory = mkdtempSync(join(tmpdir(), 'account-pictures-'))
const data = join(directory, 'data')
const snapshots = join(directory, 'snapshots')
const browser = await launchBrowser()
try {
  copyDefaultSnapshot(snapshots)
  const key = await fill(data, snapshots)
  const issue = ['admin-key', 'issue', '--data', data, '--scopes', 'read,keys,money,data']
  const adminKey = (await run(issue)).stdout.trim()
  const service = await served(data, snapshots)
  try {
    await take(browser, service, { key, adminKey })
  } finally {
    await service.stop()
  }
} finally {
  await browser.close()
  rmSync(directory, { recursive: true, force: true })
}
