/** Handles as people paste them find their owner or nobody: pasted-handles.ndjson, kind by kind, in people-with-handles.ndjson. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Catalog } from '../../../src/engine/catalog.ts'
import { readWith } from '../../../src/reading/readers.ts'
import { readAuthority } from '../../../src/source/record-readers.ts'
import { parseHandle } from '../../../src/text/handle.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority, social } from '../../support/records.ts'

interface Case {
  readonly kind: string
  readonly handle: string
  /** An SDU; null for nobody. */
  readonly owner: string | null
}

function linesOf(name: string) {
  const lines = readFileSync(join(import.meta.dirname, name), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line))
}

function ownersIn(catalog: Catalog, handle: string): string[] {
  return catalog.ownersOf(parseHandle(handle)).map((ordinal) => catalog.sduOf(ordinal))
}

describe('a pasted handle', () => {
  const authorities = linesOf('people-with-handles.ndjson').map(
    (json) => readWith(readAuthority, json).value!,
  )
  const catalog = new Catalog(snapshotOf({ authorities }))
  const cases: readonly Case[] = linesOf('pasted-handles.ndjson')

  it.each([...new Set(cases.map(({ kind }) => kind))])('finds its owner or nobody: %s', (kind) => {
    const ofKind = cases.filter((each) => each.kind === kind)
    const found = ofKind.map(({ handle }) => ({
      handle,
      owner: ownersIn(catalog, handle).join() || null,
    }))
    expect(found).toEqual(ofKind.map(({ handle, owner }) => ({ handle, owner })))
    expect(ofKind.length).toBeGreaterThanOrEqual(4)
  })
})

describe('a handle whose key is another than its record has', () => {
  const authorities = [
    authority({ sdu: '1', socials: [social('facebook', 'Ann.Lee')] }),
    authority({ sdu: '2', socials: [social('bluesky', 'bob')] }),
    authority({ sdu: '3', socials: [social('facebook', 'carla.1')] }),
    authority({ sdu: '4', socials: [social('facebook', 'Carla1')] }),
  ]
  const catalog = new Catalog(snapshotOf({ authorities }))

  it('is found bare as the record has it, and on its platform in every spelling', () => {
    for (const handle of ['ann.lee', '@Ann.Lee', 'facebook:annlee', 'fb:a.n.n.lee']) {
      expect({ handle, owners: ownersIn(catalog, handle) }).toEqual({ handle, owners: ['1'] })
    }
    for (const handle of ['bob', 'bluesky:bob', 'bob.bsky.social']) {
      expect({ handle, owners: ownersIn(catalog, handle) }).toEqual({ handle, owners: ['2'] })
    }
  })

  it('is nobody’s on its platform where several records claim it', () => {
    expect(ownersIn(catalog, 'facebook:carla1')).toEqual([])
    expect(ownersIn(catalog, 'facebook:carla.1')).toEqual([])
  })
})
