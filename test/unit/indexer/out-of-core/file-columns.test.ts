/** Columns in files: a window of them is read as far as it is looked at. */
import { describe, expect, it } from 'vitest'
import { FileColumns } from '../../../../src/indexer/out-of-core/file-columns.ts'

const length = 200_000

/** Columns of so many elements in files that are memory, and the reads of each. */
function counted() {
  const reads: [column: string, bytes: number][] = []
  const names = ['nodes', 'kinds']
  const newFile = () => {
    const name = names.shift()!
    const bytes = new Uint8Array(4 * length)
    return {
      write: (some: Uint8Array, position: number) => bytes.set(some, position),
      read: (into: Uint8Array, count: number, position: number) => {
        reads.push([name, count])
        into.set(bytes.subarray(position, position + count))
      },
      close: () => {},
    }
  }
  const makers = {
    nodes: (count: number) => new Uint32Array(count),
    kinds: (count: number) => new Uint8Array(count),
  }
  const columns = new FileColumns(makers, newFile)
  const arrays = columns.arrays(length)
  for (let index = 0; index < length; index += 1) {
    arrays.nodes[index] = index
    arrays.kinds[index] = index % 5
  }
  columns.write(arrays, 0, length)
  return { columns, reads }
}

describe('a window of columns in files', () => {
  it('reads a column when it is looked at, once', () => {
    const { columns, reads } = counted()
    const window = columns.window(150_000, 150_010)
    expect([window.first, reads]).toEqual([150_000, []])
    expect(Array.from(window.nodes.subarray(0, 3))).toEqual([150_000, 150_001, 150_002])
    expect(reads).toEqual([['nodes', 4 * 64]])
    expect(Array.from(window.kinds.subarray(0, 3))).toEqual([0, 1, 2])
    expect(columns.window(150_050, 150_064).nodes[50]).toBe(150_050)
    expect(reads).toEqual([
      ['nodes', 4 * 64],
      ['kinds', 64],
    ])
  })

  it('is longer where it goes on behind the last', () => {
    const { columns, reads } = counted()
    for (const start of [100_000, 100_064, 160_000, 199_000, 10]) {
      const { nodes, first } = columns.window(start, start + 40)
      expect(nodes[start - first]).toBe(start)
      expect(nodes[start + 39 - first]).toBe(start + 39)
    }
    const elements = reads.map(([, bytes]) => bytes / 4)
    expect(elements).toEqual([64, 65_536, 64, 64])
  })

  it('is as long as the row that is wanted, and ends with the columns', () => {
    const { columns } = counted()
    const { nodes, kinds, first } = columns.window(0, length)
    expect([first, nodes[length - 1], kinds[length - 1]]).toEqual([0, length - 1, 4])
    const last = columns.window(length - 3, length)
    expect(last.nodes[length - 1 - last.first]).toBe(length - 1)
  })
})
