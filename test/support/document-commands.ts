/**
 * The commands of a document, run as a reader types them: one shell for the whole document, block after block, in an
 * empty directory. A block ends with success, and what stands below it in a block without a language is what it printed;
 * `…` there stands for any text.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { entry } from './program.ts'

interface DocumentStep {
  readonly commands: string
  readonly printed: string | undefined
}

interface RunStep extends DocumentStep {
  readonly output: string
}

interface RunOptions {
  readonly directory: string
  /** Texts of the document in whose place others are typed: ports, names of hosts. */
  readonly replaced?: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

const fence = /^( *)```(\w*)\n([\s\S]*?)^ *```/gm
const marker = '--- end of block'

function stepsOf(document: string): DocumentStep[] {
  const blocks = [...document.matchAll(fence)].map(([, indent = '', language, text = '']) => ({
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
  return blocks
    .map(({ language, text }, index) => {
      const next = blocks[index + 1]
      return { language, commands: text, printed: next?.language === '' ? next.text : undefined }
    })
    .filter(({ language }) => language === 'sh')
    .map(({ commands, printed }) => ({ commands, printed }))
}

/** What stands behind the program's name on the lines of a document's shell blocks, without comments, as words. */
export function commandLines(document: string): string[][] {
  return [...document.matchAll(fence)]
    .filter(([, , language]) => language === 'sh' || language === '')
    .flatMap(([, , , text = '']) => text.replaceAll(/\\\n/g, ' ').split('\n'))
    .map((line) => programLine.exec(line)?.[1])
    .filter((words) => words !== undefined)
    .map((words) => words.split(/\s+/))
}

/** The program as documents call it: in a checkout, installed, or in a pod. */
const programLine =
  /^\s*(?:kubectl exec \S+ -- )?(?:node dist\/main\.js|(?:\S*\/)?authority-index) (.*?)(?:\s+[#|>].*)?$/

/** @throws Error with what the shell printed where a command fails or the time is over. */
export function runDocument(document: string, options: RunOptions): RunStep[] {
  const steps = stepsOf(document)
  const { directory, replaced = {}, timeoutMs } = options
  const typed = steps.map(({ commands }) => `${commands}echo; echo '${marker}'`).join('\n')
  const text = Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), typed)
  const shell = spawnSync(
    'bash',
    ['-mc', `set -euo pipefail\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${text}`],
    {
      cwd: directory,
      env: { ...process.env, PATH: `${commandDirectory(directory)}:${process.env.PATH}` },
      encoding: 'utf8',
      timeout: timeoutMs,
    },
  )
  const outputs = shell.stdout.split(`\n${marker}\n`)
  if (shell.status !== 0) {
    const failed = steps[outputs.length - 1]?.commands ?? ''
    throw new Error(
      `a command of the document failed:\n${failed}\n${shell.stdout}\n${shell.stderr}`,
    )
  }
  return steps.map((step, index) => ({ ...step, output: outputs[index]!.trim() }))
}

export function isPrinted(printed: string, output: string): boolean {
  const parts = printed
    .trim()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*')}$`).test(output)
}

/** A directory with the command of the built program, or of `AUTHORITY_INDEX_COMMAND`. */
function commandDirectory(directory: string): string {
  const commands = join(directory, '.commands')
  mkdirSync(commands)
  const { AUTHORITY_INDEX_COMMAND: other } = process.env
  const program = other === undefined ? `"${process.execPath}" "${entry}"` : `"${resolve(other)}"`
  const file = join(commands, 'authority-index')
  writeFileSync(file, `#!/bin/sh\nexec ${program} "$@"\n`)
  chmodSync(file, 0o755)
  return commands
}
