/**
 * The owners of single handles out of one answer for many. The service answers spellings of one handle under
 * the first of them. Invariant: a handle counts as unowned only if it cannot be such a spelling.
 */

/** An item of a batch, which says whose handle it answers. */
interface OwnedItem {
  readonly handle?: string | undefined
}

/** Items by the handle that they answer, without it; an empty list for handles without an item. */
export function ownersByHandle<Item extends OwnedItem>(
  handles: readonly string[],
  items: readonly Item[],
): Map<string, Omit<Item, 'handle'>[]> {
  const owners = new Map<string, Omit<Item, 'handle'>[]>(handles.map((handle) => [handle, []]))
  for (const { handle, ...item } of items) owners.get(handle ?? '')?.push(item)
  return owners
}

/** Handles without an owner that share a word with one that has: another spelling of it, possibly. */
export function possibleSpellings(owners: ReadonlyMap<string, readonly unknown[]>): string[] {
  const owned = new Set<string>()
  for (const [handle, items] of owners) {
    if (items.length > 0) for (const word of wordsOf(handle)) owned.add(word)
  }
  // Without an owned handle there is no other spelling of one: asking again would have no end.
  if (owned.size === 0) return []
  const unowned = [...owners].filter(([, items]) => items.length === 0).map(([handle]) => handle)
  return unowned.filter(
    (handle) => /[^ -~]|%/.test(handle) || wordsOf(handle).some((word) => owned.has(word)),
  )
}

/** The words of a handle or an address that can name an account: not its scheme, platform or two-part host. */
function wordsOf(handle: string): string[] {
  const text = handle.normalize('NFKC').toLowerCase().trim()
  const bare = text.replace(/^https?:\/\//, '')
  const [host = '', ...path] = bare.split('/')
  const labels = host.split('.')
  const isAddress = bare !== text || path.length > 0
  const rest = isAddress
    ? [...labels.slice(0, -2), ...path].join('/')
    : bare.replace(/^[\w-]+:/, '')
  const words = rest.split(/[/:@?#&=.]/).map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''))
  return words.filter((word) => word !== '')
}
