/** The contacts of the operator, as OpenAPI and the pages show them: only those that the operator gave. */

/** Addresses of the operator, mail or web; '' if none is given. */
export interface Contacts {
  readonly contact: string
  readonly privacy: string
}

export const noContacts: Contacts = { contact: '', privacy: '' }

/** The members of `info`; `x-privacy` is for listed people, as OpenAPI has no word for it. */
export function contactsOf({ contact, privacy }: Contacts) {
  const member = contact.includes('://') ? 'url' : 'email'
  return {
    ...(contact !== '' && { contact: { [member]: contact } }),
    ...(privacy !== '' && { 'x-privacy': privacy }),
  }
}
