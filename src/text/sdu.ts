/** SDUs: what identifies an authority. */
import { limits } from '../limits.ts'

/** Whether a text is an SDU: 1 to 32 digits. */
export function isSdu(text: string): boolean {
  return text.length <= limits.sduDigitsMax && /^\d+$/.test(text)
}
