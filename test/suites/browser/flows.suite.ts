/** What people do in the explorer, by keyboard alone, in a real browser. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserPath } from '../../support/processes/browser.ts'
import {
  heading,
  inBrowser,
  keyOf,
  open,
  settled,
  sharedByTests,
  suggestionsFor,
} from './browser.ts'

/** Shelley Moore Capito and David Wood of the default data. */
const capito = '351273370525540258'
const wood = '4893387514556449885'

describe.skipIf(browserPath === undefined)(inBrowser('the explorer'), () => {
  const shared = sharedByTests()

  const shown = (path: string, options?: Parameters<typeof open>[2]) => open(shared, path, options)

  /** Presses Tab until what has the focus matches; fails after so many. */
  async function tabTo(page: Page, selector: string, max = 80): Promise<void> {
    for (let presses = 0; presses < max; presses += 1) {
      await page.keyboard.press('Tab')
      const isThere = await page.evaluate(
        (wanted) => document.activeElement?.matches(wanted) === true,
        selector,
      )
      if (isThere) return
    }
    throw new Error(`${selector} is not reached by Tab`)
  }

  it('takes the key out of the address at once and keeps it for new tabs, until it is forgotten', async () => {
    const page = await shown('/')
    await page.getByText('Topics to begin with').waitFor()
    expect(page.url()).toBe(`${shared.service.address}/`)
    expect(await page.context().cookies()).toEqual([])
    const other = await page.context().newPage()
    await other.goto(`${shared.service.address}/?q=rust`)
    await other.locator('.person').first().waitFor()
    await page.reload()
    await page.getByText('Topics to begin with').waitFor()
    await tabTo(page, '.balance')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Forget the key' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'A key is needed').waitFor()
    await heading(other, 'A key is needed').waitFor()
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  })

  it('asks before a link replaces a key, and keeps the one that is held', async () => {
    const page = await shown('/?q=rust')
    await page.locator('.person').first().waitFor()
    const held = () => page.evaluate(() => localStorage.getItem('authority-index-key'))
    await page.evaluate(() => {
      location.hash = '#key=aik_another'
    })
    await page.getByText('This link brings another key').waitFor()
    expect(page.url()).not.toContain('aik_')
    expect(await held()).toBe(keyOf(shared.service))
    await page.getByRole('button', { name: 'Keep my key' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('This link brings another key').waitFor({ state: 'detached' })
    expect(await held()).toBe(keyOf(shared.service))
  })

  it('says that a code was used already, and keeps a key that is held in spite of one', async () => {
    const options = { withKey: false, expected: /401/ }
    const page = await shown('/#code=0123456789abcdef0123456789abcdef', options)
    await heading(page, 'This link no longer brings a key').waitFor()
    expect(page.url()).toBe(`${shared.service.address}/`)
    await page.locator('.state input[type=password]').focus()
    await page.keyboard.type(keyOf(shared.service))
    await page.keyboard.press('Enter')
    await page.getByText('Topics to begin with').waitFor()
    await page.goto(`${shared.service.address}/?q=rust#code=0123456789abcdef0123456789abcdef`)
    await page.locator('.person').first().waitFor()
  })

  it('offers topics, people and handles while somebody types, to be chosen by arrows', async () => {
    const page = await shown('/')
    await page.getByText('Topics to begin with').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('capito')
    const options = await suggestionsFor(page, 'capito')
    await page.keyboard.press('ArrowDown')
    const field = page.getByRole('combobox')
    const chosen = await field.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${chosen}"]`).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Escape')
    await options.first().waitFor({ state: 'hidden' })
    await page.keyboard.type(' ')
    await options.first().waitFor()
    const person = options.filter({ hasText: 'Person' }).first()
    for (let press = 0; press < 20; press += 1) {
      await page.keyboard.press('ArrowDown')
      if ((await person.getAttribute('aria-selected')) === 'true') break
    }
    await page.keyboard.press('Enter')
    await heading(page, 'Shelley Moore Capito').waitFor()
  })

  it('searches for what was typed, and says how it was understood, with a way back', async () => {
    const page = await shown('/')
    await tabTo(page, 'input[role=combobox]')
    await page.keyboard.type('ted crus')
    await page.keyboard.press('Enter')
    await page.getByText('Corrected: crus → cruz').waitFor()
    expect(await page.locator('.person .name').allTextContents()).toEqual(['Ted Cruz'])
    await tabTo(page, '.understood a')
    await page.keyboard.press('Enter')
    await heading(page, 'Nobody was found').waitFor()
    await page.goBack()
    await page.getByText('Corrected: crus → cruz').waitFor()
  })

  it('thins a list out by a facet and a score, and lets go of both', async () => {
    const page = await shown('/?q=health')
    await page.locator('.person').first().waitFor()
    const before = await page.locator('.list-head b').textContent()
    const first = page.getByRole('checkbox', { name: /Small business/ })
    await first.focus()
    await page.keyboard.press('Space')
    const chips = page.locator('.chip.is-set')
    await chips.first().waitFor()
    await page.waitForFunction(
      (text) => document.querySelector('.list-head b')?.textContent !== text,
      before,
    )
    expect(page.url()).toContain('topic=Small+business')
    const filtered = page.locator('.people.is-filtered .person').first()
    expect(await filtered.textContent()).toMatch(/^\d+(?:st|nd|rd|th) of 23/)
    await page.getByLabel('Score at least').focus()
    await page.keyboard.type('99')
    await page.keyboard.press('Enter')
    await heading(page, 'Nobody was found').waitFor()
    await page.getByRole('button', { name: 'Remove the filter score ≥ 99' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.person').first().waitFor()
    await page.getByRole('button', { name: 'Remove the filter Small business' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      (text) => document.querySelector('.list-head b')?.textContent === text,
      before,
    )
  })

  it('says why somebody has a rank, in bars that add up, and leads to the endorsers', async () => {
    const page = await shown('/?q=health')
    await page.locator('.person').first().waitFor()
    await tabTo(page, '.why-button')
    await page.keyboard.press('Enter')
    const rows = page.locator('.person-why tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBeGreaterThan(5)
    expect(await page.locator('.person-why .resilience').textContent()).toContain(
      'falls by one place without its strongest endorser',
    )
    const shares = await page.locator('.person-why td.number').allTextContents()
    const numbers = shares.map((text) => Number.parseFloat(text))
    const whole = numbers.reduce((sum, part) => sum + part, 0)
    // Each is rounded by half a percent at most.
    expect(Math.abs(whole - 100)).toBeLessThanOrEqual(numbers.length / 2)
    await tabTo(page, '.person-why th a')
    const name = await page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('Enter')
    await heading(page, name!).waitFor()
  })

  it('shows more of a list when it is asked to', async () => {
    const page = await shown('/?q=health')
    await page.locator('.person').first().waitFor()
    expect(await page.locator('.person').count()).toBe(20)
    await page.getByRole('button', { name: 'Show more' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.person').nth(22).waitFor()
    expect(await page.locator('.more').count()).toBe(0)
  })

  it('shows a profile with handles, topics and their ranks, and what is known of its history', async () => {
    const page = await shown(`/?person=${capito}`)
    await heading(page, 'Shelley Moore Capito').waitFor()
    await page.getByText('45.74').first().waitFor()
    await page.getByText(/Unchanged since snapshot/).waitFor()
    expect(await page.locator('.aside .panel').first().textContent()).toMatch(
      /twitterSenCapito.*Listed by the source below.*Source: https:\/\/github\.com\/unitedstates/s,
    )
    await page.getByRole('button', { name: /Ask for the other ranks \(7 queries\)/ }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.topic-ranks li:last-child .rank:not(:empty)').waitFor()
    const ranks = await page.locator('.topic-ranks .rank').allTextContents()
    expect(ranks[0]).toBe('1 of 19')
    expect(ranks.every((rank) => /^\d+ of \d+$/.test(rank))).toBe(true)
  })

  it('draws the network of a handle, and has the same facts in a table', async () => {
    const page = await shown(`/?person=${capito}`)
    await heading(page, 'Handles').waitFor()
    const outer = page.getByRole('link', { name: /^SenCapito/ }).first()
    expect(await outer.getAttribute('href')).toBe('https://x.com/SenCapito')
    await page.getByRole('link', { name: 'Network of SenCapito on twitter' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Network of twitter:SenCapito').waitFor()
    await page.getByText('It belongs to').waitFor()
    const rows = page.locator('.peers tbody tr')
    await rows.nth(49).waitFor()
    const nodes = page.locator('.graph-picture .node')
    expect(await rows.count()).toBe(50)
    expect(await nodes.count()).toBe(51)
    await tabTo(page, 'a.node')
    const titled = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    const first = await titled()
    await page.keyboard.press('ArrowRight')
    expect(await titled()).not.toBe(first)
    expect(await titled()).toMatch(/authority score [\d.]+$/)
    await tabTo(page, '.peers tbody a')
    expect(await page.locator('.peers tr.is-lit').count()).toBe(1)
    expect(await page.locator('.graph-picture line.is-lit').count()).toBeGreaterThan(0)
    const name = await page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('Enter')
    await heading(page, name!).waitFor()
  })

  it('goes on from a node to its person, from there to their network, and back', async () => {
    const page = await shown('/?network=twitter:SenCapito')
    await page.locator('a.node').nth(49).waitFor()
    await tabTo(page, 'a.node')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.search.includes('person='))
    await page
      .getByRole('link', { name: /^Network of / })
      .first()
      .press('Enter')
    await page.getByText('It belongs to').waitFor()
    await page.goBack()
    await page.goBack()
    await heading(page, 'Network of twitter:SenCapito').waitFor()
    await page.getByRole('button', { name: 'Larger' }).press('Enter')
    expect(await page.locator('.graph-picture').getAttribute('viewBox')).toBe('-200 -200 400 400')
  })

  it('draws the network larger under two fingers, moves it under one, and leads nowhere by either', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const page = await shown('/?network=twitter:SenCapito', phone)
    await page.locator('a.node').nth(49).waitFor()
    const picture = page.locator('.graph-picture')
    await picture.scrollIntoViewIfNeeded()
    const { x, y, width } = (await picture.boundingBox())!
    const middle = { x: x + width / 2, y: y + width / 2 }
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...across: number[]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: across.map((by, id) => ({ x: middle.x + by, y: middle.y, id })),
      })
    const box = async () =>
      (await picture.getAttribute('viewBox'))!.split(' ').map((part) => Math.round(Number(part)))
    await touch('touchStart', -40)
    await touch('touchStart', -40, 40)
    for (const apart of [50, 60, 70, 80]) await touch('touchMove', -apart, apart)
    await touch('touchEnd')
    await expect.poll(box).toEqual([-150, -150, 300, 300])
    await touch('touchStart', 40)
    for (const by of [30, 10, -10, -20]) await touch('touchMove', by)
    await touch('touchEnd')
    await expect.poll(async () => (await box())[0]).toBeGreaterThan(-150)
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
    await heading(page, 'Network of twitter:SenCapito').waitFor()
    for (const width of [450, 600]) {
      await page.getByRole('button', { name: 'Smaller' }).press('Enter')
      await expect.poll(async () => (await box())[2]).toBe(width)
    }
    expect(await box()).toEqual([-300, -300, 600, 600])
    await page.locator('a.node .touch').nth(3).click()
    await page.waitForURL((url) => !url.search.includes('SenCapito'))
  })

  it('says which part of a list is sorted, and loads the rest at a press only', async () => {
    const page = await shown('/?q=health')
    await page.locator('.person').first().waitFor()
    const queries: string[] = []
    page.on('request', (request) => queries.push(new URL(request.url()).pathname))
    await page.locator('.sort.of-score').press('Enter')
    await page.getByText('Sorted: the 20 that are loaded, not the other 3.').waitFor()
    expect(queries).toEqual([])
    await page.getByRole('button', { name: 'Load the rest (1 query)' }).press('Enter')
    await page.locator('.person').nth(22).waitFor()
    expect(queries).toEqual(['/api/v1/index'])
    expect(await page.locator('.sorted-part').count()).toBe(0)
    const scores = (await page.locator('.person .of-score > .number').allTextContents()).map(Number)
    expect(scores).toEqual([...scores].sort((one, other) => other - one))
    await page.locator('.person .name').last().press('Enter')
    await page.getByText('No handle of this person is known.').waitFor()
    await page.getByText('Is something wrong here?').waitFor()
    await page.goBack()
    await page.locator('.person').nth(22).waitFor()
  })

  it('sorts a list by its share of the topic, or by the authority score', async () => {
    const page = await shown('/?q=health')
    await page.locator('.person').first().waitFor()
    const numbers = async (column: string) =>
      (await page.locator(`.person > ${column} > .number`).allTextContents()).map(Number.parseFloat)
    const falling = (values: readonly number[]) =>
      values.every((value, index) => index === 0 || value <= values[index - 1]!)
    expect(falling(await numbers('.share'))).toBe(true)
    expect(falling(await numbers('.of-score'))).toBe(false)
    await tabTo(page, '.sort.of-score')
    await page.keyboard.press('Enter')
    expect(falling(await numbers('.of-score'))).toBe(true)
    expect(await page.locator('.person .rank').first().getAttribute('title')).toMatch(
      /^\d+(st|nd|rd|th) of 23 here; /,
    )
  })

  it('lists topics, thinned out by what is typed, down to a ranking', async () => {
    const page = await shown('/?topics=')
    await page.locator('.topics li').nth(49).waitFor()
    await page.getByRole('button', { name: 'Show more' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.topics li').nth(99).waitFor()
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('agri')
    await page.waitForURL(/topics=agri/)
    // The address changes before the page asks.
    await expect.poll(() => page.locator('.topics li').count()).toBeLessThan(10)
    await settled(page)
    await tabTo(page, '.topics a')
    await page.keyboard.press('Enter')
    await page.getByText('Understood as the topic').waitFor()
    expect(await page.locator('.person').count()).toBe(20)
  })

  it('shows each request as code, with its cost, its durations and the balance', async () => {
    const page = await shown('/?q=rust')
    const panel = page.locator('.request-panel')
    await panel.locator('summary').focus()
    await page.keyboard.press('Enter')
    for (const language of ['curl', 'JavaScript', 'Python']) {
      await page.getByRole('button', { name: language, exact: true }).focus()
      await page.keyboard.press('Enter')
      const text = await panel.locator('pre').textContent()
      expect(text).toContain('AUTHORITY_INDEX_KEY')
      expect(text).not.toContain('aik_')
    }
    const facts = await panel.locator('.facts').textContent()
    const snapshot = `Snapshot${shared.service.snapshotId.slice(0, 8)}`
    for (const fact of ['Cost$0.001', 'Balance$4', 'Service took', 'Round trip', snapshot]) {
      expect(facts).toContain(fact)
    }
  })

  it('names the snapshot in every address, which shows the same to somebody else', async () => {
    const page = await shown('/?q=health&country=United+States')
    await page.locator('.person').first().waitFor()
    const told = page.url()
    expect(told).toContain(`snapshot=${shared.service.snapshotId}`)
    expect(told).not.toContain('aik_')
    const names = await page.locator('.person .name').allTextContents()
    const other = await shown(told.slice(shared.service.address.length))
    await other.locator('.person').first().waitFor()
    expect(await other.locator('.person .name').allTextContents()).toEqual(names)
  })

  it('shows what was seen again for nothing', async () => {
    const page = await shown('/?q=rust')
    await page.locator('.person').first().waitFor()
    await page.locator('.person .name').first().focus()
    await page.keyboard.press('Enter')
    await page.getByText('Why this rank').waitFor()
    await page.goBack()
    await page.locator('.person').first().waitFor()
    await page.getByText('304, unchanged').waitFor({ state: 'attached' })
  })

  it('shows a profile of nobody, and a network of nobody, as what they are', async () => {
    const page = await shown('/?person=1')
    await heading(page, 'Nobody has this SDU').waitFor()
    const other = await shown('/?network=nobody-at-all')
    await heading(other, 'Nobody is connected with it').waitFor()
    await other.getByText('Nobody in the index owns this handle.').waitFor()
  })

  it('has a reference of every operation, and sends what its forms hold', async () => {
    const page = await shown('/docs')
    await heading(page, 'Authority Index API').waitFor()
    const document = await (await fetch(`${shared.service.address}/openapi.json`)).json()
    const paths = Object.keys(document.paths).filter((path) => !path.endsWith('/'))
    const told = await page.locator('.route code').allTextContents()
    expect([...new Set(told)].sort()).toEqual(paths.sort())
    const form = page.getByRole('form', { name: 'Try GET /api/v1/index' })
    await form.locator('input').first().focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('rust')
    await page.keyboard.press('Enter')
    await page.locator('.answer pre').first().waitFor()
    expect(await page.locator('.answer pre').first().textContent()).toContain('"results": [')
    const posted = page.getByRole('form', { name: 'Try POST /api/v1/rank' })
    await posted.getByRole('button', { name: 'Send' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('#rankSources .answer pre').waitFor()
    expect(await page.locator('#rankSources .answer').textContent()).toContain('"source"')
  })

  it('has the configuration of tools, to be copied', async () => {
    const page = await shown('/docs', { permissions: ['clipboard-read', 'clipboard-write'] })
    await heading(page, 'Set up MCP').waitFor()
    await page.getByRole('button', { name: 'Copy: Configuration of Cursor' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Copied').first().waitFor()
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
    expect(copied.mcpServers['authority-index'].url).toBe(`${shared.service.address}/mcp`)
  })

  it('moves nothing for those who want no motion', async () => {
    const page = await shown('/?q=rust', { reducedMotion: 'reduce' })
    await page.locator('.person').first().waitFor()
    const moving = await page.evaluate(() => document.getAnimations().length)
    expect(moving).toBe(0)
    const loading = await page.evaluate(() => {
      const bar = document.createElement('p')
      bar.className = 'loading'
      document.body.append(bar)
      return getComputedStyle(bar, '::after').animationName
    })
    expect(loading).toBe('none')
  })

  it('tells screen readers what was found', async () => {
    const page = await shown('/?q=health')
    await page.locator('#status:has-text("23 people found")').waitFor({ state: 'attached' })
    const other = await shown(`/?person=${wood}`)
    await other.locator('#status:has-text("David Wood")').waitFor({ state: 'attached' })
  })
})
