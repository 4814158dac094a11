/**
 * Redis and PostgreSQL as Debian packages have them, each started for the bench alone: on a socket
 * in its temporary directory, never as the system's service, with nothing to write to the disk.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Children, findProgram } from '../../test/support/processes/children.ts'

/** Starts a database and answers the directory of its socket; undefined when it is not installed. */
export type StartDatabase = (
  children: Children,
  cores: string | undefined,
) => Promise<string | undefined>

/** Redis, in memory only. */
export const startRedis: StartDatabase = async (children, cores) => {
  const command = findProgram('redis-server')
  if (command === undefined) return undefined
  const { directory } = children
  const socket = join(directory, 'redis.sock')
  const args = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no']
  const redis = children.start({ name: 'redis-server', command, args, cores })
  await redis.until(() => existsSync(socket))
  return directory
}

const postgresqlRoot = '/usr/lib/postgresql'

/** PostgreSQL without fsync; as the user `postgres` when this is root, which it refuses to be. */
export const startPostgresql: StartDatabase = async (children, cores) => {
  const programs = postgresqlPrograms()
  if (programs === undefined) return undefined
  const user = process.getuid?.() === 0 ? userNamed('postgres') : undefined
  const directory = join(children.directory, 'postgresql')
  mkdirSync(directory)
  if (user !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  const options = ['--auth=trust', '--username=bench', '--encoding=UTF8', '--locale=C.UTF-8']
  execFileSync(programs.initdb, ['--pgdata', data, ...options, '--no-sync'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  })
  const settings = ['listen_addresses=', 'fsync=off', 'shared_buffers=1GB', 'jit=off']
  const args = ['-D', data, '-k', directory, ...settings.flatMap((setting) => ['-c', setting])]
  const { postgres: command, isReady } = programs
  const postgresql = children.start({ name: 'postgres', command, args, cores, user })
  await postgresql.until(() => spawnSync(isReady, ['--quiet', '--host', directory]).status === 0)
  return directory
}

function postgresqlPrograms() {
  const versions = existsSync(postgresqlRoot) ? readdirSync(postgresqlRoot) : []
  const directories = versions.map((version) => join(postgresqlRoot, version, 'bin'))
  const initdb = findProgram('initdb', directories)
  const postgres = findProgram('postgres', directories)
  const isReady = findProgram('pg_isready', directories)
  if (initdb === undefined || postgres === undefined || isReady === undefined) return undefined
  return { initdb, postgres, isReady }
}

function userNamed(name: string): { uid: number; gid: number } {
  const idOf = (kind: string) => Number(execFileSync('id', [kind, name], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
