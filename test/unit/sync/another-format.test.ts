import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formatVersion } from '../../../src/snapshot/header.ts'
import { listSnapshots, pathOf, storedFacts } from '../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../src/snapshot/store/states.ts'
import { SyncedInProcess } from '../../support/synced-in-process.ts'

const ada = { sdu: '1', name: 'Ada Okafor', topics: ['Batteries'] }
const ben = { sdu: '2', name: 'Ben Adeyemi', topics: ['Batteries'] }

async function syncedBy(version: number): Promise<SyncedInProcess> {
  const place = new SyncedInProcess()
  await place.sync({ authorities: [ada] })
  const path = pathOf(place.snapshots, readPointer(place.snapshots, 'CURRENT')!)
  const bytes = readFileSync(path)
  bytes[bytes.indexOf('version') + 'version'.length] = version
  writeFileSync(path, bytes)
  return place
}

it.each([formatVersion - 1, formatVersion + 1])(
  'of format %i is held back with the way out, which publishes',
  async (version) => {
    const place = await syncedBy(version)
    const { snapshots } = place
    const id = readPointer(snapshots, 'CURRENT')!
    const said = `is of version ${version}, and this program reads ${formatVersion}: sync again`
    expect(() => storedFacts(snapshots, id)).toThrow(said)
    expect(listSnapshots(snapshots)).toMatchObject([{ id, header: undefined, current: true }])
    const { refusal } = await place.sync({ authorities: [ada, ben] })
    expect(refusal).toContain('there is nothing to compare with')
    expect(refusal).toContain(said)
    expect(refusal).toContain('if this is meant, use --force')
    expect(await place.sync({}, { force: true })).toMatchObject({ published: true })
  },
)
