/**
 * The files of the explorer as they were built (`scripts/bundle.ts`): each as gzip, so that
 * nothing is compressed while requests are served. They lie beside this module, also in the single file.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Contacts } from '../api/describe/openapi.ts'
import type { HeaderPairs } from '../api/exchange.ts'
import { type ReadyFile, tagOf } from '../api/ready-file.ts'

export interface SiteFile extends ReadyFile {
  readonly paths: readonly string[]
  /** Whether its name changes with its contents, so that it may be kept for ever. */
  readonly isLasting: boolean
  /** Its own headers, which replace those of a page. */
  readonly headers?: HeaderPairs
}

export type Site = readonly SiteFile[]

const pagePaths: Readonly<Record<string, string>> = { 'page.html': '/', 'docs.html': '/docs' }

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const builtSite = fileURLToPath(new URL('./site', import.meta.url))

/** @throws Error if the directory is missing: the program was not built. */
export function readSite(directory = builtSite): Site {
  const names = readdirSync(directory).map((name) => name.replace(/\.gz$/, ''))
  return names.sort().map((name) => readSiteFile(directory, name))
}

/** The files with the contacts of the operator in the page, which shows them; as they are without contacts. */
export function withContacts(site: Site, { contact, privacy }: Contacts): Site {
  const tags = Object.entries({ contact, privacy })
    .filter(([, address]) => address !== '')
    .map(([name, address]) => `<meta name="${name}" content="${address.replaceAll('"', '%22')}">\n`)
  if (tags.length === 0) return site
  return site.map((file) => (file.paths[0] === '/' ? withTags(file, tags.join('')) : file))
}

function withTags(file: SiteFile, tags: string): SiteFile {
  const html = Buffer.from(file.bytes.identity)
    .toString()
    .replace('</head>', () => `${tags}</head>`)
  const identity = Buffer.from(html)
  const bytes = { gzip: gzipSync(identity), identity }
  return { ...file, tag: tagOf(identity), bytes }
}

function readSiteFile(directory: string, name: string): SiteFile {
  const gzip = readFileSync(join(directory, `${name}.gz`))
  const bytes = { gzip, identity: gunzipSync(gzip) }
  const path = pagePaths[name]
  const isLasting = path === undefined
  return {
    paths: [path ?? `/assets/${name}`],
    type: types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    isLasting,
    tag: tagOf(bytes.identity),
    bytes,
  }
}
