/** Opens the webhooks of a ledger in a database for a service, whose session has made the tables. */
import type { WebhookStore } from '../../webhooks/store.ts'
import { Database } from '../database.ts'
import { WebhookRows } from './webhook-rows.ts'

/** Connects when it is used. */
export function openSharedWebhooks(uri: string, clock: () => number): WebhookStore {
  return new WebhookRows(new Database(uri), clock)
}
