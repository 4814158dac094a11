/**
 * Opens the webhooks of a ledger in a database: for a service, whose session has made the tables, and for
 * commands, which make them if there are none.
 */
import type { WebhookAdministration, WebhookStore } from '../../webhooks/store.ts'
import { Database, ofCommands } from '../database.ts'
import { migrate } from '../migrations.ts'
import { WebhookRows } from './webhook-rows.ts'

/** For a service. Connects when it is used. */
export function openSharedWebhooks(uri: string, clock: () => number): WebhookStore {
  return new WebhookRows(new Database(uri), clock)
}

/** For a command. @throws Refusal `ledger-refused` when the database cannot be used. */
export async function openRemoteWebhooks(
  uri: string,
  clock: () => number,
): Promise<WebhookAdministration> {
  const database = new Database(uri, ofCommands)
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return new WebhookRows(database, clock)
}
