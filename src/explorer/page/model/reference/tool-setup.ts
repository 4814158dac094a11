/** The configuration of agents for this service, ready to be pasted. */
import { keyVariable } from '../snippets.ts'

/** A text for one client. */
export interface ToolSetup {
  readonly client: string
  /** Where it goes. */
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
    {
      client: 'Claude Desktop',
      place: 'claude_desktop_config.json',
      text: jsonText({
        mcpServers: {
          'authority-index': {
            command: 'authority-index',
            args: ['mcp', '--url', origin],
            env: { [keyVariable]: placeholder },
          },
        },
      }),
    },
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

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
