/**
 * The files that agents and their clients look for beside `/mcp`, at the public address of a service. They are made
 * once; none reveals anything of the index, and none needs a key.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HeaderPairs } from '../api/exchange.ts'
import { readyBytes, readyText } from '../api/ready-file.ts'
import type { SiteFile } from '../explorer/site.ts'
import { operations } from '../operations.ts'
import { descriptionOf, serverName, serverTitle } from './server-description.ts'

/** Any page may read the files: they are the same for every client. */
const openHeaders: HeaderPairs = [
  ['Access-Control-Allow-Origin', '*'],
  ['Cache-Control', 'public, max-age=3600'],
]

const json = 'application/json'
const catalogType = 'application/ai-catalog+json'
const cardType = 'application/mcp-server-card+json'
const markdownType = 'text/markdown; charset=utf-8'

const builtGuides = fileURLToPath(new URL('./guides', import.meta.url))

/**
 * @param publicUrl the address by which clients reach the service, without a slash at its end.
 * @throws Error if the program was not built.
 */
export function agentFiles(publicUrl: string, guides = builtGuides): SiteFile[] {
  const [path] = operations.mcp.paths
  const endpoint = `${publicUrl}${path}`
  const cardPath = `${path}/server-card`
  const documents = documentsIn(guides)
  const icon = readFileSync(join(guides, 'icon.svg'), 'utf8')
  return [
    file('/.well-known/ai-catalog.json', catalogType, catalog(publicUrl, cardPath)),
    file(cardPath, cardType, descriptionOf('card', publicUrl, endpoint)),
    file('/server.json', json, descriptionOf('entry', publicUrl, endpoint)),
    file('/icon.svg', 'image/svg+xml', icon),
    open('/icon.png', readyBytes('image/png', readFileSync(join(guides, 'icon.png')))),
    file('/llms.txt', 'text/plain; charset=utf-8', contents(publicUrl, endpoint, documents)),
    ...documents.map(({ name, text }) => file(`/docs/${name}`, markdownType, text)),
  ]
}

interface Guide {
  /** As `mcp.md` or `reference/api.md`. */
  readonly name: string
  readonly text: string
}

function documentsIn(guides: string): Guide[] {
  const files = readdirSync(guides, { recursive: true, encoding: 'utf8' })
  const names = files.filter((name) => name.endsWith('.md'))
  return names.sort().map((name) => ({ name, text: readFileSync(join(guides, name), 'utf8') }))
}

function file(path: string, type: string, content: string | object): SiteFile {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return open(path, readyText(type, text))
}

function open(path: string, ready: ReturnType<typeof readyText>): SiteFile {
  return { ...ready, paths: [path], isLasting: false, headers: openHeaders }
}

function catalog(publicUrl: string, cardPath: string): object {
  const entry = {
    identifier: `urn:air:${new URL(publicUrl).hostname}:mcp:${serverName}`,
    type: cardType,
    url: `${publicUrl}${cardPath}`,
  }
  return { specVersion: '1.0', entries: [entry] }
}

function contents(publicUrl: string, endpoint: string, documents: readonly Guide[]): string {
  const lines = documents.map(({ name, text }) => {
    const title = /^# (.+)$/m.exec(text)?.[1] ?? name
    return `- [${title}](${publicUrl}/docs/${name})`
  })
  return `# ${serverTitle}

> An index of verified human authorities, ranked per topic: search, profiles, peers of a handle, owners of handles, a
> ranking of sources by the authority of their authors.

- MCP server (streamable HTTP): ${endpoint}
- HTTP API: ${publicUrl}/openapi.json
- Both take the header \`Authorization: Bearer <API_KEY>\`.

## Documents

${lines.join('\n')}
`
}
