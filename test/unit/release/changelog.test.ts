/** The changelog of a release: its date, what breaks, and the notes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  breakingIn,
  dated,
  hasSection,
  releaseNotes,
  unreleasedIn,
} from '../../../scripts/release/changelog.ts'

const changelog = `# Changelog

## Unreleased

### Part

- One thing.
- **Breaking:** another thing,
  on two lines.
- A third.

## 0.1.0, 2026-11-21

- **Breaking:** the past.
`

describe('a changelog', () => {
  it('says what breaks in what is not released', () => {
    expect(breakingIn(unreleasedIn(changelog))).toEqual(['another thing,\n  on two lines.'])
  })

  it('has a dated section that counts what breaks, and nothing that is not released', () => {
    const released = dated(changelog, '0.2.0', '2026-12-01')
    expect(unreleasedIn(released)).toBe('')
    expect(released).toContain(
      '## Unreleased\n\n## 0.2.0, 2026-12-01 (1 breaking change)\n\n### Part',
    )
    expect(hasSection(released, '0.2.0')).toBe(true)
    expect(hasSection(released, '0.2')).toBe(false)
    expect(released.endsWith(changelog.slice(changelog.indexOf('### Part')))).toBe(true)
  })

  it('counts nothing where nothing breaks', () => {
    const harmless = changelog.replace('**Breaking:** another', 'another')
    expect(dated(harmless, '0.2.0', '2026-12-01')).toContain('## 0.2.0, 2026-12-01\n')
  })

  it('gives notes with what breaks first', () => {
    const notes = releaseNotes(changelog, '0.2.0', '2026-12-01')
    expect(
      notes.startsWith('# Authority Index 0.2.0, 2026-12-01\n\n## Breaking changes\n\n- another'),
    ).toBe(true)
    expect(notes).toContain('## All changes\n\n### Part')
    expect(notes).not.toContain('the past')
  })

  it('may end with what is not released', () => {
    expect(unreleasedIn('# Changelog\n\n## Unreleased\n\n- A line.\n')).toBe('- A line.')
    expect(unreleasedIn('# Changelog\n\n## Unreleased\n')).toBe('')
  })
})

describe('the changelog of this repository', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'CHANGELOG.md'), 'utf8')

  it('has a place for what is not released, above all versions', () => {
    const headings = text.split('\n').filter((line) => line.startsWith('## '))
    expect(headings[0]).toBe('## Unreleased')
    const versions = headings.slice(1)
    expect(versions.length).toBeGreaterThan(0)
    for (const each of versions)
      expect(each).toMatch(/^## \d+\.\d+\.\d+, \d{4}-\d\d-\d\d( \(\d+ breaking changes?\))?$/)
  })
})
