/**
 * A real PostgreSQL for the suites of a fleet, by the scripts of the repository: on a free port of
 * 127.0.0.1, in a directory of its own, and gone when it is ended.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const scripts = join(import.meta.dirname, '..', '..', 'scripts', 'postgresql')

/** Why there can be no PostgreSQL here; undefined where there can. */
export function whyNoPostgresql(): string | undefined {
  if (existsSync('/usr/lib/postgresql') || process.getuid?.() === 0) return undefined
  return 'PostgreSQL is not installed, and only root can install it'
}

/** A server that runs. */
export class PostgresqlServer {
  readonly directory: string
  readonly port: number

  private constructor(directory: string, port: number) {
    this.directory = directory
    this.port = port
  }

  static async start(): Promise<PostgresqlServer> {
    const parent = mkdtempSync(join(tmpdir(), 'postgresql-'))
    // The server runs as another user, who has to come by.
    chmodSync(parent, 0o755)
    const server = new PostgresqlServer(join(parent, 'server'), await freePort())
    server.startAgain()
    return server
  }

  /** The address of a database of the server. */
  uri(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  /** Makes a database and returns its address. */
  async newDatabase(name: string): Promise<string> {
    await this.query('postgres', `create database ${name}`)
    return this.uri(name)
  }

  /** Asks one statement by a connection of its own. */
  async query(database: string, text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.uri(database) })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  /** Starts what was stopped. */
  startAgain(): void {
    run('start.sh', this.directory, String(this.port))
  }

  /** Stops it as if its machine had lost its power; what it had committed is there when it starts. */
  stopAtOnce(): void {
    run('stop.sh', this.directory, '--keep', 'immediate')
  }

  /** Ends it for good. */
  remove(): void {
    run('stop.sh', this.directory, 'immediate')
  }
}

function run(script: string, ...words: string[]): void {
  const { status, stderr } = spawnSync(join(scripts, script), words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`)
}

/** A port that nobody has at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = address === null || typeof address === 'string' ? 0 : address.port
      server.close(() => resolve(port))
    })
  })
}
