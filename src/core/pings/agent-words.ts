/** The programs that send pings, by how their `User-Agent` names them; the first that fits. */
const PROGRAMS: readonly (readonly [string, RegExp])[] = [
  ['PowerShell', /PowerShell\/([\d.]+)/],
  ['curl', /^curl\/([\d.]+)/],
  ['Wget', /^Wget\/([\d.]+)/],
  ['Python requests', /^python-requests\/([\d.]+)/],
  ['Python', /^Python-urllib\/([\d.]+)/],
  ['Go', /^Go-http-client\/([\d.]+)/],
  ['Node.js', /^(?:node|undici)\b\/?([\d.]*)/],
]

const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Chrome', /\bChrome\/(\d+)/],
  ['Safari', /\bVersion\/(\d+).*\bSafari\//],
]

const LONGEST = 40

/** The program that sent a ping: `curl 8.5`, `Firefox 133`; others as they name themselves, shortened. */
export function agentWords(userAgent: string): string {
  for (const [name, pattern] of [...PROGRAMS, ...BROWSERS]) {
    const [, version] = pattern.exec(userAgent) ?? []
    if (version !== undefined) return [name, shortVersion(version)].filter(Boolean).join(' ')
  }
  return userAgent.length > LONGEST ? `${userAgent.slice(0, LONGEST - 1)}…` : userAgent
}

/** Whether a person's browser sent it. */
export function isBrowser(userAgent: string): boolean {
  return userAgent.startsWith('Mozilla/') && !userAgent.includes('PowerShell')
}

/** `8.5.0` as `8.5`. */
function shortVersion(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}
