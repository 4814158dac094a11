/** The key of the explorer: how a link brings it, and where it is kept. */
import { describe, expect, it } from 'vitest'
import {
  exchangeCode,
  firstPlace,
  type KeyStorage,
  keepCredential,
  keptCredential,
  linkInFragment,
  shownKey,
} from '../../../../src/explorer/page/model/credentials.ts'
import { tableAt } from '../../../support/table-sections.ts'

const rowsOf = tableAt(new URL('credentials.tsv', import.meta.url))

function storage(): KeyStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  }
}

describe('a link', () => {
  it.each(rowsOf('fragments of a link'))(
    '%j brings the key %j and the code %j',
    (fragment, key, code) => {
      expect(linkInFragment(fragment)).toEqual({ key, code })
    },
  )

  it('exchanges a code for its key, and says why it could not', async () => {
    const sent: unknown[] = []
    const send = (status: number, body: string) => async (target: string, init: RequestInit) => {
      sent.push([target, init.method, init.body])
      return new Response(body, { status })
    }
    expect(await exchangeCode('c', send(200, '{"key":"aik_a"}'))).toEqual({
      kind: 'key',
      key: 'aik_a',
    })
    expect(sent).toEqual([['/explorer/key', 'POST', '{"code":"c"}']])
    expect(await exchangeCode('c', send(401, '{}'))).toEqual({ kind: 'spent' })
    expect(await exchangeCode('c', send(502, 'bad gateway'))).toEqual({ kind: 'unreachable' })
    expect(await exchangeCode('c', () => Promise.reject(new TypeError('reset')))).toEqual({
      kind: 'unreachable',
    })
  })
})

describe('the key', () => {
  it.each(['browser', 'tab'] as const)('is kept in the %s only, until it is forgotten', (place) => {
    const storages = { browser: storage(), tab: storage() }
    expect(keptCredential(storages).key).toBe('')
    keepCredential(storages, { key: 'aik_abc', place: place === 'tab' ? 'browser' : 'tab' })
    keepCredential(storages, { key: 'aik_abc', place })
    expect(keptCredential(storages)).toEqual({ key: 'aik_abc', place })
    expect(storages.browser.kept.size + storages.tab.kept.size).toBe(1)
    keepCredential(storages, { key: '', place })
    expect(storages.browser.kept.size + storages.tab.kept.size).toBe(0)
  })

  it('is kept nowhere where the browser denies storage', () => {
    const denied = { browser: undefined, tab: undefined }
    keepCredential(denied, { key: 'aik_abc', place: 'browser' })
    expect(keptCredential(denied).key).toBe('')
  })

  it.each(rowsOf('where a key is first kept'))(
    'that a link brings to %s is first kept in the %s',
    (hostname, place) => {
      expect(firstPlace(hostname)).toBe(place)
    },
  )

  it('is never shown whole', () => {
    expect(shownKey('aik_0123456789abcdefghijABCDEFGHIJ012345')).toBe('aik_0123…2345')
    expect(shownKey('short')).not.toContain('short')
  })
})
