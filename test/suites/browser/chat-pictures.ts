/**
 * The pictures of the view inside a chat in its host frame, for docs/mcp.md (needs Chromium and the built program):
 *
 *     npx tsx test/suites/browser/chat-pictures.ts
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../support/processes/browser.ts'
import { type RunningService, startService } from '../../support/program.ts'
import { keyOf } from './browser.ts'
import { showInHost } from './host-frame.ts'

const images = join(import.meta.dirname, '..', '..', '..', 'docs', 'images')
const viewUri = 'ui://authority-index/view'
const bytesMax = 150_000
/** Of the host around its frame. */
const margin = 16

/** What is shown: a tool, and the part that is there when all is. */
const pictures = [
  ['chat-ranked', 'search_authorities', { query: 'health', limit: 5 }, '.person'],
  ['chat-why', 'get_authority_detail', { sdus: ['351273370525540258'] }, '.why .bars'],
  ['chat-network', 'find_peers', { handles: ['SenCapito'], limit: 8 }, '.graph-picture circle'],
] as const

async function connectTo(service: RunningService): Promise<Client> {
  const headers = { Authorization: `Bearer ${keyOf(service)}` }
  const client = new Client({ name: 'pictures', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), {
      requestInit: { headers },
    }),
  )
  return client
}

async function take(browser: Browser, client: Client): Promise<void> {
  const [page] = (await client.readResource({ uri: viewUri })).contents
  const { text: html } = page as { readonly text: string }
  for (const [name, tool, given, part] of pictures) {
    const result = await client.callTool({ name: tool, arguments: given })
    for (const theme of ['light', 'dark'] as const) {
      const hosted = await showInHost(browser, { html, result, theme, width: 760 })
      await hosted.view.locator(part).first().waitFor()
      // The frame has its last height when the view has said it.
      await hosted.page.waitForFunction(() => {
        const { heard } = window as unknown as { heard: { method: string }[] }
        return heard.some(({ method }) => method === 'ui/notifications/size-changed')
      })
      const path = join(images, `${name}-${theme}.png`)
      const { width, height } = (await hosted.page.locator('iframe').boundingBox())!
      const clip = { x: 0, y: 0, width: width + 2 * margin, height: height + 2 * margin }
      await hosted.page.screenshot({ path, clip, fullPage: true })
      await hosted.close()
      const { size } = statSync(path)
      console.log(`${path}: ${size} bytes`)
      if (size > bytesMax) throw new Error(`${path} is larger than ${bytesMax} bytes`)
    }
  }
}

const directory = mkdtempSync(join(tmpdir(), 'chat-pictures-'))
const service = await startService(directory)
const browser = await launchBrowser()
const client = await connectTo(service)
try {
  await take(browser, client)
} finally {
  await client.close()
  await browser.close()
  await service.stop('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
}
