/** What all tests of a file or a `describe` share: made before the first of them, and ended behind the last. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { type RunningService, startService } from './program.ts'
import { Shop } from './shop.ts'

/** Stands for what is made in a new directory, once tests run. */
export function shared<T extends object>(
  make: (directory: string) => Promise<T>,
  end: (made: T) => Promise<unknown>,
): T {
  let made: T
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'index-'))
    made = await make(directory)
    return async () => {
      await end(made)
      rmSync(directory, { recursive: true, force: true })
    }
  })
  return new Proxy({} as T, {
    get: (_, name) => {
      const value = Reflect.get(made, name)
      return typeof value === 'function' ? value.bind(made) : value
    },
  })
}

/** A service over new copies. */
export function sharedService(
  words: readonly string[] | ((directory: string) => readonly string[]) = [],
): RunningService {
  return shared(
    (directory) => startService(directory, typeof words === 'function' ? words(directory) : words),
    (service) => service.stop('SIGKILL'),
  )
}

/** A service that sells. */
export function sharedShop(words: readonly string[] = []): Shop {
  return shared(
    (directory) => Shop.open(join(directory, 'data'), words),
    (shop) => shop.end(),
  )
}
