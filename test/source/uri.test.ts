import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openSource } from '../../src/source/uri.ts'
import { folderOf } from './folder.ts'

/** Must not be called. */
function unexpected(): never {
  expect.fail()
}

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

  it.each([
    's3://bucket/records',
    'postgres://localhost/people',
    'file://elsewhere/a',
    'file:///%2f',
  ])('is refused where it means no source: %s', (uri) => {
    expect(() => openSource(uri)).toThrow(
      expect.objectContaining({ code: 'wrong-usage', message: expect.stringContaining(uri) }),
    )
  })
})

describe('a source that is watched', () => {
  it('calls after a change, and never once it is closed', async () => {
    const directory = folderOf({ 'authorities.ndjson': '' })
    let changes = 0
    const changed = new Promise<void>((resolve) => {
      const watch = openSource(directory).watch(() => {
        changes += 1
        watch.close()
        resolve()
      }, unexpected)
    })
    writeFileSync(join(directory, 'authorities.ndjson'), '{}')
    await changed
    writeFileSync(join(directory, 'authorities.ndjson'), '{}')
    await new Promise((resolve) => setImmediate(resolve))
    expect(changes).toBe(1)
  })

  it('is refused where there is nothing to watch', () => {
    const directory = join(folderOf({}), 'none')
    expect(() => openSource(directory).watch(unexpected, unexpected)).toThrow(
      expect.objectContaining({
        code: 'source-unreadable',
        message: expect.stringContaining(`${directory} cannot be watched`),
      }),
    )
  })
})
