/**
 * The npm packages of a release in an empty project, as their users have them: installed from files, without a
 * registry; each entry point by `import` and by `require`; the command by `npx`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './commands.ts'

/** Nothing answers there: what is not in the files cannot be installed. */
const noRegistry = ['--registry=http://127.0.0.1:9', '--fetch-retries=0', '--prefer-offline']

/**
 * Installs and tries the packages.
 * @param out the directory of their files; those of other platforms are left alone.
 * @throws Error that says what does not work.
 */
export function tryPackages(out: string, version: string): void {
  const own = [
    `authority-index-${version}.tgz`,
    `authority-index-${process.platform}-${process.arch}-${version}.tgz`,
  ]
  const files = readdirSync(out).filter((name) => own.includes(name))
  if (files.length === 0) throw new Error(`there is no ${own[0]} among the packages`)
  const directory = mkdtempSync(join(tmpdir(), 'packages-'))
  try {
    writeFileSync(join(directory, 'package.json'), '{ "private": true }\n')
    const place = { directory, variables: { npm_config_cache: join(directory, 'cache') } }
    const paths = files.map((name) => join(out, name))
    run(place, 'npm', ['install', '--no-audit', '--no-fund', ...noRegistry, ...paths])
    for (const entry of entriesIn(directory)) {
      run(place, process.execPath, ['--input-type=module', '--eval', `await import('${entry}')`])
      run(place, process.execPath, ['--eval', `require('${entry}')`])
    }
    const printed = run(place, 'npx', ['--no-install', 'authority-index', '--version']).trim()
    if (printed !== `authority-index ${version}`) throw new Error(`npx prints '${printed}'`)
    const words = ['get', '/api/v1/index?query=rust&limit=1']
    const answer = run(place, 'npx', ['--no-install', 'authority-index', ...words])
    if (JSON.parse(answer).results.length !== 1) throw new Error(`npx answers ${answer}`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The entry points of the installed package. */
function entriesIn(directory: string): string[] {
  const manifest = join(directory, 'node_modules', 'authority-index', 'package.json')
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8'))
  const names = Object.keys(exports).filter((name) => !name.endsWith('.json'))
  return names.map((name) => join('authority-index', name))
}
