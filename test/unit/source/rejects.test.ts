import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Rejects } from '../../../src/source/rejects.ts'
import type { Reject } from '../../../src/source/source.ts'
import { folderOf } from '../../support/source-folder.ts'

function reject(line: number, raw = '{}'): Reject {
  const position = `authorities.ndjson:${line}`
  return { position, field: 'topics', reason: 'must not be blank', raw }
}

function recorded(path: string, rejects: readonly Reject[]): string[] {
  const shown: string[] = []
  const sink = new Rejects(path, (line) => shown.push(line))
  for (const each of rejects) sink.add(each)
  sink.close()
  return shown
}

function written(path: string): Reject[] {
  const text = readFileSync(path, 'utf8')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

describe('rejects', () => {
  it('are written whole, one a line, in their order', () => {
    const path = join(folderOf({}), 'rejects.ndjson')
    const expected = Array.from({ length: 5000 }, (_, index) => reject(index + 1, `ζ "${index}"`))
    recorded(path, expected)
    expect(written(path)).toEqual(expected)
  })

  it('are their owner’s alone, also where an earlier file was not', () => {
    const path = join(folderOf({ 'rejects.ndjson': 'earlier\n' }), 'rejects.ndjson')
    chmodSync(path, 0o644)
    recorded(path, [reject(1)])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('leave no file when there are none', () => {
    const path = join(folderOf({}), 'rejects.ndjson')
    recorded(path, [])
    expect(existsSync(path)).toBe(false)
  })

  it('replace those of an earlier run, also when there are none', () => {
    const path = join(folderOf({ 'rejects.ndjson': 'earlier\n' }), 'rejects.ndjson')
    recorded(path, [])
    expect(readFileSync(path, 'utf8')).toBe('')
    recorded(path, [reject(1)])
    expect(written(path)).toEqual([reject(1)])
  })

  it('are shown on a line each, the first twenty of them', () => {
    const path = join(folderOf({}), 'rejects.ndjson')
    const shown = recorded(
      path,
      Array.from({ length: 30 }, (_, index) => reject(index + 1)),
    )
    expect(shown[0]).toBe('authorities.ndjson:1 topics: must not be blank')
    expect(shown[19]).toBe('authorities.ndjson:20 topics: must not be blank')
    expect(shown.slice(20)).toEqual([`further rejects only in ${path}`])
  })

  it('are written with no more than 4,096 characters of the line', () => {
    const path = join(folderOf({}), 'rejects.ndjson')
    recorded(path, [reject(1, 'a'.repeat(5000))])
    expect(written(path)[0]!.raw).toBe('a'.repeat(4096))
  })

  it('are refused a file that cannot be written', () => {
    const path = join(folderOf({}), 'rejects.ndjson')
    mkdirSync(path)
    expect(() => new Rejects(path, () => {})).toThrow(
      expect.objectContaining({ code: 'wrong-usage', message: expect.stringContaining(path) }),
    )
  })
})
