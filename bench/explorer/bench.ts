/**
 * What a person waits for in the explorer, as their browser sees it: from opening an address to the
 * first people on the screen, and from pressing a key to the list of what is offered for the text that
 * is then in the field. Each opening is that of a new browser profile, which has nothing of the page;
 * names that are typed are those of people of many topics, none twice, and every key is counted.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../test/support/processes/browser.ts'
import { Children } from '../../test/support/processes/children.ts'
import { type KeyedService, startRichService } from '../../test/support/processes/service.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { benchData } from '../shared/data/data.ts'
import { table } from '../shared/report.ts'

/** Milliseconds that somebody waited for one thing. */
interface WaitRow {
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

/** Letters of a name that are typed. */
const lettersMax = 10

/** What lies between two keys, as people type: one after the other, around again. */
const betweenKeysMs = [120, 160, 140, 180, 130, 170, 150]

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
async function run(options: BenchOptions): Promise<WaitRow[]> {
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
    const isNew = (name: string) => onKeys.test(name) && !people.includes(name)
    const person = found.results.findLast(({ name }) => isNew(name))
    if (person !== undefined) people.push(person.name)
  }
  return { topics, people }
}

/** Letters that every keyboard has a key for. */
const onKeys = new RegExp(`^[ -~]{${lettersMax}}`)

interface Found {
  readonly results: readonly { readonly topic: string; readonly name: string }[]
}

async function ask({ port, key }: KeyedService, target: string): Promise<Found> {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`http://127.0.0.1:${port}${target}`, { headers })).json() as Promise<Found>
}

/**
 * Watches for what comes on the screen: it is painted when the frame after it is there is over. A list
 * names the text that it belongs to; a key waits for that of the text in the field, also where another
 * key comes before it.
 */
const watchScript = `
  globalThis.keyWaits = [];
  globalThis.keysWaiting = [];
  globalThis.peopleAtMs = 0;
  const painted = (then) => requestAnimationFrame(() => setTimeout(() => then(performance.now())));
  const isListThere = () => {
    const list = document.querySelector('.suggestions');
    const field = document.querySelector('input[role=combobox]');
    return list?.getAttribute('aria-label') === 'Suggestions for ' + field.value.trim();
  };
  const look = () => {
    if (peopleAtMs === 0 && document.querySelector('.person') !== null) {
      globalThis.peopleAtMs = -1;
      painted((atMs) => { globalThis.peopleAtMs = atMs });
    }
    if (keysWaiting.length === 0 || !isListThere()) return;
    const pressed = keysWaiting.splice(0);
    painted((atMs) => keyWaits.push(...pressed.map((pressedAtMs) => atMs - pressedAtMs)));
  };
  addEventListener('keydown', ({ key, timeStamp }) => {
    if (key.length === 1) keysWaiting.push(timeStamp);
  }, true);
  addEventListener('input', look);
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
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

/** Types names letter by letter; each key is counted when its list is there. */
function keysOf(
  browser: Browser,
  service: KeyedService,
  people: readonly string[],
): Promise<number[]> {
  return inPage(browser, service, '/?topics=', async (page) => {
    const field = page.getByRole('combobox')
    await page.locator('.topics li').first().waitFor()
    let keys = 0
    for (const name of people) {
      await field.fill('')
      for (const letter of name.slice(0, lettersMax)) {
        await page.keyboard.press(letter === ' ' ? 'Space' : letter)
        await pause(betweenKeysMs[keys % betweenKeysMs.length])
        keys += 1
      }
      await page.waitForFunction(`keyWaits.length === ${keys}`)
    }
    return page.evaluate<number[]>('keyWaits')
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
function rowOf(wait: string, waitsMs: readonly number[]): WaitRow {
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
function report(rows: readonly WaitRow[]): string[] {
  return table(rows, {
    wait: ({ wait }) => wait,
    count: ({ count }) => count,
    'p50 (ms)': ({ p50Ms }) => p50Ms.toFixed(1),
    'p95 (ms)': ({ p95Ms }) => p95Ms.toFixed(1),
    'most (ms)': ({ mostMs }) => mostMs.toFixed(1),
  })
}
