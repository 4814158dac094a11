/** The built client in a page of another origin than the service's, which allows it or not. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, launchBrowser } from '../../support/processes/browser.ts'
import { type RunningService, startService } from '../../support/program.ts'
import { inBrowser } from './browser.ts'

const client = join(import.meta.dirname, '..', '..', '..', 'dist', 'client.js')

const pageText =
  '<!doctype html><script type="module">globalThis.library = await import("/client.js")</script>'

interface Given {
  readonly address: string
  readonly key: string
  readonly pauses: readonly number[]
}

interface Loaded {
  readonly library: typeof import('../../../src/client/client.ts')
}

describe.skipIf(browserPath === undefined)(inBrowser('the client in a web page'), () => {
  const directory = mkdtempSync(join(tmpdir(), 'browser-client-'))
  const pages: Server[] = []
  let service: RunningService
  let browser: Browser

  /** A site with the client's module and an empty page. */
  async function site(): Promise<string> {
    const server = createServer(({ url }, response) => {
      const isModule = url === '/client.js'
      response.setHeader('Content-Type', isModule ? 'text/javascript' : 'text/html')
      response.end(isModule ? readFileSync(client) : pageText)
    })
    pages.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function pageOf(origin: string): Promise<Page> {
    const page = await browser.newPage()
    await page.goto(origin)
    await page.waitForFunction(() => 'library' in globalThis)
    return page
  }

  let allowed: string
  let given: Given

  beforeAll(async () => {
    allowed = await site()
    service = await startService(directory, ['--cors-origins', allowed])
    browser = await launchBrowser()
    const key = service.headers.authorization!.replace('Bearer ', '')
    given = { address: service.address, key, pauses: [0, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5] }
  })

  afterAll(async () => {
    await browser?.close()
    await service?.stop('SIGKILL')
    for (const page of pages) page.close()
    rmSync(directory, { recursive: true, force: true })
  })

  it('answers, says what it cost, and no pause shows', async () => {
    const page = await pageOf(allowed)
    const found = await page.evaluate(async ({ address, key, pauses }) => {
      const { AuthorityIndex } = (globalThis as unknown as Loaded).library
      const options = { baseURL: address, apiKey: key, exposeKeyInBrowser: true }
      const client = new AuthorityIndex(options)
      const answers: unknown[] = []
      for (const seconds of pauses) {
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
        const { data, cost, requestId } = await client.match('@SenCapito').withResponse()
        answers.push([data!.name, cost, typeof requestId])
      }
      return answers
    }, given)
    expect(found).toEqual(given.pauses.map(() => ['Shelley Moore Capito', 0.001, 'string']))
    await page.close()
  })

  it('fails with an error of the client on an origin that is not allowed', async () => {
    const page = await pageOf(await site())
    const failed = await page.evaluate(async ({ address, key }) => {
      const { AuthorityIndex, ConnectionError } = (globalThis as unknown as Loaded).library
      const options = { baseURL: address, apiKey: key, exposeKeyInBrowser: true }
      const answer = new AuthorityIndex(options).match('@SenCapito')
      return answer.then(
        () => 'answered',
        (error: unknown) => error instanceof ConnectionError,
      )
    }, given)
    expect(failed).toBe(true)
    await page.close()
  })
})
