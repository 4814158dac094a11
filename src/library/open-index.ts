/**
 * The entry of the package: an index of verified authorities in the caller's own process. A swap of
 * snapshots happens between calls, never within one. Nothing listens, nothing is charged, and no native
 * module is loaded.
 */
import { type ActiveSnapshot, activate } from '../api/active-snapshot.ts'
import { Refusal } from '../problems.ts'
import type { ServedSnapshot } from '../service/protocol.ts'
import { exampleDirectory } from '../snapshot/store/example.ts'
import { isBucketAddress, isWebAddress } from '../storage-addresses.ts'
import { programVersion } from '../version.ts'
import { IndexClosed, OpenProblem } from './failures.ts'
import { Following } from './following.ts'
import { factsOfSnapshot, Queries } from './queries.ts'
import { keepOpen } from './text-files.ts'
import type { AuthorityIndex, IndexSource, IndexView, OpenOptions, SharedIndex } from './types.ts'

export type { Params, Schemas } from '../client/contract.ts'
export {
  IndexClosed,
  InvalidParameter,
  MalformedRequest,
  OpenProblem,
  RequestProblem,
} from './failures.ts'
export type * from './types.ts'

/**
 * Opens the snapshot that a source announces; without arguments, the example that comes with the package.
 *
 *     const index = await openIndex('snapshots', { follow: true })
 *     const owner = index.get('@sencapito')
 *
 * @throws OpenProblem; the reason of an aborted signal.
 */
export async function openIndex(
  ...given: [] | [source: IndexSource, options?: OpenOptions | undefined]
): Promise<AuthorityIndex> {
  const [source, options = {}] = given
  const { signal } = options
  signal?.throwIfAborted()
  // A source that is undefined by mistake is refused: nobody is to get other people than they asked for.
  if (given.length > 0) checkSource(source)
  if (typeof source === 'object') return new OpenedIndex(sharedSnapshot(source), options)
  const index = new OpenedIndex(undefined, options)
  try {
    const place = source ?? (await exampleDirectory())
    const following = new Following(place, options, (snapshot) => index.take(snapshot))
    index.following = following
    await Promise.race([following.start(), abortOf(signal)])
    signal?.addEventListener('abort', () => void index.close(), { once: true })
    return index
  } catch (error) {
    await index.close()
    if (!(error instanceof Refusal)) throw error
    throw new OpenProblem(error.code, error.message, { cause: error })
  }
}

function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function checkSource(source: IndexSource | undefined): void {
  if (isSource(source)) return
  const takes = 'a directory of snapshots, s3://bucket/prefix, https://… or what share() gave'
  const given = typeof source === 'string' ? `'${source}'` : typeof source
  throw new OpenProblem('wrong-usage', `openIndex takes ${takes}, not ${given}`)
}

function isSource(source: IndexSource | undefined): boolean {
  if (typeof source !== 'string') return source?.kind === 'authority-index'
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(source)
  return isAddress ? isBucketAddress(source) || isWebAddress(source) : source !== ''
}

function sharedSnapshot({ version, snapshot }: SharedIndex): ServedSnapshot {
  if (version !== programVersion) {
    throw new OpenProblem('snapshot-refused', 'what is shared is of another version of the package')
  }
  return snapshot as ServedSnapshot
}

interface Loaded {
  readonly snapshot: ServedSnapshot
  readonly active: ActiveSnapshot
}

class OpenedView extends Queries implements IndexView {
  readonly #loaded: () => Loaded

  constructor(loaded: () => Loaded) {
    super(() => loaded().active)
    this.#loaded = loaded
  }

  share(): SharedIndex {
    const { snapshot } = this.#loaded()
    keepOpen(snapshot.texts)
    return { kind: 'authority-index', version: programVersion, snapshot }
  }
}

class OpenedIndex extends OpenedView implements AuthorityIndex {
  following: Following | undefined
  readonly #options: OpenOptions
  readonly #place: { loaded: Loaded | undefined }

  constructor(snapshot: ServedSnapshot | undefined, options: OpenOptions) {
    const place: { loaded: Loaded | undefined } = {
      loaded: snapshot && loadedOf(snapshot),
    }
    super(() => place.loaded ?? closed())
    this.#place = place
    this.#options = options
  }

  take(snapshot: ServedSnapshot): void {
    const before = this.#place.loaded
    const loaded = loadedOf(snapshot)
    this.#place.loaded = loaded
    if (before === undefined) return
    this.#options.onSwap?.(factsOfSnapshot(loaded.active), factsOfSnapshot(before.active))
  }

  at(): IndexView {
    const loaded = this.#place.loaded ?? closed()
    return new OpenedView(() => loaded)
  }

  async close(): Promise<void> {
    this.#place.loaded = undefined
    await this.following?.stop()
    // A snapshot that was loaded meanwhile is not kept.
    this.#place.loaded = undefined
  }

  [Symbol.dispose](): void {
    void this.close()
  }
}

function loadedOf(snapshot: ServedSnapshot): Loaded {
  const { header, sections, texts } = snapshot
  const shared: ServedSnapshot = { header, sections, texts }
  return { snapshot: shared, active: activate(shared) }
}

function closed(): never {
  throw new IndexClosed('index-closed', 503, 'The index is closed', 'the index was closed')
}
