/** A real proxy in front of a service, with the configuration of `ops/` on other ports. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newScene, type Operated, operate } from '../operated.ts'
import { freePort } from '../processes/free-port.ts'

/** A proxy that is written about in `docs/operations.md` and that Debian has. */
type ProxyName = 'nginx' | 'haproxy'

export const proxyNames: readonly ProxyName[] = ['nginx', 'haproxy']

interface Kind {
  readonly configuration: string
  /** What stands around the configuration, and the words to start with; never as a daemon. */
  readonly around: (text: string, directory: string) => string
  readonly words: (file: string, directory: string) => readonly string[]
}

const kinds: Readonly<Record<ProxyName, Kind>> = {
  nginx: {
    configuration: 'nginx.conf',
    around: (text, directory) => {
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${directory}/${name};`)
        .join(' ')
      return `pid ${directory}/pid; error_log stderr; daemon off;
        events { worker_connections 4096; }
        http { access_log off; ${paths} ${text} }`
    },
    words: (file, directory) => ['-e', 'stderr', '-p', directory, '-c', file],
  },
  haproxy: {
    configuration: 'haproxy.cfg',
    around: (text) => `global\n    maxconn 4096\n\n${text}`,
    words: (file) => ['-db', '-f', file],
  },
}

export function isInstalled(name: ProxyName): boolean {
  const installed = spawnSync(name, ['-v'], { env: environment() }).status === 0
  if (!installed) console.error(`skipped: ${name} is not installed (apt-get install ${name})`)
  return installed
}

interface RunningProxy {
  readonly port: number
  readonly stop: () => Promise<void>
}

export function startProxy(name: ProxyName, servicePort: number): Promise<RunningProxy> {
  return launch(name, kinds[name].configuration, (text) =>
    text.replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`),
  )
}

export function startFleetProxy(servicePorts: readonly number[]): Promise<RunningProxy> {
  const servers = servicePorts.map((port, index) => `    server s${index} 127.0.0.1:${port}\n`)
  return launch('haproxy', 'haproxy-fleet.cfg', (text) =>
    text.replace(/(?: {4}server .*\n)+/, servers.join('')),
  )
}

async function launch(
  name: ProxyName,
  configuration: string,
  withServices: (text: string) => string,
): Promise<RunningProxy> {
  const { around, words } = kinds[name]
  const directory = mkdtempSync(join(tmpdir(), `${name}-`))
  const port = await freePort()
  const file = join(directory, configuration)
  const ours = readFileSync(
    join(import.meta.dirname, '..', '..', '..', 'ops', configuration),
    'utf8',
  )
  writeFileSync(file, around(withServices(withPort(ours, port)), directory))
  const child = spawn(name, words(file, directory), {
    env: environment(),
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await untilReady(child, `http://127.0.0.1:${port}/readyz`, () => said)
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    rmSync(directory, { recursive: true, force: true })
  }
  return { port, stop }
}

/** Debian has both where only root looks. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
}

function withPort(text: string, port: number): string {
  return text
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('bind :80', `bind 127.0.0.1:${port}`)
}

async function untilReady(child: ChildProcess, address: string, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the proxy ended: ${said()}`)
    const status = await fetch(address).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A service, and itself as its clients see it. */
export async function operateBehind(name: ProxyName, words: readonly string[] = []) {
  const scene = newScene()
  const trusting = ['--trusted-proxies', '127.0.0.1', ...words]
  const direct = await operate(scene.directory, trusting)
  const proxy = await startProxy(name, direct.port)
  onTestFinished(proxy.stop)
  const behind: Operated = { ...direct, address: `http://127.0.0.1:${proxy.port}` }
  return { scene, direct, behind, port: proxy.port }
}

export async function statusOf(options: RequestOptions): Promise<number> {
  const asked = request(options)
  asked.end()
  const [response]: [IncomingMessage] = (await once(asked, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response.statusCode!
}
