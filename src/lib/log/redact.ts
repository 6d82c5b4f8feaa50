/** Shortens secrets in log lines to a prefix that still distinguishes them. */

const PATTERNS: readonly [RegExp, string][] = [
  // Ping URLs by key and slug: the key gives access to every check of its project.
  [/(\/ping\/)(?![0-9a-f]{8}-)([-\w]{3})[-\w]*(?=\/)/gi, '$1$2…'],
  [/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '$1…'],
  [/\b(hc[wr]_)[A-Za-z0-9]{28}\b/g, '$1…'],
  [/\b(pun_)[A-Za-z0-9]{36}\b/g, '$1…'],
  [/(:\/\/[^\s:/@"]*:)[^\s/@"]+(?=@)/g, '$1…'],
]

/**
 * `text` without IDs and keys that grant access. UUIDs keep their first 8 characters, ping keys in URLs their first 3,
 * API keys their prefix. Passwords in URLs and each of `secrets` are removed.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, '…')
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement)
  return clean
}
