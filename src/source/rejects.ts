/** The records that were not taken, by a source or by the indexer. The file is that of one run. */
import { appendFileSync, chmodSync, existsSync, truncateSync } from 'node:fs'
import { Refusal } from '../problems.ts'
import { privateFileMode } from '../process/private-directory.ts'
import type { Reject } from './source.ts'

const shownMax = 20
const rawCharactersMax = 4096
const bufferedCharactersMax = 1 << 16

export interface RejectSink {
  readonly add: (reject: Reject) => void
}

/**
 * The file holds one `Reject` a line, `raw` cut at 4,096 characters, and is its owner's alone; it
 * is created with the first. `report` gets the first 20: `authorities.ndjson:17 topics: must …`.
 */
export class Rejects implements RejectSink {
  readonly #path: string
  readonly #report: (line: string) => void
  readonly #isWithheld: (raw: string) => boolean
  #buffered = ''
  #count = 0

  /**
   * @param isWithheld whether a record may not be shown nor written; it is counted all the same.
   * @throws Refusal `wrong-usage` when an earlier file is there and cannot be emptied.
   */
  constructor(
    path: string,
    report: (line: string) => void,
    isWithheld: (raw: string) => boolean = () => false,
  ) {
    this.#path = path
    this.#isWithheld = isWithheld
    this.#report = report
    // A run without rejects leaves no new file.
    if (existsSync(path)) this.#empty()
  }

  add({ position, field, reason, raw }: Reject): void {
    this.#count++
    if (this.#isWithheld(raw)) return
    if (this.#count <= shownMax) this.#report(`${position} ${field}: ${reason}`)
    if (this.#count === shownMax) this.#report(`further rejects only in ${this.#path}`)
    const reject = { position, field, reason, raw: raw.slice(0, rawCharactersMax) }
    this.#buffered += `${JSON.stringify(reject)}\n`
    if (this.#buffered.length > bufferedCharactersMax) this.#flush()
  }

  close(): void {
    this.#flush()
  }

  #flush(): void {
    if (this.#buffered === '') return
    appendFileSync(this.#path, Buffer.from(this.#buffered), { mode: privateFileMode })
    this.#buffered = ''
  }

  #empty(): void {
    try {
      truncateSync(this.#path)
      chmodSync(this.#path, privateFileMode)
    } catch (error) {
      const reason = (error as Error).message
      throw new Refusal('wrong-usage', `${this.#path} cannot hold the rejects: ${reason}`)
    }
  }
}
