/** What becomes of printed lines: taken, or failed with the first cause, told once. */
import { describe, expect, it } from 'vitest'
import { Output, type OutputStream } from '../../../src/process/output.ts'

/** A stream that takes so many writes; each one after that fails with the next of the errors. */
function streamThatTakes(count: number, codes: readonly string[] = []) {
  const lines: string[] = []
  const errors = codes.map((code) => Object.assign(new Error(`write ${code}`), { code }))
  const listeners: ((error: Error) => void)[] = []
  const stream: OutputStream = {
    write: (text, done) => {
      if (lines.push(text) <= count) return setImmediate(done)
      const error = errors.shift()!
      for (const listener of listeners) listener(error)
      return setImmediate(done, error)
    },
    on: (_, listener) => listeners.push(listener),
  }
  return { stream, lines }
}

describe('an output', () => {
  it('is taken when the stream has taken every line', async () => {
    const { stream, lines } = streamThatTakes(2)
    const output = new Output(stream)
    output.print('a')
    output.print('b')
    await output.taken()
    expect(lines).toEqual(['a\n', 'b\n'])
  })

  it('fails with its first cause, once', async () => {
    const { stream } = streamThatTakes(1, ['ENOSPC', 'ERR_STREAM_DESTROYED'])
    const output = new Output(stream)
    for (const line of ['a', 'b', 'c']) output.print(line)
    await expect(output.taken()).rejects.toMatchObject({
      code: 'output-failed',
      message: 'stdout could not be written: write ENOSPC',
    })
    await output.taken()
  })

  it('ends well where its reader has gone, and not where the disk is full', async () => {
    for (const [code, isFailure] of [
      ['EPIPE', false],
      ['ENOSPC', true],
    ] as const) {
      const output = new Output(streamThatTakes(0, [code]).stream)
      output.print('a')
      const failure = await output.taken(true).catch((error: Error) => error)
      expect(failure instanceof Error).toBe(isFailure)
    }
  })

  it('that was gone for somebody who needs it is a failure', async () => {
    const output = new Output(streamThatTakes(0, ['EPIPE']).stream)
    output.print('a')
    await expect(output.taken()).rejects.toMatchObject({ code: 'output-failed' })
  })
})
