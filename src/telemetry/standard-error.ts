/**
 * Standard error as the place of the log, written to at once, so that a line survives the end of its
 * process. Every thread has its own; lines of up to 4 KiB do not mix (POSIX `PIPE_BUF`). Invariant: a line
 * that cannot be written, on a full disk or to a reader that is gone, ends nothing; lost lines are counted,
 * and the count is written before the next line that can be.
 */
import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'
import { logEvents } from './log.ts'

/** Writes some of the bytes and returns their number. @throws the errors of the file system. */
type WriteSome = (bytes: Uint8Array) => number

/** Maximum wait of a line for a slow reader, and the pause between its attempts, ms. */
const waitMsMax = 1_000
const pauseMs = 10

export class StandardError implements DestinationStream {
  readonly #clock: () => number
  readonly #write: WriteSome
  /** Lines that could not be written since the last one that was. */
  #lost = 0
  #isTorn = false
  #cause = ''

  /** @param clock milliseconds since the epoch. */
  constructor(clock: () => number, write: WriteSome = (bytes) => writeSync(2, bytes)) {
    this.#clock = clock
    this.#write = write
  }

  write(line: string): void {
    const before = Buffer.from(
      `${this.#isTorn ? '\n' : ''}${this.#lost > 0 ? this.#lostLine() : ''}`,
    )
    const bytes = Buffer.concat([before, Buffer.from(line)])
    const written = this.#writeAll(bytes)
    if (written > 0) this.#isTorn = written < bytes.length
    if (written >= before.length) this.#lost = 0
    if (written < bytes.length) this.#lost += 1
  }

  #writeAll(bytes: Buffer): number {
    let done = 0
    let waitedMs = 0
    while (done < bytes.length) {
      try {
        done += this.#write(bytes.subarray(done))
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        // Only the first line waits for a reader: the next ones find that there is none.
        const mayWait = code === 'EAGAIN' && this.#lost === 0 && waitedMs < waitMsMax
        this.#cause = message
        if (!mayWait) return done
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
        waitedMs += pauseMs
      }
    }
    return done
  }

  #lostLine(): string {
    const event = 'log-lost' as const
    const time = new Date(this.#clock()).toISOString()
    const message = `lines could not be written: ${this.#cause}`
    return `${JSON.stringify({ level: logEvents[event], time, event, lines: this.#lost, message })}\n`
  }
}
