/** The types of the Python client. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pythonContractFile, pythonContractText } from '../../../scripts/python-types.ts'

test('the types of the Python client are those of the OpenAPI document', () => {
  expect(readFileSync(pythonContractFile, 'utf8')).toBe(pythonContractText())
})
