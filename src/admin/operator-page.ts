/**
 * The operator's page, from the files that the build has made: only the admin listener serves it. It needs no key; it
 * requests its data from the API with the key of the operator. It may load nothing from elsewhere, runs no text as a
 * script and stands in no frame.
 */
import type { ApiReply } from '../api/exchange.ts'
import { readyReply } from '../api/ready-file.ts'
import { builtOperatorSite, readSite, type SiteFile } from '../explorer/site.ts'
import { contentPolicy } from '../explorer/site-replies.ts'

/** A request, as far as a page is concerned. */
interface PageHead {
  readonly method: string
  readonly path: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

const headers = [
  ['Content-Security-Policy', contentPolicy],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'DENY'],
] as const

/** The files by their paths, read when the first is asked for. */
export class OperatorPage {
  readonly #directory: string
  #files: ReadonlyMap<string, SiteFile> | undefined

  /** @param directory of the built files. */
  constructor(directory = builtOperatorSite) {
    this.#directory = directory
  }

  /** The reply to a request for a file of the page; undefined for any other request. */
  reply({ method, path, headers: given }: PageHead) {
    if ((method !== 'GET' && method !== 'HEAD') || path.startsWith('/admin/')) return undefined
    this.#files ??= new Map(
      readSite(this.#directory).flatMap((file) =>
        (file.isLasting ? file.paths : ['/']).map((name) => [name, file]),
      ),
    )
    const file = this.#files.get(path)
    if (file === undefined) return undefined
    const acceptEncoding = given['accept-encoding'] ?? ''
    const ifNoneMatch = given['if-none-match'] ?? ''
    const kept = file.isLasting ? 'private, max-age=31536000, immutable' : 'no-store'
    const all = [['Cache-Control', kept] as const, ...headers]
    return shown(readyReply(file, { acceptEncoding, ifNoneMatch }, all))
  }
}

function shown({ status, headers: pairs, body }: ApiReply) {
  return { status, headers: Object.fromEntries(pairs), body }
}
