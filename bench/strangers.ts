/** The requests that cost a server the most, compared with what they cost their sender, of those that we know. */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'

interface Attack {
  path: string
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const LARGE = 2_600_000
const nested = (bytes: number) => `{"a":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`
const wide = (bytes: number) => `{"a":[${'1,'.repeat(bytes / 2)}1]}`
const mail = (bytes: number) =>
  `To: <n.${randomUUID()}.0.0@bounces.example.org>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
  '--b\r\nContent-Type: text/html\r\n\r\n<b><i>\r\n'.repeat(bytes / 40)

/** The requests that attackers send in turn. */
export const ATTACKS: readonly Attack[] = [
  { path: '/api/v3/checks/', method: 'POST', body: nested(LARGE) },
  { path: '/api/v3/checks/', method: 'POST', body: nested(65_000) },
  { path: '/api/v3/checks/', method: 'POST', body: wide(65_000) },
  { path: '/api/v3/checks/', method: 'POST', headers: { 'X-Api-Key': 'x'.repeat(32) }, body: wide(LARGE) },
  {
    path: `/api/v3/notifications/${randomUUID()}/status`,
    method: 'POST',
    headers: FORM,
    body: 'a=1&'.repeat(4_000),
  },
  { path: '/api/v3/bounces/', method: 'POST', body: mail(LARGE) },
  { path: '/docs/api/' },
  { path: '/docs/self-hosting/' },
  { path: `/docs/search/?q=${'con+int+pro+che+not+del+set+pos+ser'}` },
  { path: '/accounts/login/' },
  { path: '/accounts/login/', method: 'POST', headers: FORM, body: 'a=1&'.repeat(60_000) },
  { path: `/nothing/${'a/'.repeat(2_000)}` },
]

/**
 * Sends them over `connections` connections, each as soon as the previous one was answered, until `signal` aborts.
 */
export async function sendAttacks(origin: string, connections: number, signal: AbortSignal): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let sent = 0
  const work = async (first: number) => {
    for (let turn = first; !signal.aborted; turn++) {
      await send(origin, ATTACKS[turn % ATTACKS.length]!, agent)
      sent++
    }
  }
  const starts = Array.from({ length: connections }, (_, n) => n * Math.floor(ATTACKS.length / connections))
  await Promise.all(starts.map(work))
  agent.destroy()
  return sent
}

/**
 * Resolves when the request was answered, or when the server has closed the connection because it refuses the body.
 */
function send(origin: string, { path, method = 'GET', headers, body }: Attack, agent: Agent): Promise<void> {
  return new Promise(resolve => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const asked = request(origin + path, {
      method,
      agent,
      headers: { 'Accept-Encoding': 'gzip', ...headers, ...length },
    })
    asked.on('response', response => response.on('close', resolve).resume())
    asked.on('error', () => resolve())
    asked.end(body)
  })
}

/** Opens streams of a live page, without those that the server refuses. Returns a function that closes them. */
export function openStreams(url: string, cookie: string, count: number): () => void {
  const agent = new Agent({ maxSockets: count })
  for (let n = 0; n < count; n++) {
    request(url, { agent, headers: { Cookie: cookie } })
      .on('response', response => response.on('error', () => {}).resume())
      .on('error', () => {})
      .end()
  }
  return () => agent.destroy()
}
