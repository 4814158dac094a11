/** What an alternative is, whatever it keeps the records in. */

/** What holds the records: answers the items of a request, comma between items, as JSON. */
export interface Records {
  readonly search: (query: string, limit: number) => string | Promise<string>
  readonly detail: (sdu: string) => string | Promise<string>
  readonly peers: (handle: string, limit: number) => string | Promise<string>
  readonly match: (handle: string) => string | Promise<string>
}

/** The name of an alternative. */
export type AlternativeName = 'flexsearch' | 'redis'
