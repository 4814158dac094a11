/** A tail in memory, for tests and for a process that has the head and the tail together. */
import {
  type BlockKey,
  blockKeysOf,
  blockNameOf,
  type TailFacts,
  type TailStore,
} from '../../src/tail/tail-store.ts'

export class MemoryTail implements TailStore {
  readonly #blocks = new Map<string, Uint8Array>()
  readonly #facts = new Map<string, TailFacts>()

  async facts(snapshot: string): Promise<TailFacts | undefined> {
    return this.#facts.get(snapshot)
  }

  nodeOf(): string {
    return ''
  }

  async blocks(keys: readonly BlockKey[]): Promise<readonly (Uint8Array | null)[]> {
    return keys.map((key) => this.#blocks.get(blockNameOf(key)) ?? null)
  }

  async write(blocks: readonly (readonly [key: BlockKey, bytes: Uint8Array])[]): Promise<void> {
    for (const [key, bytes] of blocks) this.#blocks.set(blockNameOf(key), bytes)
  }

  async complete(snapshot: string, facts: TailFacts): Promise<void> {
    this.#facts.set(snapshot, facts)
  }

  async expire(snapshot: string, facts: TailFacts, afterMs: number): Promise<void> {
    if (afterMs > 0) return
    this.#facts.delete(snapshot)
    for (const key of blockKeysOf(snapshot, facts)) this.#blocks.delete(blockNameOf(key))
  }

  async complaints(): Promise<readonly string[]> {
    return []
  }

  async close(): Promise<void> {}
}
