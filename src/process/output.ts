/**
 * Standard output of commands. Each printed line is either taken by the system, or its failure is kept for
 * the caller; a failure never ends the process by itself.
 */
import { fstatSync, statSync } from 'node:fs'
import { Refusal } from '../problems.ts'

export interface OutputStream {
  readonly fd?: number
  write(text: string, done: (error?: Error | null) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

export class Output {
  /**
   * Whether everything printed is lost: stdout is the null device, which Node also puts in the place of
   * a stdout that was closed before the start.
   */
  readonly discards: boolean
  readonly #stream: OutputStream
  #failure: NodeJS.ErrnoException | undefined
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(stream: OutputStream) {
    this.#stream = stream
    this.discards = isNullDevice(stream.fd)
    stream.on('error', (error) => this.#note(error))
  }

  print(line: string): void {
    this.#lastWrite = new Promise((resolve) => {
      this.#stream.write(`${line}\n`, (error) => {
        if (error) this.#note(error)
        resolve()
      })
    })
  }

  /**
   * Resolves when the system has taken everything that was printed. A failure is reported once.
   * @param isEnd whether a command ends, for which a reader that stopped reading (`… | head`) is no failure.
   * @throws Refusal `output-failed`: the disk is full, or the reader has gone.
   */
  async taken(isEnd = false): Promise<void> {
    await this.#lastWrite
    const failure = this.#failure
    this.#failure = undefined
    if (failure === undefined || (isEnd && failure.code === 'EPIPE')) return
    throw new Refusal('output-failed', `stdout could not be written: ${failure.message}`)
  }

  /** Keeps the first failure, which has the cause; those after it only say that the stream has ended. */
  #note(error: Error): void {
    this.#failure ??= error
  }
}

function isNullDevice(descriptor: number | undefined): boolean {
  if (descriptor === undefined) return false
  // A chroot may have no devices.
  const device = statSync('/dev/null', { bigint: true, throwIfNoEntry: false })
  // Without `bigint`, `fstat` of a pipe has Node take later symbolic links for no links: packages are not found.
  return device !== undefined && fstatSync(descriptor, { bigint: true }).rdev === device.rdev
}
