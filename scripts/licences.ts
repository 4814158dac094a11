/**
 * What the single file, the image and the published packages contain that others have made, and under which
 * licences: from the lockfile and the pinned Node, so that it is known without anything being built; the
 * texts are those that lie in the packages when it is built. Of development dependencies only those are in
 * it that the page of the explorer is made of.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import type { MadeTable } from './markdown-table.ts'
import { pinnedVersion } from './pinned-node.ts'

const root = join(import.meta.dirname, '..')

/**
 * Packages that are installed but not bundled: msgpackr does without its accelerator, the addon of
 * lmdb lies where it is looked for, and pino's worker is not used.
 */
const leftOut: ReadonlySet<string> = new Set([
  'msgpackr-extract',
  'node-gyp-build-optional-packages',
  'pino-abstract-transport',
  'process-warning',
  'real-require',
])

/** The machine that the single file and the image are built for. */
const target = { os: 'linux', cpu: 'x64' } as const

/** A package that is in the single file. */
export interface Shipped {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** Where it lies in the repository; undefined for Node, which lies in a cache directory. */
  readonly folder: string | undefined
}

/** What is bundled into the explorer's page, and is not installed with the program. */
const inPage: readonly string[] = ['preact', 'd3-force']

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Lockfile = Readonly<Record<string, Locked>>

/** Every package that is shipped, by name. */
export function shippedPackages(): Shipped[] {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Lockfile }
  const found = [...reachedFrom(packages)].map((place) => shippedAt(place, packages[place]!))
  return [...found, shippedNode()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The places of all that the root of a lockfile and the page lead to. */
function reachedFrom(packages: Lockfile): ReadonlySet<string> {
  const places = new Set<string>()
  const walk = (from: string) => {
    const { dependencies, optionalDependencies } = packages[from]!
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(name, from, packages)
      if (place === undefined || places.has(place) || !isShipped(name, packages[place]!)) continue
      places.add(place)
      walk(place)
    }
  }
  walk('')
  for (const name of inPage) {
    const place = `node_modules/${name}`
    places.add(place)
    walk(place)
  }
  return places
}

/** Where a package finds another: in its own node_modules, or in those of a parent directory. */
function placeOf(name: string, from: string, packages: Lockfile): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[place] !== undefined) return place
    if (at === '') return undefined
  }
}

function isShipped(name: string, { os, cpu }: Locked): boolean {
  const fits = (os?.includes(target.os) ?? true) && (cpu?.includes(target.cpu) ?? true)
  return fits && !leftOut.has(name)
}

function shippedAt(place: string, { version = '', license: licence = '' }: Locked): Shipped {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return { name, version, licence, folder: place }
}

function shippedNode(): Shipped {
  const name = `node-${target.os}-${target.cpu}`
  return { name, version: pinnedVersion, licence: 'MIT', folder: undefined }
}

/** The packages with their versions and licences. */
export function licencesTable(): MadeTable {
  const rows = shippedPackages().map(({ name, version, licence }) => [
    `${name} ${version}`,
    licence,
  ])
  return { columns: ['package', 'licence'], rows }
}

/**
 * The packages that went into bundles. Licences ask to go where the code goes.
 * @throws Error for one that is bundled and is not listed.
 */
export function licencesOf(...metafiles: readonly Metafile[]): Shipped[] {
  const listed = new Map(shippedPackages().map((shipped) => [shipped.folder, shipped]))
  const bundled = new Map<string, Shipped>()
  for (const input of metafiles.flatMap(({ inputs }) => Object.keys(inputs))) {
    const folder = /(?:^|\/)((?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+)/
      .exec(input)?.[1]
      ?.slice(0, -1)
    if (folder === undefined) continue
    const shipped = listed.get(folder)
    if (shipped === undefined) {
      throw new Error(`${folder} is bundled and its licence is not: see scripts/licences.ts`)
    }
    bundled.set(folder, shipped)
  }
  return [...bundled.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * The licence texts of some packages, our own first; packages with the same text stand above it together.
 * @param nodeFolder where the Node that is shipped lies, with its licence.
 * @throws Error for a package that is not installed.
 */
export function licenceTexts(packages: readonly Shipped[], nodeFolder = ''): string {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8')
  const namesByText = new Map([[own, ['authority-index']]])
  for (const { name, version, licence, folder } of packages) {
    const text = textsIn(folder === undefined ? nodeFolder : join(root, folder))
    namesByText.set(text, [...(namesByText.get(text) ?? []), `${name} ${version}, ${licence}`])
  }
  return [...namesByText]
    .map(([text, names]) => `${names.map((name) => `==== ${name}\n`).join('')}\n${text}`)
    .join('\n')
}

const textShape = /^(licen[cs]e|copying|copyright|notice)/i

/** The licences in a folder, those of what was compiled into it too, but not of other packages. */
function textsIn(folder: string): string {
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && textShape.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.slice(folder.length).includes('node_modules'))
  if (texts.length === 0)
    return 'The package carries no text; its package.json names the licence.\n'
  return texts
    .sort()
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
}
