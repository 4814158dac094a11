/**
 * What the MCP SDK takes from its platform, by its own names. The schemas of all tools are zod's, so that nothing asks for
 * its validator of JSON Schema; Ajv, the one for Node.js, would be 200 KB.
 */

export { default as process } from 'node:process'
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
