/**
 * The version, in every file that has it, and the arithmetic of versions. `npm run set-version -- 0.2.0` writes it.
 * Invariant: each place matches once, so that none is forgotten when a file changes.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the version stands: the group of each shape is the version. */
const places: readonly { readonly path: string; readonly shape: RegExp }[] = [
  { path: 'package.json', shape: /^ {2}"version": "(.*)"/gm },
  { path: 'package-lock.json', shape: /^ {2}"version": "(.*)"/gm },
  { path: 'package-lock.json', shape: /^ {4}"": \{\n.*\n {6}"version": "(.*)"/gm },
  { path: 'src/version.ts', shape: /^export const programVersion = '(.*)'/gm },
  { path: 'ops/helm/authority-index/Chart.yaml', shape: /^version: (.*)/gm },
  { path: 'ops/helm/authority-index/Chart.yaml', shape: /^appVersion: (.*)/gm },
  { path: 'clients/python/pyproject.toml', shape: /^version = "(.*)"/gm },
]

const versionShape = /^(\d+)\.(\d+)\.(\d+)$/

/** The versions in a checkout, one for each place. @throws Error where a place is not there once. */
export function versionsIn(root: string): { path: string; version: string }[] {
  return places.map(({ path, shape }) => {
    const found = [...readFileSync(join(root, path), 'utf8').matchAll(shape)]
    if (found.length !== 1) throw new Error(`${path} has ${found.length} places like ${shape}`)
    return { path, version: found[0]![1]! }
  })
}

/** Writes a version into every place of a checkout. */
export function setVersion(root: string, version: string): void {
  numbersOf(version)
  versionsIn(root)
  for (const { path, shape } of places) {
    const file = join(root, path)
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replace(
        shape,
        (all, old: string) =>
          all.slice(0, all.lastIndexOf(old)) +
          version +
          all.slice(all.lastIndexOf(old) + old.length),
      ),
    )
  }
}

/** The numbers of a version. @throws Error for anything but three numbers. */
export function numbersOf(version: string): [number, number, number] {
  const found = versionShape.exec(version)
  if (found === null) throw new Error(`'${version}' is no version: three numbers, as in 0.2.0`)
  return [Number(found[1]), Number(found[2]), Number(found[3])]
}

/** Negative where the first version comes before the second. */
export function compareVersions(first: string, second: string): number {
  const [a, b] = [numbersOf(first), numbersOf(second)]
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

/** The version after another: the next minor one. */
export function minorAfter(version: string): string {
  const [major, minor] = numbersOf(version)
  return `${major}.${minor + 1}.0`
}

if (import.meta.filename === process.argv[1]) {
  const [version = ''] = process.argv.slice(2)
  setVersion(join(import.meta.dirname, '..', '..'), version)
}
