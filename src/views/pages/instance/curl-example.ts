import type { DocumentedOperation } from '../../../core/api-document.js'

/**
 * A command for a shell that sends an operation's example. What differs between installations is in variables: `$TOKEN`,
 * `$PROJECT`, and one for each placeholder of the path (`$UUID`). `url`: the address of the operation.
 */
export function curlExample(url: string, method: string, operation: DocumentedOperation): string {
  const { parameters, requestBody } = operation
  const query = parameters
    .filter(({ in: place, name, required }) => place === 'query' && (required || name === 'project'))
    .map(({ name }) => `${name}=${variable(name)}`)
  const address = url.replace(/\{(\w+)\}/g, (_, name: string) => variable(name))
  const body = requestBody?.content['application/json']?.example
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${[address, ...(query.length > 0 ? [query.join('&')] : [])].join('?')}"`,
    '--header "Authorization: Bearer $TOKEN"',
    ...(body === undefined ? [] : [`--data '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]),
  ]
  return lines.join(' \\\n  ')
}

const variable = (name: string) => `$${name.toUpperCase()}`
