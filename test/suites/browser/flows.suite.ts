/** What people do in the explorer, by keyboard alone, in a real browser. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserPath } from '../../support/processes/browser.ts'
import {
  enterKey,
  heading,
  inBrowser,
  keyOf,
  open,
  openList,
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
    await page.getByRole('button', { name: 'Forget the key' }).press('Enter')
    await heading(page, 'A key is needed').waitFor()
    await heading(other, 'A key is needed').waitFor()
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  })

  it('lets no link replace a key that is held', async () => {
    const page = await openList(shared, '/?q=rust')
    await page.evaluate(() => {
      location.hash = '#key=aik_another'
    })
    await page.waitForURL((url) => url.hash === '')
    const held = await page.evaluate(() => localStorage.getItem('authority-index-key'))
    expect(held).toBe(keyOf(shared.service))
  })

  it('shows a visitor without a key what the service answers, before a form for a key', async () => {
    const page = await shown('/', { withKey: false })
    await heading(page, 'A key is needed').waitFor()
    expect(await page.locator('.examples figure').count()).toBe(3)
    const heads = await page.locator('main h2, main h3').allTextContents()
    expect(heads.at(-1)).toBe('A key is needed')
    await enterKey(page, shared.service)
    await page.getByText('Topics to begin with').waitFor()
    expect(await page.locator('.examples').count()).toBe(0)
  })

  it('says that a code was used already, and keeps a key that is held in spite of one', async () => {
    const options = { withKey: false, expected: /401/ }
    const page = await shown('/#code=0123456789abcdef0123456789abcdef', options)
    await heading(page, 'This link no longer brings a key').waitFor()
    expect(page.url()).toBe(`${shared.service.address}/`)
    await enterKey(page, shared.service)
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
    const page = await openList(shared, '/?q=health')
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
    // Filters leave people out, and change no rank.
    const ranks = await page.locator('.person .rank').allTextContents()
    expect(ranks.length).toBe(6)
    expect(Number(ranks.at(-1))).toBeGreaterThan(6)
    await page.getByLabel('Score at least').focus()
    await page.keyboard.type('99')
    await page.keyboard.press('Enter')
    await heading(page, 'Nobody was found').waitFor()
    await page.getByRole('button', { name: 'Remove the filter score ≥ 99' }).press('Enter')
    await page.locator('.person').first().waitFor()
    await page.getByRole('button', { name: 'Remove the filter Small business' }).press('Enter')
    await page.waitForFunction(
      (text) => document.querySelector('.list-head b')?.textContent === text,
      before,
    )
  })

  it('says why somebody has a rank, in bars that add up, and leads to the endorsers', async () => {
    const page = await openList(shared, '/?q=health')
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
    const page = await openList(shared, '/?q=health')
    expect(await page.locator('.person').count()).toBe(20)
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
    await page.locator('.person').nth(22).waitFor()
    expect(await page.locator('.more').count()).toBe(0)
  })

  it('shows a profile with its handles, by the names of their platforms, and its topics', async () => {
    const page = await shown(`/?person=${capito}`)
    await heading(page, 'Shelley Moore Capito').waitFor()
    await page.getByText('45.74').first().waitFor()
    expect(await page.locator('.aside .panel').first().textContent()).toMatch(
      /X \(Twitter\)SenCapito.*Listed by the source below.*Source: https:\/\/github\.com\/unitedstates/s,
    )
    expect(await page.locator('.content .chip').count()).toBe(8)
    await page.locator('.content .chip').first().press('Enter')
    await page.getByText('Understood as the topic').waitFor()
  })

  it('calls platforms and attributes by their names in filters', async () => {
    const page = await shown('/?q=health')
    const panel = page.locator('.filters')
    await panel.getByText('X (Twitter)', { exact: true }).waitFor()
    expect(await panel.textContent()).toMatch(/Office: Senator/)
    await panel.getByRole('checkbox', { name: /Office: Senator/ }).press('Space')
    await page.getByRole('button', { name: 'Remove the filter Office: Senator' }).waitFor()
    expect(page.url()).toContain('attribute=office%3ASenator')
  })

  it('draws the network of a handle, and has the same facts in a table', async () => {
    const page = await shown(`/?person=${capito}`)
    await heading(page, 'Handles').waitFor()
    const outer = page.getByRole('link', { name: /^SenCapito/ }).first()
    expect(await outer.getAttribute('href')).toBe('https://x.com/SenCapito')
    await page.getByRole('link', { name: 'Network of SenCapito on X (Twitter)' }).press('Enter')
    await heading(page, 'Network of twitter:SenCapito').waitFor()
    await page.getByText('It belongs to').waitFor()
    const rows = page.locator('.peers tbody tr')
    await rows.nth(49).waitFor()
    const nodes = page.locator('.graph-picture .node')
    expect(await rows.count()).toBe(50)
    expect(await nodes.count()).toBe(51)
    expect(await nodes.nth(1).locator('title').textContent()).toMatch(/authority score [\d.]+$/)
    await tabTo(page, '.peers tbody a')
    expect(await page.locator('.peers tr.is-lit').count()).toBe(1)
    expect(await page.locator('.graph-picture line.is-lit').count()).toBeGreaterThan(0)
    const name = await page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('Enter')
    await heading(page, name!).waitFor()
  })

  it('goes on from a node to its person, from there to their network, and back', async () => {
    const page = await shown('/?network=twitter:SenCapito')
    await page.locator('.node').nth(50).waitFor()
    await page.locator('.node').nth(1).locator('circle').last().click()
    await page.waitForURL((url) => url.search.includes('person='))
    await page
      .getByRole('link', { name: /^Network of / })
      .first()
      .press('Enter')
    await page.getByText('It belongs to').waitFor()
    await page.goBack()
    await page.goBack()
    await heading(page, 'Network of twitter:SenCapito').waitFor()
  })

  it('lists topics, thinned out by what is typed, down to a ranking', async () => {
    const page = await shown('/?topics=')
    await page.locator('.topics li').nth(49).waitFor()
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
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

  it('shows what was seen again for nothing', async () => {
    const page = await openList(shared, '/?q=health')
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
    await page.locator('.person').nth(22).waitFor()
    await page.locator('.person .name').first().press('Enter')
    await page.getByText('Why this rank').waitFor()
    const queries: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/')) queries.push(request.url())
    })
    await page.goBack()
    await page.locator('.person').nth(22).waitFor()
    expect(queries).toEqual([])
  })

  it('shows a profile of nobody, and a network of nobody, as what they are', async () => {
    const page = await shown('/?person=1')
    await heading(page, 'Nobody has this SDU').waitFor()
    const other = await shown('/?network=nobody-at-all')
    await heading(other, 'Nobody is connected with it').waitFor()
    await other.getByText('Nobody in the index owns this handle.').waitFor()
  })

  it('has a reference of every operation, and sends what its forms hold with the key of the page', async () => {
    const page = await shown('/')
    await page.getByText('Topics to begin with').waitFor()
    await page.getByRole('link', { name: 'API', exact: true }).press('Enter')
    await heading(page, /^Authority Index/).waitFor()
    const document = await (await fetch(`${shared.service.address}/openapi.json`)).json()
    const told = await page.locator('.opblock-summary-path').evaluateAll((all) =>
      // Swagger UI puts places to break a line into paths.
      all.map(({ textContent }) => textContent!.replaceAll('\u200b', '')),
    )
    expect([...new Set(told)].sort()).toEqual(Object.keys(document.paths).sort())
    await page
      .locator('#operations-queries-searchAuthorities .opblock-summary-control')
      .press('Enter')
    await page.getByRole('button', { name: 'Execute' }).press('Enter')
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
  })

  it('moves nothing for those who want no motion', async () => {
    const page = await openList(shared, '/?q=rust', { reducedMotion: 'reduce' })
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
