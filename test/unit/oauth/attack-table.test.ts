/** The table of attacks in the guide: each row names a test that there is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const guide = readFileSync(join(root, 'docs', 'mcp.md'), 'utf8')
const section = guide.slice(guide.indexOf('\n## Attacks'), guide.indexOf('\n## A session'))
const places = new Map(
  [...section.matchAll(/`(test\/[^`]+)` \((\d)\)/g)].map(([, path, number]) => [number, path!]),
)
const rows = [...section.matchAll(/^\| ([^|]+?) +\| [^|]+ \| (\d): ([^|]+?) *\|$/gm)]

describe('the table of attacks', () => {
  it('has all rows read here', () => {
    const lines = section.split('\n').filter((line) => line.startsWith('| '))
    expect(rows).toHaveLength(lines.length - 2)
    expect([...places.keys()]).toEqual(['1', '2', '3', '4'])
  })

  it.each(rows.map(([, attack, number, title]) => [attack!, places.get(number)!, title!]))(
    'names the test of: %s',
    (_, path, title) => {
      expect(readFileSync(join(root, path), 'utf8')).toContain(`'${title}'`)
    },
  )
})
