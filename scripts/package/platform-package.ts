/**
 * The package of a platform: the program with its addons, as the single file holds it, without a Node. Only the one of
 * this machine can be tried here; the addon of lmdb for another comes from npm and is held against the lock file.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { licenceTexts, shippedPackages } from '../licences.ts'
import { buildStandalone } from '../standalone.ts'
import { manifestOf } from './manifest.ts'
import { nodeAbis, type Platform, packageOf } from './platforms.ts'

const root = join(import.meta.dirname, '..', '..')

/**
 * Builds the package of a platform into a directory.
 * @param work where something may be put that is not part of it.
 * @throws Error where npm does not give the addon of lmdb.
 */
export async function buildPlatformPackage(
  platform: Platform,
  directory: string,
  work: string,
): Promise<void> {
  const { name, os, cpu, libc } = platform
  const program = join(directory, 'dist')
  mkdirSync(program, { recursive: true })
  const lmdb = lmdbFor(platform, work)
  const addons = { platform: os, arch: cpu, abis: nodeAbis, lmdb }
  await buildStandalone({ directory: program, target: 'node20', addons })
  const manifest = {
    ...manifestOf(packageOf(platform), `The service of authority-index for ${name}`),
    ...{ os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) },
    // Addons are no modules that an archive could hold.
    preferUnplugged: true,
    files: ['dist', 'LICENSES.txt'],
  }
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const readme = `The service of [authority-index](https://www.npmjs.com/package/authority-index) for ${name}.\n`
  writeFileSync(join(directory, 'README.md'), readme)
  copyFileSync(join(root, 'LICENSE'), join(directory, 'LICENSE'))
  const packages = shippedPackages().filter(({ folder }) => folder !== undefined)
  writeFileSync(join(directory, 'LICENSES.txt'), licenceTexts(packages))
}

/**
 * The directory of the package with lmdb's addon: the installed one, else one taken from npm into `work`.
 * @throws Error where npm cannot take it, or gives another one than the lock file names.
 */
function lmdbFor({ name }: Platform, work: string): string {
  const lmdb = `@lmdb/lmdb-${name}`
  const place = `node_modules/${lmdb}`
  const installed = join(root, place)
  if (existsSync(installed)) return installed
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { version, integrity } = packages[place]
  const words = ['pack', `${lmdb}@${version}`, '--json', '--pack-destination', work]
  const { status, stdout } = spawnSync('npm', words, { encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`npm does not give ${lmdb} ${version}: name --platforms without it`)
  // A list, or in later versions of npm an object by name.
  const [packed] = Object.values<{ filename: string; integrity: string }>(JSON.parse(stdout))
  if (packed!.integrity !== integrity) {
    throw new Error(`${lmdb} ${version} of npm is not the one of package-lock.json`)
  }
  const directory = join(work, `lmdb-${name}`)
  mkdirSync(directory)
  const archive = join(work, packed!.filename.replace('@', '').replace('/', '-'))
  execFileSync('tar', ['-xzf', archive, '-C', directory, '--strip-components', '1'])
  return directory
}
