/** What must not stand in a log line is cut down to what still tells one thing from another. */

const PATTERNS: readonly [RegExp, string][] = [
  // Ping URLs by key and slug: the key opens every check of its project.
  [/(\/ping\/)(?![0-9a-f]{8}-)([-\w]{3})[-\w]*(?=\/)/gi, '$1$2…'],
  [/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '$1…'],
  [/\b(hc[wr]_)[A-Za-z0-9]{28}\b/g, '$1…'],
  [/(:\/\/[^\s:/@"]*:)[^\s/@"]+(?=@)/g, '$1…'],
]

/**
 * `text` without ids that open something: UUIDs keep their first 8 characters, ping keys in URLs their first 3,
 * API keys their prefix, passwords in URLs nothing; each of `secrets` is replaced wherever it occurs.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, '…')
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement)
  return clean
}
