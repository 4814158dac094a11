/** The table of attacks: each row names a test that there is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const [, ...rows] = readFileSync(join(import.meta.dirname, 'attacks.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))

describe('the table of attacks', () => {
  it('has all rows read here', () => {
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter((cells) => cells.length !== 4)).toEqual([])
  })

  it.each(rows)('names the test of: %s', (_, _refusal, path, title) => {
    expect(readFileSync(join(root, path!), 'utf8')).toContain(`'${title}'`)
  })
})
