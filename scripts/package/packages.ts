/**
 * The npm packages of a release as files: `authority-index`, and the service for each platform. Nothing is published.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildLibraryPackage } from './library-package.ts'
import { buildPlatformPackage } from './platform-package.ts'
import type { Platform } from './platforms.ts'

/** A package in a file. */
export interface PackedPackage {
  readonly name: string
  readonly version: string
  /** The path of the tarball. */
  readonly file: string
  /** Bytes of the tarball. */
  readonly size: number
  /** Bytes of what it holds. */
  readonly unpackedSize: number
}

/**
 * Makes `authority-index` and the packages of some platforms.
 * @param out where the files go; it is made where it is missing.
 * @throws Error where something that is bundled has no licence, or npm does not give an addon.
 */
export async function makePackages(
  out: string,
  chosen: readonly Platform[],
): Promise<PackedPackage[]> {
  mkdirSync(out, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'authority-index-packages-'))
  try {
    const library = join(work, 'authority-index')
    await buildLibraryPackage(library)
    const directories = [library]
    for (const platform of chosen) {
      const directory = join(work, platform.name)
      await buildPlatformPackage(platform, directory, work)
      directories.push(directory)
    }
    return directories.map((directory) => packed(directory, resolve(out)))
  } finally {
    rmSync(work, { recursive: true })
  }
}

function packed(directory: string, out: string): PackedPackage {
  const words = ['pack', directory, '--json', '--ignore-scripts', '--pack-destination', out]
  const text = execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  // A list, or in later versions of npm an object by name.
  const [facts] = Object.values<PackedPackage & { filename: string }>(JSON.parse(text))
  const { name, version, filename, size, unpackedSize } = facts!
  return { name, version, file: join(out, filename), size, unpackedSize }
}
