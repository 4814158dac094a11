/** Snapshots on a machine that has its numbers the other way round. */
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readHeader } from '../../../src/snapshot/file.ts'
import { loadSnapshot, pathOf, publish } from '../../../src/snapshot/store/directory.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { authority } from '../../support/records.ts'

it('are refused when they are opened, with the reason', () => {
  const directory = temporaryDirectory()
  const snapshot = snapshotOf({ authorities: [authority({ sdu: '1' })] })
  publish(directory, snapshot)
  const path = pathOf(directory, snapshot.header.id)
  expect(readHeader(path).id).toBe(snapshot.header.id)
  const order = vi.spyOn(os, 'endianness').mockReturnValue('BE')
  syncBuiltinESMExports()
  onTestFinished(() => {
    order.mockRestore()
    syncBuiltinESMExports()
  })
  for (const open of [readHeader, loadSnapshot]) {
    expect(() => open(path)).toThrow('snapshots are little-endian, this machine is big-endian')
  }
})
