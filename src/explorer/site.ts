/**
 * The files of the explorer as they were built (`scripts/build-explorer.ts`): each in every encoding
 * that a browser may take, so that nothing is compressed while requests are served. They lie beside
 * this module, also in the single file.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Encoding, type ReadyFile, tagOf } from '../api/ready-file.ts'

/** How the file of each encoding ends. */
const endings = { br: '.br', gzip: '.gz', identity: '' } as const satisfies Record<Encoding, string>

/** A file as it is served. */
export interface SiteFile extends ReadyFile {
  readonly paths: readonly string[]
  /** Whether its name changes with what is in it, so that it may be kept for ever. */
  readonly isLasting: boolean
}

/** Every file of the explorer. */
export type Site = readonly SiteFile[]

/** The page, which shows what its address says. */
const pageName = 'index.html'
const pagePaths = ['/', '/docs'] as const

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Where the files lie once they are built. */
export const builtSite = fileURLToPath(new URL('./site', import.meta.url))

/**
 * Reads what was built.
 * @throws Error where there is none: the program was not built.
 */
export function readSite(directory = builtSite): Site {
  const names = readdirSync(directory)
  const plain = names.filter((name) => !/\.(?:br|gz)$/.test(name))
  return plain.sort().map((name) => readSiteFile(directory, name))
}

function readSiteFile(directory: string, name: string): SiteFile {
  const read = (encoding: Encoding) => readFileSync(join(directory, name + endings[encoding]))
  const bytes = { br: read('br'), gzip: read('gzip'), identity: read('identity') }
  const isLasting = name !== pageName
  return {
    paths: isLasting ? [`/assets/${name}`] : pagePaths,
    type: types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    isLasting,
    tag: tagOf(bytes.identity),
    bytes,
  }
}
