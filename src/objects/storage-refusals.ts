/** The refusals of object storage: the code says whether a retry may help. */
import { Refusal } from '../problems.ts'

/** A refusal that may pass soon: no connection, a server in trouble, too many requests. */
export function storageUnreachable(place: string, reason: string): Refusal {
  return new Refusal('storage-unreachable', `${place}: ${oneLine(reason)}`)
}

/** A refusal that lasts until a person changes the cause: no bucket, no right, no credentials. */
export function storageRefused(place: string, reason: string): Refusal {
  return new Refusal('storage-refused', `${place}: ${oneLine(reason)}`)
}

export function objectDamaged(place: string, reason: string): Refusal {
  return new Refusal('object-damaged', `${place}: ${oneLine(reason)}`)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}
