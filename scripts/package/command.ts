/**
 * The command of the published package: it starts the program that npm has installed for this platform. Where there is
 * none, it says in one sentence which package is missing, and ends with 1.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { programVersion } from '../../src/version.ts'
import { packageOf, platforms } from './platforms.ts'

const here = `${process.platform}-${process.arch}`

/** The program, or undefined where its package is not installed. */
function installedProgram(): string | undefined {
  try {
    return createRequire(__filename).resolve(`${packageOf({ name: here })}/dist/main.js`)
  } catch {
    return undefined
  }
}

/** Why there is no program. */
function reason(): string {
  const fitting = platforms.find(({ name }) => name === here)
  if (fitting === undefined) return `the service has no build for ${here}; the library works here`
  const { header } = process.report.getReport() as unknown as { header: Record<string, string> }
  if (fitting.libc === 'glibc' && header.glibcVersionRuntime === undefined)
    return 'the service needs glibc, which this Linux does not have; the library works here'
  const missing = `${packageOf(fitting)}@${programVersion}`
  return `the service is not installed here (npm leaves it out with --omit=optional): npm install ${missing}`
}

const program = installedProgram()
if (program !== undefined) void import(pathToFileURL(program).href)
else {
  process.stderr.write(`authority-index: ${reason()}\n`)
  process.exitCode = 1
}
