/**
 * What a person waits for in the explorer, as their browser sees it: from opening an address to the
 * first people on the screen, and from pressing a key to the list of what is offered. Each opening is
 * that of a new browser profile, which has nothing of the page; names that are typed are those of
 * people of many topics, none twice.
 */
import type { Browser, Page } from 'playwright-core'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { benchData } from '../shared/data/data.ts'
import { launchBrowser } from '../shared/processes/browser.ts'
import { Children } from '../shared/processes/children.ts'
import { type KeyedService, startRichService } from '../shared/processes/service.ts'
import { table } from '../shared/report.ts'

/** Milliseconds that somebody waited for one thing. */
export interface WaitRow {
  readonly wait: string
  readonly count: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly mostMs: number
}

const sizes = {
  tiny: { authorities: 300, openings: 2, names: 2 },
  full: { authorities: 1_000_000, openings: 20, names: 20 },
} as const

/** Letters of a name that are typed, and what lies between two: so much that no list is taken for another's. */
const lettersMax = 10
const betweenKeysMs = 250

/** The bench, as its command runs it. */
export const explorerBench: Bench = {
  name: 'explorer',
  flags: ['snapshots'],
  run: async (options) => {
    const rows = await run(options)
    return { result: rows, lines: report(rows) }
  },
}

/** Runs the bench and returns a row for each wait. */
export async function run(options: BenchOptions): Promise<WaitRow[]> {
  const { size, signal, directory } = options
  const { authorities, openings, names } = sizes[size]
  const children = new Children(signal)
  const browser = await launchBrowser()
  try {
    const snapshots =
      options.flags?.snapshots ?? (await benchData(authorities, directory)).snapshots
    const service = await startRichService(children, { snapshots, threads: 1 })
    const { topics, people } = await drawn(service, Math.max(openings, names))
    return [
      rowOf('opening → people', await openingsOf(browser, service, topics.slice(0, openings))),
      rowOf('key → list', await keysOf(browser, service, people.slice(0, names))),
    ]
  } finally {
    await browser.close()
    await children.close()
  }
}

/** Topics, and from each a person. */
async function drawn(service: KeyedService, count: number) {
  const { results } = await ask(service, `/api/v1/topics?limit=${Math.min(count, 50)}`)
  const topics = results.map(({ topic }) => topic)
  const people: string[] = []
  for (const topic of topics) {
    const found = await ask(service, `/api/v1/index?limit=50&query=${encodeURIComponent(topic)}`)
    const name = found.results.at(-1)?.name
    if (name !== undefined && !people.includes(name)) people.push(name)
  }
  return { topics, people }
}

interface Found {
  readonly results: readonly { readonly topic: string; readonly name: string }[]
}

async function ask({ port, key }: KeyedService, target: string): Promise<Found> {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`http://127.0.0.1:${port}${target}`, { headers })).json() as Promise<Found>
}

/** Watches for what comes on the screen: when it is painted, the frame after it is there is over. */
const watchScript = `
  globalThis.waits = [];
  globalThis.peopleAtMs = 0;
  let keyAtMs = 0;
  addEventListener('keydown', (event) => { keyAtMs = event.timeStamp }, true);
  const painted = (then) => requestAnimationFrame(() => setTimeout(() => then(performance.now())));
  new MutationObserver((changes) => {
    if (peopleAtMs === 0 && document.querySelector('.person') !== null) {
      globalThis.peopleAtMs = -1;
      painted((atMs) => { globalThis.peopleAtMs = atMs });
    }
    const isList = changes.some(({ target }) => target.parentElement?.closest('.suggestions') || target.classList?.contains('suggestions'));
    if (keyAtMs > 0 && isList && document.querySelector('.suggestion') !== null) {
      const pressedAtMs = keyAtMs;
      keyAtMs = 0;
      painted((atMs) => waits.push(atMs - pressedAtMs));
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
`

async function openingsOf(
  browser: Browser,
  service: KeyedService,
  topics: readonly string[],
): Promise<number[]> {
  const waits: number[] = []
  for (const topic of topics) {
    waits.push(
      await inPage(browser, service, `/?q=${encodeURIComponent(topic)}`, async (page) => {
        await page.waitForFunction('peopleAtMs > 0')
        return page.evaluate<number>('peopleAtMs')
      }),
    )
  }
  return waits
}

/** Types names letter by letter; a key whose list is the same as before is not counted. */
function keysOf(
  browser: Browser,
  service: KeyedService,
  people: readonly string[],
): Promise<number[]> {
  return inPage(browser, service, '/?topics=', async (page) => {
    const field = page.getByRole('combobox')
    for (const name of people) {
      await field.fill('')
      await field.focus()
      await page.keyboard.type(name.slice(0, lettersMax), { delay: betweenKeysMs })
      await page.waitForTimeout(betweenKeysMs)
    }
    return page.evaluate<number[]>('waits')
  })
}

/** A page in a profile of its own; the policy of the page would keep the bench from looking. */
async function inPage<T>(
  browser: Browser,
  { port, key }: KeyedService,
  target: string,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    bypassCSP: true,
  })
  try {
    const page = await context.newPage()
    await page.addInitScript(watchScript)
    await page.goto(`http://127.0.0.1:${port}${target}#key=${key}`)
    return await use(page)
  } finally {
    await context.close()
  }
}

/** What some waits come to. */
export function rowOf(wait: string, waitsMs: readonly number[]): WaitRow {
  const sorted = [...waitsMs].sort((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  return {
    wait,
    count: sorted.length,
    p50Ms: at(0.5) ?? Number.NaN,
    p95Ms: at(0.95) ?? Number.NaN,
    mostMs: sorted.at(-1) ?? Number.NaN,
  }
}

/** The rows as a table. */
export function report(rows: readonly WaitRow[]): string[] {
  return table(rows, {
    wait: ({ wait }) => wait,
    count: ({ count }) => count,
    'p50 (ms)': ({ p50Ms }) => p50Ms.toFixed(1),
    'p95 (ms)': ({ p95Ms }) => p95Ms.toFixed(1),
    'most (ms)': ({ mostMs }) => mostMs.toFixed(1),
  })
}
