/** The configuration of agents for this service, ready to be pasted. */
import { keyVariable } from '../snippets.ts'

/** A text for one client. */
interface ToolSetup {
  readonly client: string
  /** File or shell that the text belongs in, in words. */
  readonly place: string
  readonly text: string
}

const placeholder = '<API_KEY>'

/** The configurations for the service at an origin. */
export function toolSetups(origin: string): ToolSetup[] {
  const url = `${origin}/mcp`
  const headers = { Authorization: `Bearer ${placeholder}` }
  return [
    {
      client: 'Claude Code',
      place: 'in a shell',
      text: `claude mcp add --transport http authority-index ${url} \\\n  --header "Authorization: Bearer $${keyVariable}"`,
    },
    ...desktopSetups(origin),
    {
      client: 'Cursor',
      place: '~/.cursor/mcp.json',
      text: jsonText({ mcpServers: { 'authority-index': { url, headers } } }),
    },
    {
      client: 'VS Code',
      place: '.vscode/mcp.json',
      text: jsonText({
        inputs: [
          {
            id: 'authority-index-key',
            type: 'promptString',
            description: 'API key',
            password: true,
          },
        ],
        servers: {
          'authority-index': {
            type: 'http',
            url,
            // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor fills it in
            headers: { Authorization: 'Bearer ${input:authority-index-key}' },
          },
        },
      }),
    },
  ]
}

/** Claude Desktop starts a program: the package, a container, or a checkout, whose folder only its owner knows. */
function desktopSetups(origin: string): ToolSetup[] {
  const place = 'claude_desktop_config.json'
  const env = { [keyVariable]: placeholder }
  const words = ['mcp', '--url', origin]
  const container = ['run', '-i', '--rm', '--network', 'host', '-e', keyVariable, 'authority-index']
  const starts = {
    'Claude Desktop': { command: 'npx', args: ['-y', 'authority-index', ...words], env },
    'Claude Desktop, container': { command: 'docker', args: [...container, ...words], env },
    'Claude Desktop, checkout': {
      command: 'node',
      args: ['/path/to/checkout/dist/main.js', ...words],
      env,
    },
  }
  return Object.entries(starts).map(([client, start]) => ({
    client,
    place,
    text: jsonText({ mcpServers: { 'authority-index': start } }),
  }))
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
