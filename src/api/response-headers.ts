/**
 * Headers that answers carry for the sake of browsers and caches, whatever they are about.
 */

/** Keeps a browser from taking an answer for anything but its content type. */
export const noSniff = ['X-Content-Type-Options', 'nosniff'] as const

/** Keeps an answer that is only true now out of every cache. */
export const noStore = ['Cache-Control', 'no-store'] as const
