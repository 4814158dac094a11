/** The handles of a person as the API takes them. */
import type { Social } from '../answers.ts'

/** A handle as `platform:name`, without its `@`. */
export function handleAddress(platform: string, handle: string): string {
  return `${platform}:${handle.replace(/^@/, '')}`
}

/** The first handle of a person as `platform:name`; '' if none is known. */
export function firstHandle(socials: Readonly<Record<string, Social>>): string {
  const [first] = Object.entries(socials)
  return first === undefined ? '' : handleAddress(first[0], first[1].handle)
}
