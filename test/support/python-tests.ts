/**
 * The tests of the Python client in clients/python, with a service and a server that breaks exchanges. Both end
 * with the tests. Needs python3.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { temporaryDirectory } from './built.ts'
import { compiled } from './processes/compiled.ts'
import { type Ended, endOf, startService } from './program.ts'

const root = join(import.meta.dirname, '..', '..')

/** Runs them. @param words of `unittest`. @param variables beside those of this process. */
export async function runPythonTests(
  words: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const service = await startService(temporaryDirectory(), ['--lookup-rate-limit', '0'])
  const program = join(root, 'test', 'support', 'faults', 'serve.ts')
  const faults = spawn(process.execPath, [compiled(program), service.address], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const faultsEnded = once(faults, 'close')
  try {
    const [line] = await once(createInterface(faults.stdout!), 'line')
    const { address, control } = JSON.parse(line)
    const place = JSON.stringify({
      address: service.address,
      key: service.headers.authorization!.replace('Bearer ', ''),
      snapshot: service.snapshotId,
      faults: address,
      control,
    })
    const module = ['-B', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.']
    const python = spawn('python3', [...module, ...words], {
      cwd: join(root, 'clients', 'python'),
      env: { ...process.env, ...variables, AUTHORITY_INDEX_TEST: place },
    })
    return await endOf(python)
  } finally {
    faults.stdin!.end()
    await faultsEnded
    await service.stop('SIGTERM')
  }
}
