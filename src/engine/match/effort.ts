/** The steps that one text may take: what is not found within them is not found, on every machine alike. */
export class Effort {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  spend(steps: number): boolean {
    this.#left -= steps
    return this.#left >= 0
  }
}
