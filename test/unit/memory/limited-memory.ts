/** A program that exchanges a shared double, and says which memory it is in. */
import { createSharedDoubles, SharedDoubles } from '../../../src/memory/shared-doubles.ts'

const memory = createSharedDoubles(1)
const doubles = new SharedDoubles(memory, 1)
doubles.replace(0, 0, 1)
doubles.replace(0, 0, 3)
doubles.replace(0, 1, 2)
const kind = Object.getPrototypeOf(memory) === Object.prototype ? 'plain' : 'other'
process.stdout.write(`${kind} memory: ${doubles.values[0]}`)
