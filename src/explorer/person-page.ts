/**
 * The page behind a link of a listed person: the entry as the API answers it, the history, and who runs the
 * service. It is plain HTML without a script. A link that is wrong or over has no page.
 */
import type { Api } from '../api/api.ts'
import type { Contacts } from '../api/describe/contacts.ts'
import type { ApiReply } from '../api/exchange.ts'
import { noSniff, noStore } from '../api/pipeline/response-headers.ts'
import type { PageAbsence, PageFiles, PageRequest } from '../http/page-route.ts'
import { personPathPrefix, sduOfPath } from './person-link.ts'

/** Dependencies of the pages of people. */
interface PersonPageOptions extends Contacts {
  readonly secret: Uint8Array
  /** Answers without a key, and charges nothing. */
  readonly api: Api
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

type Item = Readonly<Record<string, unknown>>
type Answer = { readonly results?: readonly Item[]; readonly next?: unknown }

/** Pages of the history that one page shows. */
const historyPagesMax = 20

const headers = [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Robots-Tag', 'noindex'],
  noSniff,
  noStore,
] as const

/** The pages of people, behind those of the explorer, if there are any. */
export class PersonPages implements PageFiles {
  readonly methods = ['GET', 'HEAD']
  readonly #options: PersonPageOptions
  readonly #others: PageFiles | undefined

  constructor(options: PersonPageOptions, others: PageFiles | undefined) {
    this.#options = options
    this.#others = others
  }

  has(path: string): boolean {
    return this.#others?.has(path) === true || this.#sduAt(path) !== undefined
  }

  reply(request: PageRequest): ApiReply | PageAbsence {
    const sdu = this.#sduAt(request.path)
    if (sdu === undefined) return this.#others!.reply(request)
    const detail = this.#ask('/api/v1/detail', `sdus=${sdu}`)
    const body = Buffer.from(this.#page(sdu, detail.results?.[0], this.#history(sdu)))
    return { status: 200, headers, body, seconds: 0 }
  }

  #sduAt(path: string): string | undefined {
    if (!path.startsWith(personPathPrefix)) return undefined
    return sduOfPath(this.#options.secret, path, this.#options.clock())
  }

  #page(sdu: string, entry: Item | undefined, history: readonly Item[]): string {
    const { contact, privacy } = this.#options
    const contacts = [linkOf('Contact', contact), linkOf('Privacy', privacy)].filter(Boolean)
    return [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark"><title>Your entry</title></head><body>',
      `<h1>Your entry</h1><p>SDU ${escaped(sdu)}.</p>`,
      contacts.length === 0 ? '' : `<p>${contacts.join(' · ')}</p>`,
      entry === undefined ? '<p>The index holds no entry under this SDU.</p>' : entryOf(entry),
      tableOf('History', history),
      '</body></html>',
    ].join('\n')
  }

  #history(sdu: string): readonly Item[] {
    const items: Item[] = []
    let cursor = ''
    for (let page = 0; page < historyPagesMax; page += 1) {
      const { results = [], next } = this.#ask('/api/v1/history', `sdus=${sdu}${cursor}`)
      items.push(...results)
      if (typeof next !== 'string') break
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
    return items
  }

  #ask(path: string, query: string): Answer {
    const reply = this.#options.api.answer({ method: 'GET', path, query })
    return reply.status === 200 ? JSON.parse(Buffer.from(reply.body).toString()) : {}
  }
}

function entryOf(entry: Item): string {
  const rows = Object.entries(entry).map(
    ([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${shown(value)}</td></tr>`,
  )
  return `<h2>Entry</h2><table>${rows.join('\n')}</table>`
}

function tableOf(title: string, items: readonly Item[]): string {
  const [first] = items
  if (first === undefined) return ''
  const names = Object.keys(first).filter((name) => name !== 'sdu')
  const head = names.map((name) => `<th scope="col">${escaped(name)}</th>`)
  const rows = items.map(
    (item) => `<tr>${names.map((name) => `<td>${shown(item[name])}</td>`).join('')}</tr>`,
  )
  return `<h2>${title}</h2><table><tr>${head.join('')}</tr>\n${rows.join('\n')}</table>`
}

/** A text as it is, anything else as JSON. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return escaped(value)
  return typeof value === 'object'
    ? `<pre>${escaped(JSON.stringify(value, undefined, 2))}</pre>`
    : escaped(String(value))
}

function linkOf(name: string, address: string): string {
  if (address === '') return ''
  const target = address.includes('://') ? address : `mailto:${address}`
  return `${name}: <a href="${escaped(target)}">${escaped(address)}</a>`
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  }
  return text.replace(/[&<>"]/g, (character) => names[character]!)
}
