/**
 * Writes a synthetic source of any size: the same bytes for the same seed.
 *
 *     npx tsx bench/generate.ts --authorities 100000 --out bench/data/100k
 */
import { parseArgs } from 'node:util'
import { createProgress } from '../src/sync/progress.ts'
import { type GenerateOptions, generate } from './shared/data/source.ts'

const usage =
  'npx tsx bench/generate.ts --authorities N --out DIR [--connections-per 20] [--bio-words 40] [--seed 1]'

/** What the command line says, or undefined where it says it wrongly. */
function readOptions(): GenerateOptions | undefined {
  const text = { type: 'string' } as const
  const options = {
    authorities: text,
    out: text,
    'connections-per': text,
    'bio-words': text,
    seed: text,
  }
  const { values } = parseArgs({ options, strict: false })
  const { out: directory } = values
  const authorities = wholeNumber(values.authorities)
  const connectionsPer = wholeNumber(values['connections-per'] ?? '20')
  const bioWordsMax = wholeNumber(values['bio-words'] ?? '40')
  const seed = wholeNumber(values.seed ?? '1')
  if (typeof directory !== 'string' || !authorities) return undefined
  if (connectionsPer === undefined || !bioWordsMax || seed === undefined) return undefined
  return { authorities, directory, seed, connectionsPer, bioWordsMax }
}

function wholeNumber(text: unknown): number | undefined {
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

const options = readOptions()
if (options === undefined) {
  console.error(`usage: ${usage}`)
  process.exit(2)
}
const progress = createProgress({ report: console.error, interactive: process.stderr.isTTY })
try {
  generate({ ...options, progress })
} finally {
  progress.stop()
}
