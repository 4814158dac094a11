/** Snapshots on a machine that has its numbers the other way round. */
import { endianness } from 'node:os'
import { expect, it, vi } from 'vitest'
import { readHeader } from '../../../src/snapshot/file.ts'
import { loadSnapshot, pathOf, publish } from '../../../src/snapshot/store/directory.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { authority } from '../../support/records.ts'

vi.mock('node:os', async (original) => ({
  ...(await original<object>()),
  endianness: vi.fn(() => 'LE'),
}))

it('are refused when they are opened, with the reason', () => {
  const directory = temporaryDirectory()
  const snapshot = snapshotOf({ authorities: [authority({ sdu: '1' })] })
  publish(directory, snapshot)
  const path = pathOf(directory, snapshot.header.id)
  expect(readHeader(path).id).toBe(snapshot.header.id)
  vi.mocked(endianness).mockReturnValue('BE')
  for (const open of [readHeader, loadSnapshot]) {
    expect(() => open(path)).toThrow('snapshots are little-endian, this machine is big-endian')
  }
})
