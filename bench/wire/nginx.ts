/** nginx with one worker, serving static files: what a web server does without any work. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Children, findProgram } from '../../test/support/processes/children.ts'
import { freePort } from '../../test/support/processes/free-port.ts'

interface Nginx {
  readonly port: number
  readonly files: string
}

export async function startNginx(
  children: Children,
  cores: string | undefined,
): Promise<Nginx | undefined> {
  const command = findProgram('nginx')
  if (command === undefined) return undefined
  const prefix = join(children.directory, 'nginx')
  const files = join(prefix, 'files')
  mkdirSync(files, { recursive: true })
  const port = await freePort()
  const configuration = join(prefix, 'nginx.conf')
  writeFileSync(configuration, configurationOf(port))
  const args = ['-p', prefix, '-c', configuration, '-e', 'stderr']
  const nginx = children.start({ name: 'nginx', command, args, cores })
  await nginx.until(() => accepts(port))
  return { port, files }
}

/** The worker is the process itself, so that ending it leaves none behind. */
function configurationOf(port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    daemon off; master_process off; worker_processes 1; pid nginx.pid;
    events { worker_connections 4096; multi_accept on; }
    http {
      ${temporary.map((kind) => `${kind}_temp_path ${kind};`).join(' ')}
      access_log off; types { application/json json; }
      sendfile on; tcp_nopush on; tcp_nodelay on;
      keepalive_timeout 1h; keepalive_requests 1000000000;
      open_file_cache max=1000 inactive=1h; open_file_cache_valid 1h;
      server { listen 127.0.0.1:${port} backlog=4096; root files; }
    }`
}

async function accepts(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`)
    return true
  } catch {
    // It does not listen yet.
    return false
  }
}
