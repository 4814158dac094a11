/** Where the modules of threads lie: beside those that start them, as TypeScript or compiled from it. */

/** The address of a thread's module in the directory of the module at `from`. */
export function moduleOf(name: string, from: string): URL {
  const ending = from.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${ending}`, from)
}
