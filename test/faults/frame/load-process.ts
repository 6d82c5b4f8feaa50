/**
 * A process that sends pings, each with a number in its run ID, and writes a line of JSON about each answer to
 * standard output. After SIGTERM it waits for the outstanding answers and ends.
 */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LedgerEntry, runId } from './ledger.js'

const { site, checks, clients, load, pauseMs } = JSON.parse(process.argv[2]!) as {
  site: string
  checks: string[]
  clients: number
  load: number
  pauseMs: number
}

/** Longer than any answer may take. */
const GIVE_UP_MS = 60_000
const agent = new Agent({ keepAlive: true, maxSockets: clients })
let sent = 0
let stopped = false
process.on('SIGTERM', () => {
  stopped = true
})
await Promise.all(Array.from({ length: clients }, client))
agent.destroy()

async function client(): Promise<void> {
  while (!stopped) {
    const n = ++sent
    const entry = await ping(n)
    process.stdout.write(`${JSON.stringify(entry)}\n`)
    await sleep(entry.status === 0 ? 20 : pauseMs)
  }
}

async function ping(n: number): Promise<LedgerEntry> {
  const rid = runId(load, n)
  const check = checks[n % checks.length]!
  const from = performance.now()
  const done = (status: number, rest: Partial<LedgerEntry> = {}) => ({
    rid,
    check,
    status,
    ms: Math.round(performance.now() - from),
    at: Date.now(),
    ...rest,
  })
  try {
    const path = `${site}/ping/${check}${actionOf(n)}?rid=${rid}`
    const asked = request(path, { method: 'POST', agent, signal: AbortSignal.timeout(GIVE_UP_MS) })
    asked.end(n % 3 === 0 ? 'x'.repeat(n % 2_000) : undefined)
    const [answer] = await once(asked, 'response')
    const pieces: Buffer[] = []
    for await (const piece of answer) pieces.push(piece)
    if (answer.statusCode === 200) return done(200)
    const retryAfter = answer.headers['retry-after']
    return done(answer.statusCode, {
      text: Buffer.concat(pieces).toString(),
      ...(retryAfter && { retryAfter }),
    })
  } catch (error) {
    return done(0, { text: (error as NodeJS.ErrnoException).code ?? String(error) })
  }
}

/** Mostly successes, and some of each of the others, so that alerts are sent as well. */
function actionOf(n: number): string {
  if (n % 61 === 0) return '/fail'
  return ['', '', '', '', '/start', '/log'][Math.floor(n / 7) % 6]!
}
