/** Addresses of the operator's page: what it shows, and the address that shows it again. No address holds a key. */

/** A view of the operator's page with its parameters. */
export type OperatorPlace =
  | { readonly view: 'accounts'; readonly name: string }
  | { readonly view: 'account'; readonly account: string }
  | { readonly view: 'keys' }
  | { readonly view: 'webhooks' }
  | { readonly view: 'served' }
  | { readonly view: 'audit'; readonly subject: string }
  | { readonly view: 'books' }
  | { readonly view: 'api' }

/** The place that an address shows. */
export function operatorPlaceAt(search: string): OperatorPlace {
  const given = new URLSearchParams(search)
  const account = given.get('account')
  if (account !== null) return { view: 'account', account }
  switch (given.get('view')) {
    case 'keys':
      return { view: 'keys' }
    case 'webhooks':
      return { view: 'webhooks' }
    case 'served':
      return { view: 'served' }
    case 'audit':
      return { view: 'audit', subject: given.get('subject') ?? '' }
    case 'books':
      return { view: 'books' }
    case 'api':
      return { view: 'api' }
    default:
      return { view: 'accounts', name: given.get('name') ?? '' }
  }
}

/** The address of a place. */
export function operatorAddressOf(place: OperatorPlace): string {
  const query = new URLSearchParams(pairsOf(place)).toString()
  return query === '' ? '/' : `/?${query}`
}

function pairsOf(place: OperatorPlace): [string, string][] {
  switch (place.view) {
    case 'accounts':
      return place.name === '' ? [] : [['name', place.name]]
    case 'account':
      return [['account', place.account]]
    case 'audit':
      return [['view', 'audit'], ...subjectPair(place.subject)]
    default:
      return [['view', place.view]]
  }
}

function subjectPair(subject: string): [string, string][] {
  return subject === '' ? [] : [['subject', subject]]
}
