/**
 * The steps of a release, in their order. A step makes files of the release from the clone and tries them.
 * Invariant: a step says beforehand what this machine lacks for it, and writes nothing outside of the clone and its
 * output but temporary files.
 */

import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryBundle } from '../mcpb/try-bundle.ts'
import { releaseNotes } from './changelog.ts'
import type { Plan } from './checkout.ts'
import { missingProgram, run } from './commands.ts'
import { tryPackages } from './npm-packages.ts'
import { billOfMaterials } from './sbom.ts'

/** What a step works with. */
export interface Work extends Plan {
  /** The clone with the new version. */
  readonly clone: string
  /** The directory of the files of the release. */
  readonly out: string
  /** Skipped steps. */
  readonly skipped: ReadonlySet<string>
}

/** One step. */
export interface Step {
  readonly name: string
  readonly what: string
  /** Programs that it needs. */
  readonly programs?: readonly string[]
  readonly needsRoot?: true
  /** Steps that must not be skipped where this one is made. */
  readonly after?: readonly string[]
  /** False for a step that a release cannot do without. */
  readonly optional?: false
  readonly make: (work: Work) => void | Promise<void>
}

/** A program in the clone, with the time of the release. */
function inClone(
  { clone, epoch }: Work,
  program: string,
  words: readonly string[],
  more = {},
): string {
  const variables = { SOURCE_DATE_EPOCH: String(epoch), ...more }
  return run({ directory: clone, variables }, program, words)
}

/** What is skipped with the tests of the single file and of the image, which take minutes. */
export const testsName = 'tests'

/**
 * How tests are run in a release: one file at a time, and what fails is tried twice more, so that a machine that is busy
 * with other things ends no release by its time-outs.
 */
const patient = ['--no-file-parallelism', '--retry=2']

/** All steps. */
export const steps: readonly Step[] = [
  {
    name: 'install',
    what: 'installs what the lock file says, and builds',
    optional: false,
    make: (work) => {
      inClone(work, 'npm', ['ci', '--no-audit', '--no-fund'])
      inClone(work, 'npm', ['run', 'build'])
    },
  },
  {
    name: 'notes',
    what: 'writes the notes, what breaks first',
    optional: false,
    make: ({ root, out, version, day }) => {
      const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
      writeFileSync(join(out, 'RELEASE-NOTES.md'), releaseNotes(changelog, version, day))
    },
  },
  {
    name: 'packages',
    what: 'makes the npm packages and installs them into an empty project',
    make: (work) => {
      const words = ['tsx', 'scripts/pack.ts', '--out', work.out, '--version', work.version]
      inClone(work, 'npx', words)
      tryPackages(work.out, work.version)
    },
  },
  {
    name: 'bundle',
    what: 'makes the MCP bundle and starts it as a desktop client does',
    programs: ['unzip'],
    make: (work) => {
      const file = join(work.out, `authority-index-${work.version}.mcpb`)
      inClone(work, 'npx', ['tsx', 'scripts/mcpb/bundle.ts', file])
      tryBundle(file, work.version)
    },
  },
  {
    name: 'python',
    what: 'makes the Python wheel and imports it',
    programs: ['python3'],
    make: (work) => {
      const wheel = inClone(work, 'python3', [
        'scripts/release/wheel.py',
        'clients/python',
        work.out,
      ]).trim()
      const variables = { PYTHONPATH: wheel, PYTHONDONTWRITEBYTECODE: '1' }
      const printed = run({ directory: work.out, variables }, 'python3', [
        '-c',
        importAll,
        wheel,
      ]).trim()
      if (printed !== work.version) throw new Error(`${wheel} has version ${printed}`)
    },
  },
  {
    name: 'binary',
    what: 'makes the single file, and tests it unless tests are skipped',
    programs: ['strip'],
    make: (work) => {
      inClone(work, 'npm', ['run', 'build:binary'])
      const name = `authority-index-${work.version}-${process.platform}-${process.arch}`
      copyFileSync(join(work.clone, 'release', 'authority-index'), join(work.out, name))
      copyFileSync(join(work.clone, 'release', 'LICENSES.txt'), join(work.out, 'LICENSES.txt'))
      if (work.skipped.has(testsName)) return
      const suite = ['--config', 'vitest.suites.config.ts', '--mode', 'binary']
      inClone(work, 'npx', ['vitest', 'run', ...suite, ...patient])
      const variables = { AUTHORITY_INDEX_COMMAND: 'release/authority-index' }
      inClone(work, 'npm', ['run', 'test:command', '--', ...patient], variables)
    },
  },
  {
    name: 'deb',
    what: 'makes the Debian package with its systemd unit, and installs it in Debian 13 where that is there',
    programs: ['dpkg-deb'],
    after: ['binary'],
    make: (work) => {
      inClone(work, 'scripts/release/deb.sh', [work.version, work.out])
      const [deb = ''] = readdirSync(work.out).filter((name) => name.endsWith('.deb'))
      inClone(work, 'scripts/release/try-deb.sh', [join(work.out, deb)])
    },
  },
  {
    name: 'image',
    what: 'makes the image, and tests it unless tests are skipped',
    programs: ['buildah', 'debootstrap'],
    needsRoot: true,
    make: (work) => {
      const image = `authority-index:${work.version}`
      const tests = work.skipped.has(testsName) ? { WITHOUT_TESTS: '1' } : {}
      inClone(work, 'scripts/build-image.sh', [image, ...patient], tests)
      const archive = join(work.out, `authority-index-${work.version}-image.tar`)
      const variables = { STORAGE_DRIVER: process.env.STORAGE_DRIVER ?? 'vfs' }
      const layout = mkdtempSync(join(tmpdir(), 'image-'))
      try {
        // Not as an archive of buildah's: that has the time of its making in it.
        const target = `oci:${layout}:${work.version}`
        inClone(work, 'buildah', ['push', '--quiet', `localhost/${image}`, target], variables)
        const parts = ['blobs', 'index.json', 'oci-layout']
        inClone(work, 'tar', [...tarWords(work), '-cf', archive, '-C', layout, ...parts])
      } finally {
        rmSync(layout, { recursive: true })
      }
    },
  },
  {
    name: 'chart',
    what: 'packs the chart and has Helm render it',
    programs: ['tar'],
    make: packChart,
  },
  {
    name: 'sbom',
    what: 'writes the bill of materials',
    make: ({ clone, out, version, epoch }) => {
      const file = join(out, `authority-index-${version}.cdx.json`)
      writeFileSync(file, billOfMaterials(clone, epoch))
    },
  },
  {
    name: 'upgrade',
    what: 'rehearses the upgrade from the version before, and the way back',
    make: (work) => void inClone(work, 'npm', ['run', 'test:release', '--', ...patient]),
  },
  {
    name: 'checksums',
    what: 'writes SHA256SUMS',
    optional: false,
    make: ({ out }) => {
      const lines = readdirSync(out)
        .sort()
        .map((name) => `${sha256(join(out, name))}  ${name}\n`)
      writeFileSync(join(out, 'SHA256SUMS'), lines.join(''))
    },
  },
]

/** Imports all that lies at the top of a wheel and prints its version. */
const importAll = `
import importlib, importlib.metadata, sys, zipfile
names = {name.split("/")[0] for name in zipfile.ZipFile(sys.argv[1]).namelist() if ".dist-info/" not in name}
for name in names:
    importlib.import_module(name.removesuffix(".py"))
print(importlib.metadata.version("authority-index"))`

/** Words of tar for an archive whose bytes follow from its files: in order, and with the time of the release. */
function tarWords({ epoch }: Work): string[] {
  const owner = ['--owner=0', '--group=0', '--numeric-owner']
  return ['--sort=name', `--mtime=@${epoch}`, ...owner, '--mode=go=rX,u+rw,a-s']
}

/**
 * The chart as `helm package` makes it, but with the time of the release: what are links to files of `ops/` here are
 * files there.
 */
export function packChart(work: Work): void {
  const { clone, out, version } = work
  const archive = join(out, `authority-index-chart-${version}.tgz`)
  const what = ['--dereference', '-C', join(clone, 'ops', 'helm'), 'authority-index']
  const gzip = '--use-compress-program=gzip -9n'
  inClone(work, 'tar', [...tarWords(work), gzip, '-cf', archive, ...what])
  const unpacked = mkdtempSync(join(tmpdir(), 'chart-'))
  try {
    inClone(work, 'tar', ['-xzf', archive, '-C', unpacked])
    const chart = join(unpacked, 'authority-index')
    const entries = readdirSync(chart, { recursive: true, withFileTypes: true })
    const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
    if (links.length > 0) throw new Error(`${archive} holds links: ${links.join(', ')}`)
    mkdirSync(join(unpacked, 'rendered'))
    const variables = { CHART: chart }
    inClone(work, 'scripts/lint-helm.sh', [join(unpacked, 'rendered')], variables)
    const label = `helm.sh/chart: authority-index-${version}`
    const rendered = readdirSync(join(unpacked, 'rendered')).map((name) =>
      readFileSync(join(unpacked, 'rendered', name), 'utf8'),
    )
    if (!rendered.every((text) => text.includes(label)))
      throw new Error(`${archive} renders no ${label}`)
  } finally {
    rmSync(unpacked, { recursive: true })
  }
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** Why a step cannot be made here; undefined where it can. */
export function obstacleOf(
  { name, programs = [], needsRoot, after = [] }: Step,
  skipped: ReadonlySet<string>,
) {
  const before = after.find((each) => skipped.has(each))
  if (before !== undefined) return `${name} needs the step ${before}`
  const missing = missingProgram(programs)
  if (missing !== undefined) return `${name} needs ${missing}`
  return needsRoot && process.getuid?.() !== 0 ? `${name} needs root` : undefined
}
