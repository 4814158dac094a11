/** A program that is asked by lines of JSON and answers each with one; it ends when its input ends. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

export class LineProgram {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #ended: Promise<unknown>
  readonly #waiting: { give: (line: unknown) => void; fail: (error: Error) => void }[] = []

  constructor(words: readonly string[]) {
    const [command, ...args] = words
    this.#child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#ended = once(this.#child, 'close')
    createInterface(this.#child.stdout).on('line', (line) => {
      this.#waiting.shift()?.give(JSON.parse(line))
    })
    const fail = (why: unknown) => {
      const error = new Error(`${words.join(' ')} ended: ${why}`)
      for (const each of this.#waiting.splice(0)) each.fail(error)
    }
    this.#child.on('error', fail)
    this.#child.on('close', fail)
    this.#child.stdin.on('error', fail)
  }

  /** Waits for the next line that belongs to nothing that was asked before. */
  next<T>(): Promise<T> {
    return new Promise((resolve, fail) => {
      this.#waiting.push({ give: (line) => resolve(line as T), fail })
    })
  }

  tell(line: object): void {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`)
  }

  async close(): Promise<void> {
    this.#child.stdin.end()
    // It has nothing to finish.
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}
