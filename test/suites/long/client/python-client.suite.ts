/**
 * The Python client: its own tests pass, with the built service and a server that breaks exchanges. Without python3
 * they are skipped.
 */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { runPythonTests } from '../../../support/python-tests.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!hasPython)('with python3 (skipped where it is missing)', () => {
  test('the tests of the Python client pass', { timeout: 120_000 }, async () => {
    const { exitCode, stderr } = await runPythonTests()
    // Pauses are a long suite, and numpy may be missing.
    expect(stderr).toMatch(/\nOK \(skipped=[23]\)\n$/)
    expect(exitCode).toBe(0)
  })
})
