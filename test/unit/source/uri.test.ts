import { cpSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openSource } from '../../../src/source/uri.ts'
import { folderOf } from '../../support/source-folder.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('uri.tsv', import.meta.url))

describe('the URI of a source', () => {
  it('is the path of a folder, or its address', async () => {
    const directory = folderOf({ 'authorities.ndjson': '{}' })
    const fingerprint = await openSource(directory).fingerprint()
    expect(await openSource(pathToFileURL(directory).href).fingerprint()).toBe(fingerprint)
    expect(await openSource(`FILE://${directory}/`).fingerprint()).toBe(fingerprint)
  })

  it('may be the address of a path with spaces, or a path that looks like no other', async () => {
    for (const name of ['a folder', '50%', 's3:', 'a:b']) {
      const path = join(folderOf({}), name)
      const refusal = { code: 'source-unreadable', message: `${path} holds no authorities.ndjson` }
      await expect(openSource(path).fingerprint()).rejects.toMatchObject(refusal)
      await expect(openSource(pathToFileURL(path).href).read()).rejects.toMatchObject(refusal)
    }
  })

  it.each(rowsOf('addresses of no source'))('is refused where it means no source: %s', (uri) => {
    expect(() => openSource(uri)).toThrow(
      expect.objectContaining({ code: 'wrong-usage', message: expect.stringContaining(uri) }),
    )
  })
})

describe('the stamp of a source', () => {
  it('is another one after every change, and its extent when there is more or less', async () => {
    const directory = folderOf({ 'authorities.ndjson': 'ab' })
    const file = join(directory, 'authorities.ndjson')
    const source = openSource(directory)
    const first = await source.stamp()
    expect(await source.stamp()).toEqual(first)
    utimesSync(file, 1_000, 1_000)
    const touched = await source.stamp()
    expect([touched.version === first.version, touched.extent]).toEqual([false, first.extent])
    writeFileSync(file, 'abc')
    utimesSync(file, 1_000, 1_000)
    const longer = await source.stamp()
    expect([longer.version, longer.extent]).not.toContain(touched.version)
    expect(longer.extent).not.toBe(touched.extent)
    renameSync(directory, `${directory}-before`)
    await expect(source.stamp()).rejects.toMatchObject({ code: 'source-unreadable' })
    cpSync(`${directory}-before`, directory, { recursive: true, preserveTimestamps: true })
    expect((await source.stamp()).version).not.toBe(longer.version)
    rmSync(`${directory}-before`, { recursive: true })
  })
})
