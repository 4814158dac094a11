/** What a listed person and everybody else see of an operator's contacts and links, on a running service. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../support/built.ts'
import { run, startService } from '../support/program.ts'

it('a link opens the entry of its person without a key, and no other; contacts are shown', async () => {
  const directory = temporaryDirectory()
  const secret = join(directory, 'link.secret')
  writeFileSync(secret, Buffer.alloc(32, 9), { mode: 0o600 })
  const contacts = ['--contact', 'ops@example.com', '--privacy', 'https://example.com/privacy']
  const words = ['--threads', '1', '--link-secret', secret, ...contacts]
  const service = await startService(directory, words)
  onTestFinished(() => void service.stop('SIGKILL'))
  const { address, headers } = service
  const searched = await fetch(`${address}/api/v1/index?query=rust&limit=1`, { headers })
  const { results } = (await searched.json()) as { results: { sdu: string; name: string }[] }
  const { sdu, name } = results[0]!
  const linked = await run(['person', 'link', sdu, '--link-secret', secret, '--url', address])
  const link = linked.stdout.trim()
  const page = await fetch(link)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain(name)
  expect((await fetch(link.replace(sdu, `${sdu}0`))).status).toBe(404)
  expect((await fetch(link, { method: 'POST' })).status).toBe(405)
  const document = (await (await fetch(`${address}/openapi.json`)).json()) as { info: object }
  expect(document.info).toMatchObject({
    contact: { email: 'ops@example.com' },
    'x-privacy': 'https://example.com/privacy',
  })
  expect(await (await fetch(`${address}/docs`)).text()).toContain(
    '<meta name="privacy" content="https://example.com/privacy">',
  )
})
