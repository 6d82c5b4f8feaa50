/** The official client of the Model Context Protocol, as tests use it. */
import type { TestContext } from 'node:test'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'

/** A connected client, closed after the test. */
export async function mcpClient(t: TestContext, transport: Transport): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1' })
  t.after(() => client.close())
  await client.connect(transport)
  return client
}

/** A client over HTTP that sends `token`. */
export function mcpOverHttp(t: TestContext, address: string, token: string): Promise<Client> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  const transport = new StreamableHTTPClientTransport(new URL(address), { requestInit })
  return mcpClient(t, transport)
}

/** The text of the answer of a tool, and whether it is an error. */
export async function callText(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args })
  const [first] = content
  return { text: first?.type === 'text' ? first.text : '', isError }
}
