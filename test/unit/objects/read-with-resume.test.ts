import { describe, expect, it } from 'vitest'
import { readWithResume } from '../../../src/objects/read-with-resume.ts'
import { MemoryObjects } from '../../support/objects/memory-objects.ts'

function scene(bytes: number) {
  const objects = new MemoryObjects()
  const content = Buffer.from(Array.from({ length: bytes }, (_, at) => at % 251))
  objects.held.set('key', { bytes: content, modifiedMs: 0 })
  const slept: number[] = []
  const lines: string[] = []
  const steadiness = {
    sleep: async (milliseconds: number) => void slept.push(milliseconds),
    random: () => 0,
    report: (line: string) => void lines.push(line),
  }
  const read = async (from = 0, to?: number) => {
    const opened = await readWithResume(objects, 'key', { from, to }, steadiness)
    if (opened.kind !== 'found') return opened.kind
    const chunks: Buffer[] = []
    for await (const chunk of opened.chunks) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  return { objects, content, slept, lines, read }
}

describe('an object that is read steadily', () => {
  it('is whole however often the connection ends', async () => {
    const { objects, content, read, lines } = scene(1_000_000)
    objects.bodyBytesMax = 90_000
    expect(content.equals((await read()) as Buffer)).toBe(true)
    expect(lines.length).toBe(11)
    expect(objects.calls.slice(0, 3)).toEqual(['get key 0', 'get key 90000', 'get key 180000'])
  })

  it('is begun where it is asked for', async () => {
    const { content, read } = scene(1_000)
    expect(content.subarray(300).equals((await read(300)) as Buffer)).toBe(true)
  })

  it('is read as far as it is asked for, however often the connection ends', async () => {
    const { objects, content, read } = scene(1_000)
    expect(content.subarray(300, 900).equals((await read(300, 900)) as Buffer)).toBe(true)
    objects.bodyBytesMax = 250
    expect(content.subarray(300, 900).equals((await read(300, 900)) as Buffer)).toBe(true)
    expect(objects.calls.slice(1)).toEqual(['get key 300', 'get key 550', 'get key 800'])
    expect(content.subarray(300).equals((await read(300, 5_000)) as Buffer)).toBe(true)
  })

  it('is given up after five failures without a byte between them', async () => {
    const { objects, read, slept } = scene(10)
    objects.failNext(4)
    expect(await read()).toHaveLength(10)
    expect(slept).toEqual([250, 500, 1_000, 2_000])
    objects.failNext(5)
    await expect(read()).rejects.toMatchObject({ code: 'storage-unreachable' })
  })

  it('is not put together of two', async () => {
    const { objects, read } = scene(200_000)
    objects.bodyBytesMax = 100_000
    objects.before = (call) => {
      if (call !== 'get key 100000') return
      objects.held.set('key', { bytes: Buffer.alloc(200_000), modifiedMs: 1 })
    }
    await expect(read()).rejects.toMatchObject({
      code: 'storage-unreachable',
      message: 's3://memory/key: was replaced while it was read',
    })
  })

  it('may be missing', async () => {
    const { objects, read } = scene(10)
    objects.held.clear()
    expect(await read()).toBe('missing')
  })
})
