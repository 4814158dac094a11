/** A name that imitates one of the best is left out or reported; a namesake is neither. */
import { describe, expect, it } from 'vitest'
import { openEngine } from '../../../src/engine/open.ts'
import { loadSnapshot } from '../../../src/snapshot/store/directory.ts'
import { peopleOf, SyncedInProcess } from '../../support/synced-in-process.ts'

const people = peopleOf(60, (number) => ({
  ...(number === 1 && { name: 'Ted Cruz' }),
  authority_score: 91 - number,
}))
const lenient = { rejectShareMax: 0.1, fileRejectShareMax: 0.1 }

async function syncedWith(name: string, more = {}, sdu = '61') {
  const place = new SyncedInProcess()
  await place.sync({ authorities: people })
  const twin = { sdu, name, topics: ['Rust'], authority_score: 99 }
  const others = people.filter((each) => each.sdu !== sdu)
  return place.taken({ authorities: [twin, ...others] }, { ...lenient, ...more })
}

describe('a new name', () => {
  it.each([
    ['in letters of another script', 'Тed Сruz', 'looks like that of SDU 1'],
    ['in letters of mathematics', '𝐓ed Cruz', 'looks like that of SDU 1'],
    ['with a word of two scripts', 'Tеddy Cruz', 'has a word of letters of several scripts'],
    ['in another script behind a mark', '\u202eТed Сruz', 'looks like that of SDU 1'],
  ])('%s is left out and listed', async (_, name, reason) => {
    const outcome = await syncedWith(name)
    expect(outcome).toMatchObject({ authorities: 60, rejects: 1 })
    expect(outcome.notes.join()).toContain(`authorities.ndjson:1 name: ${reason}`)
  })

  it('that imitates is taken and reported where that is wished, or neither', async () => {
    const reported = await syncedWith('Тed Сruz', { lookalikes: 'report' })
    expect(reported).toMatchObject({ authorities: 61, rejects: 0 })
    expect(reported.notes.join()).toContain('looks like that of SDU 1')
    const silent = await syncedWith('Тed Сruz', { lookalikes: 'off' })
    expect(silent).toMatchObject({ authorities: 61, rejects: 0 })
    expect(silent.notes.join()).not.toContain('looks like')
  })

  it('that imitates and is taken comes behind the person on equal text, whatever its score', async () => {
    const outcome = await syncedWith('𝐓ed Cruz', { lookalikes: 'report' })
    const { catalog, search } = openEngine(loadSnapshot(outcome.path))
    const { ordinals } = search.find('Ted Cruz', 10)
    expect(Array.from(ordinals, (each) => catalog.sduOf(each))).toEqual(['1', '61'])
  })

  it('of a namesake, of somebody who is not among the best, or in a script of its own is taken', async () => {
    for (const name of ['Ted Cruz', 'Ted  CRUZ', 'Person Number60', 'Анна Иванова']) {
      const outcome = await syncedWith(name)
      expect(outcome).toMatchObject({ authorities: 61, rejects: 0 })
    }
  })

  it('of the person who is imitated may change its letters', async () => {
    expect(await syncedWith('𝐓ed Cruz', { namesChangeMax: 1 }, '1')).toMatchObject({
      authorities: 60,
    })
  })
})
