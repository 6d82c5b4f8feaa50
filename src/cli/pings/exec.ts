/**
 * `punctual exec`: runs a command, and tells Punctual when it starts, how it ends, and the end of its output. The same as
 * static/exec.sh, and held by the same tests.
 */
import { randomUUID } from 'node:crypto'
import { EXEC_HELP, type ExecOptions, readExecOptions, UsageError } from './exec-options.js'
import { findMetrics } from './find-metrics.js'
import { type Lock, takeLock } from './lock.js'
import { Tail } from './pass-output.js'
import { runCommand } from './run-command.js'
import { type PingSending, sendPing } from './send-ping.js'
import { flushSpool, openSpool, SpooledPing } from './spool.js'

type Env = Readonly<Record<string, string | undefined>>

const WRONG_USAGE = 2
/** EX_TEMPFAIL of sysexits.h. */
const LOCKED = 75

/** Runs the command line after `exec`, and returns the exit status. */
export async function exec(args: readonly string[], env: Env): Promise<number> {
  let options: ExecOptions | null
  try {
    options = readExecOptions(args, env)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`punctual exec: ${error.message}\n`)
    return WRONG_USAGE
  }
  if (options === null) {
    process.stdout.write(EXEC_HELP)
    return 0
  }
  const { isQuiet } = options
  const say = (message: string) => void (isQuiet || process.stderr.write(`punctual exec: ${message}\n`))
  const folder = openSpool(env)
  const lock = options.locks ? lockFor(folder, options.url, say) : null
  if (lock?.isHeld === false) {
    say(`the command runs already, as process ${lock.by}`)
    return LOCKED
  }
  try {
    return await runAndReport(options, folder, say)
  } finally {
    lock?.release()
  }
}

function lockFor(folder: string | null, url: string, say: PingSending['say']): Lock | null {
  const lock = folder === null ? null : takeLock(folder, url)
  if (lock === null) say('the lock cannot be taken; the command runs without it')
  return lock
}

async function runAndReport(
  { url, query, timeoutSeconds, retries, metricFrom, command }: ExecOptions,
  folder: string | null,
  say: PingSending['say'],
): Promise<number> {
  const sending = { timeoutSeconds, retries, say }
  const rid = randomUUID()
  const startUrl = `${url}/start?rid=${rid}${query}`
  const start = new SpooledPing(folder, rid, { action: 'begin', atMs: Date.now(), url: startUrl })
  const began = performance.now()
  const tail = new Tail()
  const running = runCommand(command, tail)
  const starting = sendPing(startUrl, null, sending)
  const status = await running
  const duration = ((performance.now() - began) / 1000).toFixed(3)
  const endedAt = Date.now()
  const output = tail.bytes()
  const metrics = metricFrom ? findMetrics(output, metricFrom) : ''
  if (metrics === null) say('matching --metric-from takes too long; no numbers are sent')
  const endUrl = `${url}/${status}?rid=${rid}&duration=${duration}${query}${metrics ?? ''}`
  const end = new SpooledPing(folder, rid, { action: 'end', atMs: endedAt, url: endUrl }, output)

  const started = await starting
  if (started.isSettled) start.remove()
  // Without an answer to the start, it is tried once more with its time, so that it comes before the end.
  const reached = started.isSettled ? started : await start.sendLater(sending)
  const body = tail.bytes(reached?.bodyLimit ?? undefined)
  const sent = await sendPing(endUrl, body.length > 0 ? body : null, {
    ...sending,
    retries: reached?.isSettled ? retries : 0,
  })
  if (sent.isSettled) {
    end.remove()
    if (folder) await flushSpool(folder, Date.now(), sending, sent.bodyLimit)
  } else if (end.isKept) say('Punctual could not be reached; the ping is kept and sent later')
  else say('Punctual could not be reached, and the ping could not be kept')
  return status
}
