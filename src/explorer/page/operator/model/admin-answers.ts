/** The answers of the admin API, as far as the page reads them; `docs/administration.md` explains each field. */

export interface AdminAccount {
  readonly account: string
  readonly balance_usd: number
  readonly credited_usd: number
  readonly charged_usd: number
  readonly state: 'active' | 'suspended'
  readonly created: string
}

export interface AdminStatement extends AdminAccount {
  readonly credits: readonly {
    readonly time: string
    readonly amount_usd: number
    readonly reference: string | null
    readonly reason: string | null
  }[]
}

export interface AdminUsage {
  readonly results: readonly {
    readonly day: string
    readonly route: string
    readonly queries: number
    readonly amount_usd: number
  }[]
}

export interface AdminKeyRow {
  readonly key_id: string
  readonly account: string
  readonly state: 'active' | 'expired' | 'revoked'
  readonly label: string | null
  readonly created: string
  readonly expires: string | null
  readonly terms?: { readonly cap?: { readonly amount_usd: number; readonly period: string } }
  readonly spent_usd?: number
  readonly spent_of_cap_usd?: number
}

export interface StoredSnapshotRow {
  readonly snapshot_id: string
  readonly bytes: number
  readonly published: string
  readonly authorities: number | null
  readonly current: boolean
  readonly pinned: boolean
}

export interface HeldBackAnswer {
  readonly held_back: {
    readonly reason: string
    readonly at: string
    readonly source_fingerprint: string
  } | null
  readonly released: boolean
}

export interface RemovalRow {
  readonly removal_id: string
  readonly reason: string
  readonly at: string
  readonly undone: string | null
}

export interface CorrectionRow {
  readonly correction_id: string
  readonly sdu: string
  readonly set: Readonly<Record<string, unknown>>
  readonly source: string
  readonly date: string
  readonly undone: string | null
}

export interface EndpointRow {
  readonly endpoint: string
  readonly account: string | null
  readonly url: string
  readonly events: readonly string[]
  readonly below: readonly string[]
  readonly state: 'active' | 'failing' | 'paused'
  readonly pending: number
  readonly last_failure: string | null
  readonly delivered: string | null
}

export interface NodeRow {
  readonly node: string
  readonly since: string
  readonly leased_until: string
  readonly state: 'selling' | 'late'
  readonly accounts: number
  readonly leased_usd: number
}

export interface AuditEntry {
  readonly number: number
  readonly time: string
  readonly actor: string
  readonly from: string
  readonly action: string
  readonly subject: string
  readonly details: unknown
  readonly before: unknown
  readonly after: unknown
}

export interface BooksProof {
  readonly balanced: boolean
  readonly accounts: number
  readonly rows: number
  readonly keys: number
  readonly balance_usd: number
  readonly contradictions: readonly string[]
}

export interface AdminKeys {
  readonly results: readonly {
    readonly admin_key_id: string
    readonly label: string | null
    readonly scopes: readonly string[]
    readonly expires: string | null
    readonly revoked: string | null
  }[]
}

/** A time as `2026-07-28 12:00`; a dash for none. */
export function minuteText(time: string | null): string {
  return time === null ? '–' : time.slice(0, 16).replace('T', ' ')
}
