/** The breaker of a tail, by a clock of the test's own. */
import { expect, it } from 'vitest'
import { Breaker } from '../../../src/tail/breaker.ts'

it('opens after three failures in a row for half a second, then lets one try through at a time', () => {
  let nowMs = 0
  const breaker = new Breaker(() => nowMs)
  const fail = () => {
    breaker.begin()
    breaker.failed()
  }
  fail()
  fail()
  breaker.succeeded()
  fail()
  fail()
  expect(breaker.isOpen).toBe(false)
  fail()
  expect(breaker.isOpen).toBe(true)
  nowMs = 499
  expect(breaker.isOpen).toBe(true)
  nowMs = 500
  expect(breaker.isOpen).toBe(false)
  breaker.begin()
  expect(breaker.isOpen).toBe(true)
  breaker.succeeded()
  expect(breaker.isOpen).toBe(false)
})
