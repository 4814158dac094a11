/** The results of a full run, written into the README of the benches. */
import { describe, expect, it } from 'vitest'
import { withLastResults } from '../../../bench/shared/last-results.ts'

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

const run = { startedAt: new Date('2026-02-03T04:05:06Z'), lines: ['| new |'] }

describe('results that are written down', () => {
  it('take the place of the last of the same bench, and of nothing else', () => {
    const written = withLastResults(readme, { bench: 'wire', ...run }, 'A machine.')
    const section = '### wire, 2026-02-03\n\nA machine.\n\n| new |\n'
    expect(written).toBe(readme.replace('### wire, 2026-01-01\n\n| old |\n', section))
  })

  it('of a new bench come last', () => {
    const written = withLastResults(readme, { bench: 'swap', ...run }, 'A machine.')
    const section = '### swap, 2026-02-03\n\nA machine.\n\n| new |\n\n'
    expect(written).toBe(readme.replace('## Afterwards', `${section}## Afterwards`))
  })

  it('have no place in a README without one', () => {
    expect(() => withLastResults('# Benches\n', { bench: 'swap', ...run })).toThrow(/no '## Last/)
  })
})
