/** The results of a full run, written into the README of the benches. */
import { describe, expect, it } from 'vitest'
import { lastResultsIn, withLastResults } from '../../../bench/shared/last-results.ts'
import { withRun } from '../../../bench/shared/record.ts'

const readme = `# Benches

## wire

### wire, as it is measured

## Last full results

As they were.

### wire, 2026-01-01

| old |

### wireless, 2026-01-02

other

## Afterwards
`

const run = {
  startedAt: '2026-02-03T04:05:06.000Z',
  commit: 'c0ffee00',
  format: 12,
  machine: 'A machine',
  lines: ['| new |'],
}
const from = 'Commit `c0ffee00`, snapshots of format 12; A machine.'

describe('results that are written down', () => {
  it('take the place of the last of the same bench, and of nothing else', () => {
    const written = withLastResults(readme, { bench: 'wire', ...run })
    const section = `### wire, 2026-02-03\n\n${from}\n\n| new |\n`
    expect(written).toBe(readme.replace('### wire, 2026-01-01\n\n| old |\n', section))
  })

  it('of a new bench come last', () => {
    const written = withLastResults(readme, { bench: 'swap', ...run })
    const section = `### swap, 2026-02-03\n\n${from}\n\n| new |\n\n`
    expect(written).toBe(readme.replace('## Afterwards', `${section}## Afterwards`))
  })

  it('take the place of the earlier ones of the same bench, too', () => {
    const earlier = '## Earlier results\n\nBefore.\n\n### wireless, 2025-01-01\n\nkept\n'
    const two =
      '\n### wire, 2025-01-02\n\n| a |\n\n#### more\n\n### wire, at night, 2025-01-03\n\n| b |\n'
    const written = withLastResults(`${readme}\n${earlier}${two}`, { bench: 'wire', ...run })
    expect(written).toBe(`${withLastResults(readme, { bench: 'wire', ...run })}\n${earlier}`)
  })

  it('say with which flags of its own a bench was run', () => {
    const written = withLastResults(readme, { bench: 'wire', ...run, flags: '--plan every' })
    expect(written).toContain('snapshots of format 12, with `--plan every`; A machine.')
  })

  it('have no headings, which would end their section', () => {
    const lines = ['### 10,000 people', '| new |']
    expect(() => withLastResults(readme, { bench: 'wire', ...run, lines })).toThrow(/### 10,000/)
  })

  it('have no place in a README without one', () => {
    expect(() => withLastResults('# Benches\n', { bench: 'swap', ...run })).toThrow(/no '## Last/)
  })

  it('are of the benches that have a section there, and nowhere else', () => {
    expect(lastResultsIn(readme)).toEqual(['wire', 'wireless'])
  })
})

describe('the record', () => {
  it('holds the last run of each bench, in the order in which they came', () => {
    const [wire, swap] = [
      { bench: 'wire', ...run },
      { bench: 'swap', ...run },
    ]
    const again = { ...wire, commit: 'beefcafe' }
    expect(withRun(withRun([], wire), swap)).toEqual([wire, swap])
    expect(withRun([wire, swap], again)).toEqual([again, swap])
  })
})
