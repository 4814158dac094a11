/**
 * Choosing from a list by keys alone: the effect of each key on the selection. Nothing is selected at
 * first, so Enter submits the typed text.
 */

/** The open list and the index of its chosen entry; -1 for none. */
export interface Choosing {
  readonly isOpen: boolean
  readonly index: number
}

export const closed: Choosing = { isOpen: false, index: -1 }
export const opened: Choosing = { isOpen: true, index: -1 }

/** Effect of a key; `accept` takes the chosen suggestion, `submit` the typed text. */
type KeyEffect =
  | { readonly kind: 'choose'; readonly choosing: Choosing }
  | { readonly kind: 'accept'; readonly index: number }
  | { readonly kind: 'submit' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'none' }

/** The effect of a key in a field with `count` suggestions (ARIA, combobox pattern). */
export function effectOf(key: string, { isOpen, index }: Choosing, count: number): KeyEffect {
  const choose = (next: number): KeyEffect => ({
    kind: 'choose',
    choosing: { isOpen: true, index: next },
  })
  switch (key) {
    case 'ArrowDown':
      // The typed text follows the last suggestion.
      return count === 0 ? { kind: 'none' } : choose(index + 1 >= count ? -1 : index + 1)
    case 'ArrowUp':
      return count === 0 ? { kind: 'none' } : choose(index < 0 ? count - 1 : index - 1)
    case 'Enter':
      return isOpen && index >= 0 ? { kind: 'accept', index } : { kind: 'submit' }
    case 'Escape':
      return isOpen ? { kind: 'choose', choosing: closed } : { kind: 'clear' }
    default:
      return { kind: 'none' }
  }
}
