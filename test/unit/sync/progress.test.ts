import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createProgress } from '../../../src/sync/progress.ts'

function run(interactive: boolean) {
  const lines: string[] = []
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  const report = (line: string) => {
    lines.push(line)
    stream.write(`${line}\n`)
  }
  const progress = createProgress({ report, interactive }, stream)
  return { progress, lines, drawn: () => String(stream.read() ?? '') }
}

describe('progress', () => {
  it('is a line at every tenth where no bar can be drawn', () => {
    const { progress, lines } = run(false)
    progress.phase('reading')
    for (let step = 0; step <= 1000; step++) progress.update(step / 1000)
    progress.phase('ranking')
    progress.update(0.55)
    progress.update(0.2)
    progress.update(7)
    progress.stop()
    const tenths = Array.from({ length: 10 }, (_, index) => `reading: ${index + 1}0 %`)
    expect(lines).toEqual(['reading', ...tenths, 'ranking', 'ranking: 50 %', 'ranking: 100 %'])
  })

  it('is a bar for each phase on a terminal, full when the phase is over', () => {
    const { progress, lines, drawn } = run(true)
    progress.phase('reading')
    expect(drawn()).toContain('0 % reading')
    progress.phase('ranking')
    expect(drawn()).toMatch(/100 % reading.*\n.* 0 % ranking/s)
    progress.stop()
    expect(drawn()).toContain('100 % ranking')
    expect(lines).toEqual([])
  })

  it('lets notes pass on a line of their own', () => {
    const { progress, drawn } = run(true)
    progress.note('before')
    progress.phase('reading')
    drawn()
    progress.note('authorities.ndjson:1 sdu: bad')
    expect(drawn()).toContain('\u001b[2Kauthorities.ndjson:1 sdu: bad\n')
    progress.stop()
    progress.note('after')
    expect(drawn()).toMatch(/after\n$/)
  })

  it('takes updates and stops outside of a phase', () => {
    for (const interactive of [true, false]) {
      const { progress, drawn } = run(interactive)
      progress.stop()
      progress.update(1)
      progress.stop()
      expect(drawn()).not.toContain('100')
    }
  })
})
