/** Positions of records by person. Nearly all end in a number behind a file name, stored once. */
import { uint32Column } from '../memory/columns.ts'
import { Interner } from '../memory/interner.ts'

/** The number at the end of a text, without zeros before it: as many digits as surely have 32 bits. */
const numberAtEnd = /(?:[1-9]\d{0,8})?$/

export class Positions {
  readonly #beginnings = new Interner()
  readonly #beginningOf = uint32Column()
  /** The number at the end of each; 0 where it ends in none. */
  readonly #numbers = uint32Column()

  push(position: string): void {
    const start = position.search(numberAtEnd)
    this.#beginningOf.push(this.#beginnings.intern(position.slice(0, start)))
    this.#numbers.push(Number(position.slice(start)))
  }

  textOf(person: number): string {
    const beginning = this.#beginnings.textAt(this.#beginningOf.view()[person]!)
    const number = this.#numbers.view()[person]!
    return number === 0 ? beginning : `${beginning}${number}`
  }

  clear(): void {
    this.#beginnings.release()
    this.#beginningOf.clear()
    this.#numbers.clear()
  }
}
