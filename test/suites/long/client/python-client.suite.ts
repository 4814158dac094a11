/** The Python client's own tests, with a server that breaks exchanges; skipped without httpx. */
import { describe, expect, test } from 'vitest'
import { findPython, runPythonTests } from '../../../support/python-tests.ts'

describe.skipIf(findPython() === undefined)('with httpx (skipped where it is missing)', () => {
  test('the tests of the Python client pass', { timeout: 120_000 }, async () => {
    const { exitCode, stderr } = await runPythonTests()
    // Pandas may be missing.
    expect(stderr).toMatch(/\nOK(?: \(skipped=1\))?\n$/)
    expect(exitCode).toBe(0)
  })
})
