/**
 * `npm run release -- [VERSION] [--dry-run] [--out DIR] [--skip STEP]...`: everything that a release is, from a clean
 * checkout, in a clone of its own. Nothing is uploaded. Invariant: whatever forbids a release is found before anything
 * is made, and said in one sentence.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { planOf } from './checkout.ts'
import { makeRelease } from './make.ts'
import { obstacleOf, steps, testsName } from './steps.ts'

const root = join(import.meta.dirname, '..', '..')

/** Ends with a signal; one of the terminal ends the program that a step runs, too. */
const interruption = new AbortController()

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function readWords() {
  const { values, positionals } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      out: { type: 'string' },
      skip: { type: 'string', multiple: true, default: [] },
    },
    allowPositionals: true,
  })
  const skipped = new Set(values.skip.flatMap((names) => names.split(',')))
  const names = [
    ...steps.filter(({ optional }) => optional !== false).map(({ name }) => name),
    testsName,
  ]
  const unknown = [...skipped].find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`--skip takes ${names.join(', ')}, not '${unknown}'`)
  return { wanted: positionals[0], isDry: values['dry-run'], out: values.out, skipped }
}

/** Refuses before anything is done what could not be finished. */
function checkSteps(skipped: ReadonlySet<string>): void {
  const obstacles = steps
    .filter(({ name }) => !skipped.has(name))
    .flatMap((step) => obstacleOf(step, skipped) ?? [])
  if (obstacles.length === 0) return
  throw new Error(
    `this machine cannot make all of it: ${obstacles.join('; ')}; --skip STEP leaves a step out`,
  )
}

function printFiles(out: string): void {
  const names = readdirSync(out).sort()
  const width = Math.max(...names.map((name) => name.length))
  for (const name of names) {
    const bytes = statSync(join(out, name)).size
    say(`  ${name.padEnd(width)}  ${bytes.toLocaleString('en').padStart(13)} bytes`)
  }
}

async function main(): Promise<void> {
  const { wanted, isDry, out: named, skipped } = readWords()
  const plan = planOf(root, wanted, new Date().toISOString().slice(0, 10))
  const out = resolve(named ?? join(root, 'releases', plan.version))
  if (existsSync(out))
    throw new Error(`${out} exists already: remove it, or name another with --out`)
  checkSteps(skipped)
  say(`version ${plan.version}, ${plan.day}${isDry ? ', a dry run' : ''}`)
  const { signal } = interruption
  await makeRelease(plan, {
    steps,
    out,
    skipped,
    isDry,
    say: (text) => process.stdout.write(text),
    signal,
  })
  say(`${out}:`)
  printFiles(out)
  if (skipped.size > 0) say(`left out: ${[...skipped].join(', ')}`)
  const publish = `scripts/release/publish.sh ${out}`
  say(
    isDry
      ? 'a dry run: no commit, no tag; nothing is uploaded'
      : `committed and tagged; publish it: ${publish}`,
  )
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())
try {
  await main()
} catch (error) {
  process.stderr.write(`no release: ${(error as Error).message}\n`)
  process.exitCode = 1
}
