/**
 * The platforms of the service: those for which both uWebSockets.js and lmdb are on npm, but Windows. Each is a package
 * of its own, of which npm installs the one that fits (`os`, `cpu`, `libc`).
 */

/** A platform as npm describes it. */
export interface Platform {
  readonly name: string
  readonly os: string
  readonly cpu: string
  readonly libc?: string
}

export const platforms: readonly Platform[] = [
  { name: 'linux-x64', os: 'linux', cpu: 'x64', libc: 'glibc' },
  { name: 'linux-arm64', os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { name: 'darwin-x64', os: 'darwin', cpu: 'x64' },
  { name: 'darwin-arm64', os: 'darwin', cpu: 'arm64' },
]

/** `process.versions.modules` of Node 20, 22, 24 and 25. No addon is for 26: there the service takes Node 22. */
export const nodeAbis: readonly string[] = ['115', '127', '137', '141']

/** The name of the package of a platform. */
export function packageOf({ name }: Pick<Platform, 'name'>): string {
  return `@authority-index/${name}`
}
