/**
 * The types of events that webhooks carry, and who may receive each: commands, the ledger and the
 * documents read this one table. Imports nothing.
 */

/** The types, with their words for documents. `operatorOnly`: not for an endpoint of an account. */
export const webhookEvents = {
  'balance.below': { words: 'A charge or an adjustment took the balance below a threshold.' },
  'key.cap.reached': { words: 'A key has spent its cap.' },
  'key.expiring': { words: 'A key expires within seven days.' },
  'account.suspended': { words: 'An operator suspended the account.' },
  'snapshot.announced': { words: 'A new snapshot is served.' },
  'sync.held_back': { words: 'A sync was held back for review.', operatorOnly: true },
  'authority.changed': { words: 'An announced snapshot changed a watched authority.' },
} as const satisfies Readonly<
  Record<string, { readonly words: string; readonly operatorOnly?: true }>
>

/** A type of event. */
export type WebhookEventType = keyof typeof webhookEvents

/** Every type, in the order of the table. */
export const webhookEventTypes = Object.keys(webhookEvents) as readonly WebhookEventType[]
