/** The refusals of object storage: the code says whether a retry may help. */
import { Refusal } from '../problems.ts'

/** For what may be otherwise in a moment: no connection, a server in trouble, too many requests. */
export function storageUnreachable(place: string, reason: string): Refusal {
  return new Refusal('storage-unreachable', `${place}: ${oneLine(reason)}`)
}

/** For what stays so until somebody changes it: no bucket, no right, no credentials. */
export function storageRefused(place: string, reason: string): Refusal {
  return new Refusal('storage-refused', `${place}: ${oneLine(reason)}`)
}

/** For an object that is not what it should be. */
export function objectDamaged(place: string, reason: string): Refusal {
  return new Refusal('object-damaged', `${place}: ${oneLine(reason)}`)
}

/** Servers and libraries say what they like. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}
