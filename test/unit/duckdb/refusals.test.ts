/** The meaning of messages of DuckDB, as it writes them. */
import { describe, expect, it } from 'vitest'
import { spaceRefusalOf } from '../../../src/duckdb/refusals.ts'

describe('an error of DuckDB', () => {
  it.each([
    [
      'Out of Memory Error: could not allocate block of size 256.0 KiB (255.8 MiB/256.0 MiB used)',
      'build-limit',
    ],
    [
      'Out of Memory Error: failed to offload data block of size 32.0 KiB (17.9 MiB/17.9 MiB used).',
      'store-refused',
    ],
    ['IO Error: Could not write file "/t/x.tmp": No space left on device', 'store-refused'],
    ['Catalog Error: Table with name t does not exist!', undefined],
  ])('is %s: %s', (message, code) => {
    expect(spaceRefusalOf(new Error(`${message}\nLINE 1: SELECT`))?.code).toBe(code)
  })

  it('names the setting that helps', () => {
    const [memory, disk] = ['could not allocate block', 'failed to offload data block'].map(
      (text) => spaceRefusalOf(new Error(`Out of Memory Error: ${text}`)),
    )
    expect(memory?.message).toContain('--engine-memory')
    expect(disk?.message).toContain('--engine-temp')
  })
})
