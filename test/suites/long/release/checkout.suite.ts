/** What forbids a release, each in one sentence, and how one comes home: on a small repository of the test's own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bringHome, cloneWithVersion, planOf } from '../../../../scripts/release/checkout.ts'
import { versionsIn } from '../../../../scripts/release/version.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { changelog, day, git, newCheckout, root } from './small-checkout.ts'

const current = versionsIn(root)[0]!.version
const next = '77.0.0'

describe('a release', () => {
  it('has the next minor version, unless another is named', () => {
    const checkout = newCheckout()
    const { version, epoch } = planOf(checkout, undefined, day)
    expect(version).toMatch(/^\d+\.\d+\.0$/)
    expect(epoch).toBe(Number(git(checkout, 'log', '-1', '--format=%ct')))
    expect(planOf(checkout, next, day).version).toBe(next)
  })

  it.each([
    [
      'of a version that is tagged',
      next,
      (at: string) => git(at, 'tag', `v${next}`),
      'exists already',
    ],
    ['of a version in the changelog', '0.1.0', () => {}, 'version 0.1.0 exists already'],
    ['of a version before', '0.0.9', () => {}, `version 0.0.9 does not come after ${current}`],
    ['of no version', 'next', () => {}, "'next' is no version"],
    [
      'of files that are not committed',
      next,
      (at: string) => writeFileSync(join(at, 'new'), ''),
      'the checkout is not clean, 1 file: commit or remove them first',
    ],
  ])('%s is refused', (_, version, change, message) => {
    const checkout = newCheckout()
    change(checkout)
    expect(() => planOf(checkout, version, day)).toThrow(message)
  })

  it('without a line in the changelog is refused', () => {
    const empty = newCheckout(changelog.replace('- A line.\n', ''))
    expect(() => planOf(empty, next, day)).toThrow('CHANGELOG.md has nothing under "## Unreleased"')
  })

  it('that breaks something is no patch', () => {
    const breaking = newCheckout(changelog.replace('A line', '**Breaking:** a line'))
    expect(() => planOf(breaking, '77.0.1', day)).toThrow(
      '77.0.1 is a patch, and the changelog has 1',
    )
    expect(planOf(breaking, '77.1.0', day).version).toBe('77.1.0')
  })

  it('of files with different versions is refused', () => {
    const checkout = newCheckout()
    const chart = 'ops/helm/authority-index/Chart.yaml'
    const text = readFileSync(join(checkout, chart), 'utf8')
    writeFileSync(join(checkout, chart), text.replace(/^version: .*/m, 'version: 9.9.9'))
    expect(() => planOf(checkout, next, day)).toThrow(`${chart} has version 9.9.9`)
  })

  it('is committed in a clone, and the checkout has it and its tag only when it comes home', () => {
    const checkout = newCheckout()
    const plan = planOf(checkout, next, day)
    const clone = join(temporaryDirectory(), 'clone')
    const before = git(checkout, 'rev-parse', 'HEAD')
    cloneWithVersion(plan, clone)
    expect(versionsIn(clone).every(({ version }) => version === next)).toBe(true)
    expect(git(clone, 'status', '--porcelain')).toBe('')
    expect([git(checkout, 'rev-parse', 'HEAD'), git(checkout, 'tag')]).toEqual([before, ''])
    bringHome(plan, clone)
    expect(git(checkout, 'log', '-1', '--format=%s')).toBe(`Version ${next}`)
    expect(git(checkout, 'describe')).toBe(`v${next}`)
    expect(readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8')).toContain(
      `## ${next}, ${day}\n\n- A line.`,
    )
    expect(existsSync(join(checkout, 'new'))).toBe(false)
    expect(() => planOf(checkout, next, day)).toThrow('exists already')
  })
})
