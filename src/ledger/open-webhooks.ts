/**
 * Opens the webhooks of a ledger for commands: of the one in a directory, or of the one in a database, whose
 * library is loaded for that only.
 */
import { refuseUnlessHeld } from './held-file.ts'
import { openEnvironment } from './lmdb/environment.ts'
import { WebhookTables } from './lmdb/webhooks/webhook-tables.ts'
import type { AdministrationOptions } from './open-administration.ts'
import type { WebhookAdministration } from './webhooks/store.ts'

/**
 * Opens the webhooks, hands them to `use`, and closes them in any case.
 * @throws Refusal `ledger-refused`, `ledger-corrupt`, and any error of `use`.
 */
export async function withWebhooks<T>(
  options: AdministrationOptions,
  use: (webhooks: WebhookAdministration) => Promise<T>,
): Promise<T> {
  const webhooks = await openWebhooks(options)
  try {
    return await use(webhooks)
  } finally {
    await webhooks.close()
  }
}

async function openWebhooks(options: AdministrationOptions): Promise<WebhookAdministration> {
  const { data: directory, ledger, ...rest } = options
  if (ledger === null) {
    await refuseUnlessHeld(directory)
    return new WebhookTables(openEnvironment({ directory, ...rest }))
  }
  const { openRemoteWebhooks } = await import('./postgres/webhooks/open-remote.ts')
  return openRemoteWebhooks(ledger, rest.clock)
}
