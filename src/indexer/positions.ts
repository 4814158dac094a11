/** Positions of records by person. Nearly all end in a number behind a file name, stored once. */
import { uint32Column } from '../memory/columns.ts'
import { Interner } from '../memory/interner.ts'

/** Digits of a number that surely has 32 bits. */
const digitsMax = 9
const [zero, nine] = [0x30, 0x39]

export class Positions {
  readonly #beginnings = new Interner()
  readonly #beginningOf = uint32Column()
  /** The number at the end of each; 0 where it ends in none. */
  readonly #numbers = uint32Column()

  push(position: string): void {
    const start = numberStart(position)
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

/** The start of the number at the end of a text, which has no zeros before it; the end of the text if there is none. */
function numberStart(text: string): number {
  let start = text.length
  const first = Math.max(0, text.length - digitsMax)
  while (start > first && isDigit(text.charCodeAt(start - 1))) start -= 1
  while (start < text.length && text.charCodeAt(start) === zero) start += 1
  return start
}

function isDigit(unit: number): boolean {
  return unit >= zero && unit <= nine
}
