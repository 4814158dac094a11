/** A service that edges of HTTP are tried on; it ends with the test. */
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from './built.ts'
import { type RunningService, startService } from './program.ts'

/** A service on one thread, so that the answering thread is the one that took the change. */
export async function attackedService(words: readonly string[] = []): Promise<RunningService> {
  const service = await startService(temporaryDirectory(), ['--threads', '1', ...words])
  onTestFinished(() => void service.stop('SIGKILL'))
  return service
}
