/** Descriptions of the MCP server for clients that are not connected yet, as a connected client gets them. */

import { programVersion } from '../version.ts'

/** The last part of its name, after that of its publisher. */
export const serverName = 'authority-index'

export const serverTitle = 'Authority Index'

/** Description of at most 100 characters, the maximum of the registry. */
const description =
  'Verified human authorities, ranked per topic: search, profiles, peers, owners of handles.'

/** `https://index.example.com` → `com.example.index/authority-index`, as the registry names servers. */
function qualifiedName(publicUrl: string): string {
  const labels = new URL(publicUrl).hostname.replace(/[^a-z0-9.-]/gi, '').split('.')
  return `${labels.reverse().join('.')}/${serverName}`
}

/** For a client that asks a person for the value. */
const keyHeader = {
  name: 'Authorization',
  description: 'The word Bearer, a space, and an API key of the service',
  isRequired: true,
  isSecret: true,
  placeholder: 'Bearer <API_KEY>',
}

export function iconsAt(publicUrl: string) {
  return [
    { src: `${publicUrl}/icon.png`, mimeType: 'image/png', sizes: ['128x128'] },
    { src: `${publicUrl}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] },
  ]
}

const schemas = {
  /** A card, to which a catalog leads. */
  card: 'v1/server-card.schema.json',
  /** An entry, with which an operator adds the service to a registry. */
  entry: '2025-12-11/server.schema.json',
}

export function descriptionOf(kind: keyof typeof schemas, publicUrl: string, endpoint: string) {
  return {
    $schema: `https://static.modelcontextprotocol.io/schemas/${schemas[kind]}`,
    name: qualifiedName(publicUrl),
    title: serverTitle,
    description,
    version: programVersion,
    websiteUrl: publicUrl,
    icons: iconsAt(publicUrl),
    remotes: [{ type: 'streamable-http', url: endpoint, headers: [keyHeader] }],
  }
}
