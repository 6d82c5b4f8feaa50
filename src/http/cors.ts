/**
 * The headers that let a script in a browser call the API from another origin. Source: docs/behaviour.md, section 4.3.
 */
export function corsHeaders(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': 'X-Api-Key',
    'Access-Control-Allow-Methods': [...methods, 'OPTIONS'].join(', '),
    'Access-Control-Max-Age': '600',
  }
}
