/** A service that edges of HTTP are tried on; it ends with the test. */
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from './built.ts'
import { type RunningService, type Surroundings, startService } from './program.ts'

/** A service on one thread, so that the answering thread is the one that took the change. */
export async function attackedService(
  words: readonly string[] = [],
  surroundings: Surroundings = {},
  directory = temporaryDirectory(),
): Promise<RunningService> {
  const service = await startService(directory, ['--threads', '1', ...words], surroundings)
  onTestFinished(() => void service.stop('SIGKILL'))
  return service
}
