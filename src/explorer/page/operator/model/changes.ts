/**
 * The changes that operators make on their page, in one table: the scope that the key needs, the fields of the form, the
 * request, and the sentence that the operator confirms.
 */

/** The typed values, by the names of the fields. */
export type TypedFields = Readonly<Record<string, string>>

/** A field of a form. */
export interface ChangeField {
  readonly name: string
  readonly label: string
  readonly kind?: 'text' | 'number' | 'choice'
  readonly choices?: readonly string[]
  readonly start?: string
  readonly hint?: string
  readonly isOptional?: boolean
}

/** A change: its button opens a form, then a confirmation, then one request. */
export interface OperatorChange {
  readonly title: string
  /** The label of the button. */
  readonly short: string
  readonly scope: 'keys' | 'money' | 'data'
  readonly fields: readonly ChangeField[]
  /** The path of the request below `/admin/v1`. */
  readonly target: (typed: TypedFields) => string
  /** The JSON of the request. */
  readonly body: (typed: TypedFields) => Readonly<Record<string, unknown>>
  /** The effect of the change, as a sentence for the confirmation. */
  readonly effect: string
}

const reference = {
  name: 'reference',
  label: 'Reference',
  hint: 'Names the payment; credited once for each.',
}
const part = encodeURIComponent

/** The fields and the body of a change without a form. */
const nothing = { fields: [], body: () => ({}) } as const

/** Typed hours as the overlap in seconds. */
const overlapBody = ({ hours }: TypedFields) => ({ overlap: Math.round(Number(hours) * 3_600) })

/** A new account. */
export const newAccount: OperatorChange = {
  title: 'Make an account',
  short: 'New account',
  scope: 'money',
  fields: [
    { name: 'account', label: 'Name', hint: '1 to 64 of A-Z a-z 0-9 . _ -' },
    { name: 'amount', label: 'Opening credit, USD', kind: 'number', start: '50' },
  ],
  target: () => '/accounts',
  body: ({ account, amount }) => ({ account, opening_usd: Number(amount) }),
  effect: 'The account is made with this credit.',
}

/** Changes of an account. */
export function accountChanges(account: string, isSuspended: boolean): readonly OperatorChange[] {
  const path = `/accounts/${part(account)}`
  const state: OperatorChange = isSuspended
    ? {
        ...nothing,
        title: `Resume ${account}`,
        short: 'Resume',
        scope: 'keys',
        target: () => `${path}/resume`,
        effect: 'Its keys are good again.',
      }
    : {
        ...nothing,
        title: `Suspend ${account}`,
        short: 'Suspend',
        scope: 'keys',
        target: () => `${path}/suspend`,
        effect: 'Its keys are refused until it is resumed. Its money stays.',
      }
  return [
    {
      title: `Top up ${account}`,
      short: 'Top up',
      scope: 'money',
      fields: [{ name: 'amount', label: 'Amount, USD', kind: 'number' }, reference],
      target: () => `${path}/top-ups`,
      body: (typed) => ({ amount_usd: Number(typed.amount), reference: typed.reference }),
      effect: 'The amount is credited.',
    },
    {
      title: `Adjust ${account}`,
      short: 'Adjust',
      scope: 'money',
      fields: [
        { name: 'amount', label: 'Amount, USD', kind: 'number', hint: 'Below 0 takes money back.' },
        reference,
        { name: 'reason', label: 'Reason' },
      ],
      target: () => `${path}/adjustments`,
      body: ({ amount, reference: words, reason }) => ({
        amount_usd: Number(amount),
        reference: words,
        reason,
      }),
      effect: 'The credits of the account are corrected.',
    },
    {
      title: `Issue a key for ${account}`,
      short: 'Issue a key',
      scope: 'keys',
      fields: [{ name: 'label', label: 'Label', isOptional: true }, ...capFields],
      target: () => '/keys',
      body: (typed) => ({
        account,
        ...(typed.label !== '' && { label: typed.label }),
        ...(typed.cap !== '' && { cap: capOf(typed) }),
      }),
      effect: 'The text of the key is shown once, here.',
    },
    state,
  ]
}

const capFields: readonly ChangeField[] = [
  { name: 'cap', label: 'Cap, USD', kind: 'number', isOptional: true, hint: 'Empty is no cap.' },
  {
    name: 'period',
    label: 'Period of the cap',
    kind: 'choice',
    choices: ['month', 'day', 'total'],
  },
]

function capOf({ cap, period }: TypedFields) {
  return cap === '' ? null : { amount_usd: Number(cap), period }
}

/** Changes of a key. */
export function keyChanges(keyId: string): readonly OperatorChange[] {
  const path = `/keys/${part(keyId)}`
  return [
    {
      title: `Set the cap of ${keyId}`,
      short: 'Cap',
      scope: 'keys',
      fields: capFields,
      target: () => `${path}/set`,
      body: (typed) => ({ cap: capOf(typed) }),
      effect: 'The cap holds for the key and those that replace it. What it spent stays counted.',
    },
    {
      title: `Rotate ${keyId}`,
      short: 'Rotate',
      scope: 'keys',
      fields: [
        { name: 'hours', label: 'The old key ends after, hours', kind: 'number', start: '24' },
      ],
      target: () => `${path}/rotate`,
      body: overlapBody,
      effect: 'A new key takes its place. Its text is shown once, here.',
    },
    {
      ...nothing,
      title: `Revoke ${keyId}`,
      short: 'Revoke',
      scope: 'keys',
      target: () => `${path}/revoke`,
      effect: 'The key ends at once and for ever.',
    },
  ]
}

/** Changes of a snapshot. */
export function snapshotChanges(id: string): readonly OperatorChange[] {
  const shown = id.slice(0, 8)
  const of = { ...nothing, scope: 'data' } as const
  return [
    {
      ...of,
      title: `Announce snapshot ${shown}`,
      short: 'Announce',
      target: () => `/snapshots/${part(id)}/announce`,
      effect: 'Services follow it, unless they are pinned.',
    },
    {
      ...of,
      title: `Pin services to snapshot ${shown}`,
      short: 'Pin',
      target: () => `/snapshots/${part(id)}/pin`,
      effect: 'Services stay on it, also when another one is announced.',
    },
  ]
}

/** The end of a pin. */
export const unpin: OperatorChange = {
  ...nothing,
  title: 'End the pin',
  short: 'Unpin',
  scope: 'data',
  target: () => '/unpin',
  effect: 'Services follow announcements again.',
}

/** The release of a sync that was held back. */
export function releaseOf(fingerprint: string): OperatorChange {
  return {
    title: 'Release what was held back',
    short: 'Release',
    scope: 'data',
    fields: [],
    target: () => '/held-back/release',
    body: () => ({ source_fingerprint: fingerprint }),
    effect: 'The next sync of the same source passes the comparison once.',
  }
}

/** A removal. */
export const addRemoval: OperatorChange = {
  title: 'Remove a person',
  short: 'Remove a person',
  scope: 'data',
  fields: [
    { name: 'sdu', label: 'SDU' },
    { name: 'reason', label: 'Reason', hint: 'Kept on the list. Do not name the person.' },
  ],
  target: () => '/removals',
  body: ({ sdu, reason }) => ({ sdu, reason }),
  effect:
    'Earlier snapshots that hold the person are removed at once; the next sync publishes one without them.',
}

/** The end of an entry on a list of removals or corrections. */
function undoOf(list: 'removals' | 'corrections', id: string, effect: string): OperatorChange {
  return {
    ...nothing,
    title: `Undo ${list.slice(0, -1)} ${id.slice(0, 12)}`,
    short: 'Undo',
    scope: 'data',
    target: () => `/${list}/${part(id)}/undo`,
    effect,
  }
}

/** The end of a removal. */
export function removalUndo(id: string): OperatorChange {
  return undoOf('removals', id, 'The next sync takes the person again, if the source has them.')
}

/** The words of a text that are parted by commas or spaces. */
function wordsOf(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((word) => word !== '')
}

/** A new endpoint of webhooks. */
export const addWebhook: OperatorChange = {
  title: 'Add an endpoint of webhooks',
  short: 'New endpoint',
  scope: 'keys',
  fields: [
    { name: 'url', label: 'Address', hint: 'https://…' },
    { name: 'account', label: 'Account', isOptional: true, hint: 'Empty is of the operator.' },
    { name: 'events', label: 'Events', isOptional: true, hint: 'Empty is all that it may get.' },
    { name: 'below', label: 'Balance below', isOptional: true, hint: 'As 5 or 20%.' },
    { name: 'sdus', label: 'SDUs to watch', isOptional: true },
  ],
  target: () => '/webhooks',
  body: ({ url, account, events, below, sdus }) => ({
    url,
    ...(account !== '' && { account }),
    ...{ events: wordsOf(events), below: wordsOf(below), sdus: wordsOf(sdus) },
  }),
  effect: 'Events are sent to it from now on. Its secret is shown once, here.',
}

/** Changes of an endpoint of webhooks. */
export function webhookChanges(endpoint: string): readonly OperatorChange[] {
  const path = `/webhooks/${part(endpoint)}`
  const of = { ...nothing, scope: 'keys' } as const
  return [
    {
      ...of,
      title: `Test ${endpoint}`,
      short: 'Test',
      target: () => `${path}/test`,
      effect: 'One event webhook.test is sent now. The answer says what the receiver made of it.',
    },
    {
      ...of,
      title: `Send again to ${endpoint}`,
      short: 'Send again',
      target: () => `${path}/replay`,
      effect: 'All that waits for it is sent again, and its pause ends.',
    },
    {
      ...of,
      title: `Rotate the secret of ${endpoint}`,
      short: 'Rotate',
      fields: [
        { name: 'hours', label: 'The old secret signs for, hours', kind: 'number', start: '24' },
      ],
      target: () => `${path}/rotate`,
      body: overlapBody,
      effect: 'It gets a new secret, which is shown once, here. Both sign until the old one ends.',
    },
    {
      ...of,
      title: `Remove ${endpoint}`,
      short: 'Remove',
      target: () => `${path}/remove`,
      effect: 'It is sent nothing any more. The events that wait for it are removed with it.',
    },
  ]
}

/** Fields that a correction can set on this page; the API takes every field of a record. */
const correctable = ['name', 'bio', 'website', 'country_name'] as const

/** A correction of one field. */
export const addCorrection: OperatorChange = {
  title: 'Correct a record',
  short: 'Correct a record',
  scope: 'data',
  fields: [
    { name: 'sdu', label: 'SDU' },
    { name: 'field', label: 'Field', kind: 'choice', choices: correctable },
    { name: 'value', label: 'What is right', isOptional: true, hint: 'Empty is nothing.' },
    { name: 'source', label: 'Where that is from', hint: 'An address or a letter.' },
  ],
  target: () => '/corrections',
  body: ({ sdu, field = '', value, source }) => ({
    sdu,
    set: { [field]: value === '' ? null : value },
    source,
  }),
  effect: 'From the next sync on it takes the place of what the record says.',
}

/** The end of a correction. */
export function correctionUndo(id: string): OperatorChange {
  return undoOf('corrections', id, 'The next sync takes what the source says.')
}
