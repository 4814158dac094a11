/**
 * Handles and SDUs as requests send them, in query strings and in bodies: checked, and read as what
 * they mean.
 */
import { limits } from '../../limits.ts'
import { type HandleQuery, parseHandle } from '../../text/handle.ts'
import { invalid, isSdu, type Parsed } from './pairs.ts'

/** A handle as it was sent, and what it means. */
export interface SentHandle {
  readonly sent: string
  readonly query: HandleQuery
}

/** Handles with what they mean. @param name of the parameter, which messages say. */
export function handlesOf(
  sent: readonly string[],
  name: string,
  charactersMax: number,
): Parsed<readonly SentHandle[]> {
  // Before any is read: a thousand addresses cost milliseconds, and a refusal is free.
  return tooLong(sent, name, charactersMax) ?? { value: sent.map(sentHandle) }
}

/** Sources that are read later. @param name of the member, which messages say. */
export function sourcesOf(
  sent: readonly string[],
  name: string,
  charactersMax: number,
): Parsed<SentSources> {
  return tooLong(sent, name, charactersMax) ?? { value: new SentSources(sent) }
}

/** The problem of texts one of which is too long; undefined where none is. */
function tooLong(sent: readonly string[], name: string, charactersMax: number) {
  if (!sent.some((each) => each.length > charactersMax)) return undefined
  return invalid(`${name}: a handle is longer than ${charactersMax} characters`)
}

function sentHandle(sent: string): SentHandle {
  return { sent, query: parseHandle(sent) }
}

/** Handles that mean the same have the same. */
function identityOf({ query: { platform = '', key } }: SentHandle): string {
  return `${platform}:${key}`
}

/**
 * Sources of a request, each of which is read when it is needed: to read a thousand addresses costs
 * milliseconds, which a refusal must not.
 */
export class SentSources {
  readonly #texts: readonly string[]
  readonly #read: SentHandle[] = []
  readonly #identities = new Set<string>()

  /** @param texts of which none is too long. */
  constructor(texts: readonly string[]) {
    this.#texts = texts
  }

  /** All of them, in the order of the request. */
  all(): readonly SentHandle[] {
    this.countTo(Number.POSITIVE_INFINITY)
    return this.#read
  }

  /** Reads them until there are more than so many different ones; returns how many different ones it read. */
  countTo(most: number): number {
    while (this.#read.length < this.#texts.length && this.#identities.size <= most) {
      const handle = sentHandle(this.#texts[this.#read.length]!)
      this.#read.push(handle)
      this.#identities.add(identityOf(handle))
    }
    return this.#identities.size
  }
}

/** Each different handle once, however it is spelled, as it was sent first. */
export function distinctHandles(handles: readonly SentHandle[]): readonly SentHandle[] {
  const byIdentity = new Map<string, SentHandle>()
  for (const handle of handles) {
    const identity = identityOf(handle)
    if (!byIdentity.has(identity)) byIdentity.set(identity, handle)
  }
  return [...byIdentity.values()]
}

/** Texts that are SDUs, each 1–32 digits. @param name of the parameter, which messages say. */
export function sdusOf(sent: readonly string[], name: string): Parsed<readonly string[]> {
  const wrong = sent.find((sdu) => !isSdu(sdu))
  if (wrong === undefined) return { value: sent }
  const what = `'${wrong.slice(0, 100)}' is not 1 to ${limits.sduDigitsMax} digits`
  return invalid(`${name}: ${what}`)
}
