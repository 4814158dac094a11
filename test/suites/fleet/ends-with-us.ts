/**
 * Ends what a test has started when the process of the test ends, however it ends: a watcher waits for the
 * end of a pipe that only this process holds open.
 */
import { spawn } from 'node:child_process'

/**
 * Runs a command when this process ends, also by SIGKILL.
 * @returns what calls that off; call it before you end the server yourself.
 */
export function runWhenWeEnd(command: string, words: readonly string[]): () => void {
  // In a session of its own, so that Ctrl-C does not end the watcher before its command.
  const watcher = spawn('sh', ['-c', 'read -r _; exec "$0" "$@"', command, ...words], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  ;(watcher.stdin as unknown as { unref(): void }).unref()
  return () => void watcher.kill('SIGKILL')
}

/** As `runWhenWeEnd`: runs a script on a directory, and removes another one. */
export function cleanUpWhenWeEnd(script: string, directory: string, removed: string): () => void {
  return runWhenWeEnd('sh', ['-c', '"$0" "$1"; rm -rf "$2"', script, directory, removed])
}
