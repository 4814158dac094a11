/**
 * The npm packages of this checkout, installed with npm into an empty project from a registry of this machine. The
 * variables of the npm that runs the tests are not passed on.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A program of a project, run to its end. */
export interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** An empty project. */
export class Project {
  readonly directory: string
  readonly variables: NodeJS.ProcessEnv

  /** @param registry the address that npm asks, and no other. */
  constructor(directory: string, registry: string) {
    this.directory = directory
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(npm_|AUTHORITY_INDEX_|NODE_OPTIONS$|VITEST)/i.test(name),
    )
    this.variables = {
      ...Object.fromEntries(inherited),
      npm_config_registry: registry,
      npm_config_cache: join(this.directory, '.npm'),
      npm_config_userconfig: join(this.directory, '.npmrc'),
    }
    this.write('package.json', '{"private":true}')
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.directory, name), text)
  }

  /** Runs a program in the project. */
  run(program: string, ...words: string[]): Finished {
    const options = { cwd: this.directory, env: this.variables, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(program, words, options)
    return { status, stdout, stderr }
  }

  /** The same while this process goes on, as a registry in it has to. */
  async start(program: string, ...words: string[]): Promise<Finished> {
    const child = spawn(program, words, { cwd: this.directory, env: this.variables })
    const printed = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text
      })
    }
    const [status] = await once(child, 'close')
    return { status, ...printed }
  }

  /** The bytes that lie below `node_modules`. */
  installedBytes(): number {
    const modules = join(this.directory, 'node_modules')
    return readdirSync(modules, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  }
}

/** Compiles a program of a project against the types that it has installed. @returns what tsc complains of. */
export function complaintsOfTsc(project: Project, name: string): string {
  const root = join(import.meta.dirname, '..', '..')
  const strict = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023']
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')]
  const words = [...strict, '--module', 'nodenext', ...types, name]
  return project.run(join(root, 'node_modules', '.bin', 'tsc'), ...words).stdout
}
