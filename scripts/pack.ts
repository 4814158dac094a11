/**
 * Makes the npm packages as files and checks them; nothing is published.
 *
 *   npx tsx scripts/pack.ts --out DIR [--version V] [--platforms linux-x64,darwin-arm64]
 *
 * All platforms unless some are named (`''` is the library alone). Those of other machines need the npm registry.
 * `--version` is what package.json must have: it refuses to pack another.
 */
import { parseArgs } from 'node:util'
import { packageProblems } from './package/checks.ts'
import { repositoryVersion } from './package/manifest.ts'
import { makePackages } from './package/packages.ts'
import { platforms } from './package/platforms.ts'

/** Ends with a sentence. */
function refuse(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    version: { type: 'string', default: repositoryVersion() },
    platforms: { type: 'string', default: platforms.map(({ name }) => name).join(',') },
  },
})
const { out, version } = values
if (out === undefined)
  refuse('usage: npx tsx scripts/pack.ts --out DIR [--version V] [--platforms NAMES]')
if (version !== repositoryVersion()) {
  refuse(`package.json has version ${repositoryVersion()}, not ${version}: change it first`)
}
const names = values.platforms.split(',').filter((name) => name !== '')
const chosen = platforms.filter(({ name }) => names.includes(name))
const unknown = names.find((name) => !chosen.some((platform) => platform.name === name))
if (unknown !== undefined) refuse(`there is no platform ${unknown}`)

const made = await makePackages(out, chosen).catch(({ message }: Error) => refuse(message))
for (const { name, size, unpackedSize, file } of made) {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  process.stdout.write(
    `${name}  ${megabytes(size)}  ${megabytes(unpackedSize)} unpacked  ${file}\n`,
  )
}
const problems = await packageProblems(made[0]!.file)
if (problems.length > 0) refuse(problems.join('\n'))
