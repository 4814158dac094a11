/**
 * The scopes of admin keys. Settings, ledger and admin API name the same scopes, so they stand below all three. It
 * imports nothing.
 */

/** Reading; keys and suspensions; accounts and money; snapshots and removals. */
export const adminScopes = ['read', 'keys', 'money', 'data'] as const

export type AdminScope = (typeof adminScopes)[number]
