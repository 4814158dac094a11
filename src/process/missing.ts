/** Packages that are not there: those with native addons stand beside the program, or not. */

export function isMissing(error: unknown): error is Error {
  const codes: unknown[] = [
    'ERR_MODULE_NOT_FOUND',
    'MODULE_NOT_FOUND',
    'ERR_UNKNOWN_BUILTIN_MODULE',
  ]
  return error instanceof Error && 'code' in error && codes.includes(error.code)
}
