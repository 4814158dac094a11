/**
 * A host of views inside a chat (MCP Apps of 2026-01-26), as small as it can be: a page with a frame that may run scripts and
 * nothing else, in an origin of its own. It answers the view's first message, hands it a result, follows its size, and
 * keeps what it says.
 */
import type { Browser, FrameLocator, Page } from 'playwright-core'

/** Where the host is; nobody serves it. */
const hostAddress = 'https://host.example/'

/** A message of the view. */
interface Heard {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** What is shown, and how. */
export interface Showing {
  /** The page of the view. */
  readonly html: string
  /** The result of a tool. */
  readonly result: object
  readonly theme: 'light' | 'dark'
  readonly width?: number
}

/** A view in its host. */
export interface HostedView {
  readonly page: Page
  readonly view: FrameLocator
  /** What the view has said. */
  readonly heard: () => Promise<readonly Heard[]>
  /** What the page did that it should not: requests, errors, and what its policy refused. */
  readonly complaints: readonly string[]
  readonly close: () => Promise<void>
}

/** Runs in the host's page. */
const script = `
  const heard = (window.heard = [])
  const frame = document.querySelector('iframe')
  const { html, result, theme } = JSON.parse(document.querySelector('#order').textContent)
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*')
  window.send = send
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow) return
    heard.push({ method: data.method ?? 'answer', params: data.params ?? data.result ?? {} })
    if (data.method === 'ui/initialize') {
      const hostContext = { theme, displayMode: 'inline', containerDimensions: { maxHeight: 2000 } }
      const hostInfo = { name: 'host-frame', version: '1' }
      const hostCapabilities = { openLinks: {} }
      send({ id: data.id, result: { protocolVersion: '2026-01-26', hostInfo, hostCapabilities, hostContext } })
    } else if (data.method === 'ui/notifications/initialized') {
      send({ method: 'ui/notifications/tool-input', params: { arguments: {} } })
      send({ method: 'ui/notifications/tool-result', params: result })
    } else if (data.method === 'ui/notifications/size-changed') {
      frame.style.height = data.params.height + 'px'
    }
  })
  frame.srcdoc = html
`

/** Shows a result. */
export async function showInHost(
  browser: Browser,
  { html, result, theme, width = 720 }: Showing,
): Promise<HostedView> {
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    const url = request.url()
    if (url !== hostAddress && !url.startsWith('about:')) complaints.push(`asked ${url}`)
  })
  const ground = theme === 'dark' ? '#1f1f1f' : '#fff'
  const order = JSON.stringify({ html, result, theme }).replaceAll('<', '\\u003c')
  const body =
    `<!doctype html><html lang="en"><head><title>Host</title><link rel="icon" href="data:,"></head>` +
    `<body style="margin:16px;background:${ground}"><iframe title="View" sandbox="allow-scripts" ` +
    `style="width:100%;border:1px solid #8888;border-radius:8px;color-scheme:${theme}"></iframe>` +
    `<script type="application/json" id="order">${order}</script><script>${script}</script></body></html>`
  await page.route(hostAddress, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(hostAddress)
  const heard = () => page.evaluate(() => (window as unknown as { heard: Heard[] }).heard)
  const view = page.frameLocator('iframe')
  return { page, view, heard, complaints, close: () => context.close() }
}
