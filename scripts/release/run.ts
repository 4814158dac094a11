/**
 * `npm run release -- [VERSION] [--dry-run] [--out DIR] [--skip STEP]...`: everything that a release is, from a clean
 * checkout, in a clone of its own. Nothing is uploaded. Invariant: DIR holds a whole release or does not exist, and
 * the checkout gets the commit and the tag of the version after everything else, without `--dry-run` only.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bringHome, cloneWithVersion, type Plan, planOf } from './checkout.ts'
import { obstacleOf, steps, testsName, type Work } from './steps.ts'

const root = join(import.meta.dirname, '..', '..')

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

async function makeAll(work: Work): Promise<void> {
  for (const { name, what, make } of steps) {
    if (work.skipped.has(name)) continue
    const startedMs = performance.now()
    process.stdout.write(`${name}: ${what} … `)
    try {
      await make(work)
    } catch (error) {
      say('failed')
      throw new Error(`${name}: ${(error as Error).message}`)
    }
    say(`${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
  }
}

function printFiles(out: string): void {
  const names = readdirSync(out).sort()
  const width = Math.max(...names.map((name) => name.length))
  for (const name of names) {
    const bytes = statSync(join(out, name)).size
    say(`  ${name.padEnd(width)}  ${bytes.toLocaleString('en').padStart(13)} bytes`)
  }
}

async function release(
  plan: Plan,
  out: string,
  skipped: ReadonlySet<string>,
  isDry: boolean,
): Promise<void> {
  mkdirSync(dirname(out), { recursive: true })
  // Outside of this checkout, so that nothing of it is found from there.
  const clone = join(mkdtempSync(join(tmpdir(), 'release-')), 'authority-index')
  const unfinished = mkdtempSync(join(dirname(out), '.unfinished-'))
  try {
    cloneWithVersion(plan, clone)
    await makeAll({ ...plan, clone, out: unfinished, skipped })
    chmodSync(unfinished, 0o755)
    if (!isDry) bringHome(plan, clone)
    renameSync(unfinished, out)
  } finally {
    for (const place of [dirname(clone), unfinished]) {
      rmSync(place, { recursive: true, force: true })
    }
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
  await release(plan, out, skipped, isDry)
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

// A signal ends the program that a step runs, and so the step; what was made is removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
try {
  await main()
} catch (error) {
  process.stderr.write(`no release: ${(error as Error).message}\n`)
  process.exitCode = 1
}
