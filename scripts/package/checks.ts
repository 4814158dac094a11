/**
 * The checks of a package before it is published: publint reads its manifest, and Are the types wrong the types that each
 * way of resolving modules finds.
 */
import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** What is wrong with a package, a line each. @param tarball its path. */
export async function packageProblems(tarball: string): Promise<string[]> {
  const bytes = new Uint8Array(readFileSync(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  const manifest = messages.map((message) => `publint: ${formatMessage(message, pkg)}`)
  const checked = await checkPackage(createPackageFromTarballData(bytes))
  const types = checked.types ? checked.problems : []
  return [...manifest, ...types.map((problem) => `types: ${JSON.stringify(problem)}`)]
}
