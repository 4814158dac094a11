/**
 * Room for what requests hold at once. A request that needs more than is left waits in a line, so that many cold
 * requests together take no more memory than is set; one alone always gets what it needs.
 */
import type { Hold } from '../../memory/elsewhere/not-at-hand.ts'

/** A request that waits for room. */
interface Applicant {
  readonly hold: Hold
  readonly bytes: number
  readonly enter: () => void
}

export class HeldRoom {
  readonly #bytesMax: number
  /** The bytes of each request that is in. */
  readonly #inside = new Map<Hold, number>()
  #line: Applicant[] = []
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /**
   * Waits for so many bytes more, which are free again when the hold is let go. A request that is in gets more at
   * once: else two could wait for each other.
   * @returns undefined where there is room.
   */
  enter(hold: Hold, bytes: number): Promise<void> | undefined {
    if (this.#inside.has(hold) || (this.#line.length === 0 && this.#fits(bytes))) {
      this.#add(hold, bytes)
      return undefined
    }
    return new Promise((enter) => this.#line.push({ hold, bytes, enter }))
  }

  #fits(bytes: number): boolean {
    return this.#inside.size === 0 || this.#bytes + bytes <= this.#bytesMax
  }

  #add(hold: Hold, bytes: number): void {
    if (hold.isOver) return
    this.#inside.set(hold, (this.#inside.get(hold) ?? 0) + bytes)
    this.#bytes += bytes
    hold.keep(this, () => this.#leave(hold))
  }

  #leave(hold: Hold): void {
    this.#bytes -= this.#inside.get(hold)!
    this.#inside.delete(hold)
    const waiting = this.#line.filter((each) => !each.hold.isOver)
    for (const each of this.#line) if (each.hold.isOver) each.enter()
    const stays = waiting.findIndex((each) => !this.#enterNow(each))
    this.#line = stays < 0 ? [] : waiting.slice(stays)
  }

  #enterNow({ hold, bytes, enter }: Applicant): boolean {
    if (!this.#fits(bytes)) return false
    this.#add(hold, bytes)
    enter()
    return true
  }
}
