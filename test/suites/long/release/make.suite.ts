/** How a release is made of steps: whole or not at all. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planOf } from '../../../../scripts/release/checkout.ts'
import { makeRelease, type Order } from '../../../../scripts/release/make.ts'
import { type Step, steps } from '../../../../scripts/release/steps.ts'
import { programVersion } from '../../../../src/version.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { day, git, newCheckout } from './small-checkout.ts'

/** Writes the version that the clone has. */
const noting: Step = {
  name: 'noting',
  what: 'writes the version',
  make: ({ clone, out }) => {
    const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
    writeFileSync(join(out, 'version'), version)
  },
}
const failing: Step = {
  name: 'failing',
  what: 'fails',
  make: () => {
    throw new Error('there is no more paper')
  },
}

function newOrder(changes: Partial<Order> = {}) {
  const said: string[] = []
  const out = join(temporaryDirectory(), 'releases', '77.0.0')
  const usual = {
    out,
    skipped: new Set<string>(),
    isDry: true,
    signal: new AbortController().signal,
  }
  const order: Order = { steps: [noting], say: (text) => said.push(text), ...usual, ...changes }
  const checkout = newCheckout()
  return { order, checkout, plan: planOf(checkout, '77.0.0', day), said: () => said.join('') }
}

/** What a release that did not happen has left. */
function expectNothing({ order, checkout }: ReturnType<typeof newOrder>) {
  expect(readdirSync(dirname(order.out))).toEqual([])
  expect(git(checkout, 'tag')).toBe('')
  expect(git(checkout, 'status', '--porcelain')).toBe('')
  expect(git(checkout, 'log', '-1', '--format=%s')).toBe('First')
}

describe('a release', () => {
  it('has the files of its steps, made with the new version; each step says what it does', async () => {
    const { order, plan, said } = newOrder()
    await makeRelease(plan, order)
    expect(readFileSync(join(order.out, 'version'), 'utf8')).toBe('77.0.0')
    expect(readdirSync(dirname(order.out))).toEqual(['77.0.0'])
    expect(said()).toMatch(/^noting: writes the version … \d+ s\n$/)
  })

  it('changes nothing of the checkout in a dry run, and commits and tags otherwise', async () => {
    const dry = newOrder()
    await makeRelease(dry.plan, dry.order)
    expect(git(dry.checkout, 'tag')).toBe('')
    const wet = newOrder({ isDry: false })
    await makeRelease(wet.plan, wet.order)
    expect(git(wet.checkout, 'describe')).toBe('v77.0.0')
    expect(git(wet.checkout, 'status', '--porcelain')).toBe('')
  })

  it('leaves nothing behind where a step fails, and names the step', async () => {
    const release = newOrder({ steps: [noting, failing], isDry: false })
    const made = makeRelease(release.plan, release.order)
    await expect(made).rejects.toThrow('failing: there is no more paper')
    expectNothing(release)
  })

  it('leaves nothing behind when a signal ends it', async () => {
    const controller = new AbortController()
    const ended: Step = { ...noting, make: () => controller.abort() }
    const release = newOrder({ steps: [ended, failing], isDry: false, signal: controller.signal })
    await expect(makeRelease(release.plan, release.order)).rejects.toThrow('noting: ')
    expectNothing(release)
  })

  it('leaves out the steps that are skipped', async () => {
    const { order, plan, said } = newOrder({
      steps: [noting, failing],
      skipped: new Set(['failing']),
    })
    await makeRelease(plan, order)
    expect(said()).not.toContain('failing')
  })
})

describe('the steps', () => {
  it('have names of their own, and checksums are the last', () => {
    const names = steps.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.at(-1)).toBe('checksums')
    for (const { after = [] } of steps) expect(names).toEqual(expect.arrayContaining([...after]))
  })

  it('end with the sums of all files', async () => {
    const out = temporaryDirectory()
    writeFileSync(join(out, 'a'), '')
    const plan = { root: '', version: programVersion, day, epoch: 0 }
    await steps.at(-1)!.make({ ...plan, clone: '', out, skipped: new Set() })
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toBe(`${empty}  a\n`)
  })
})
