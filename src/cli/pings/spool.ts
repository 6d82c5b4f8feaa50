/**
 * The pings that could not be sent, as files that static/exec.sh shares: `SECONDS.RID.ACTION.PID` holds the address, and
 * `RID.body` the output of an end. ACTION is `begin` or `end`, so that they are in order.
 */
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type PingSending, type SentPing, sendPing } from './send-ping.js'

type Env = Readonly<Record<string, string | undefined>>

/** Pings are sent up to this long after their time (s), a little less than Punctual takes. */
const OLDEST_SECONDS = 604_000
/** After this long (s) a process with the same ID is another one. */
const PID_SECONDS = 86_400
/** At most this many pings of other runs are sent at the end of one. */
const MOST_FLUSHED = 20

const NAME = /^(\d+)\.([0-9A-Za-z-]+)\.(begin|end)\.(\d+)$/

/** The folder of the spool, made if it has to be; null if it cannot be written. */
export function openSpool(env: Env): string | null {
  const state = env.XDG_STATE_HOME || join(env.HOME || '/var/tmp', '.local/state')
  const folder = env.PUNCTUAL_SPOOL || join(state, 'punctual/spool')
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
    return folder
  } catch {
    return null
  }
}

/** Not `recursive`, which never returns for some folders of /proc. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    const parent = dirname(folder)
    if (code !== 'ENOENT' || parent === folder) throw error
    makeFolder(parent)
    mkdirSync(folder, { mode: 0o700 })
  }
}

/** A ping of this run in the spool. */
export class SpooledPing {
  readonly #file: string | null

  constructor(
    private readonly folder: string | null,
    private readonly rid: string,
    { action, atMs, url }: { action: 'begin' | 'end'; atMs: number; url: string },
    body: Uint8Array | null = null,
  ) {
    this.#file = folder && join(folder, `${Math.floor(atMs / 1000)}.${rid}.${action}.${process.pid}`)
    try {
      if (folder && body) writeFileSync(join(folder, `${rid}.body`), body, { mode: 0o600 })
      if (this.#file) writeFileSync(this.#file, `${url}\n`, { mode: 0o600 })
    } catch {
      // A full disk leaves files without their content.
      this.remove()
      this.#file = null
    }
  }

  get isKept(): boolean {
    return this.#file !== null
  }

  /** Sends it with its time; null if it was not kept. */
  async sendLater(sending: PingSending): Promise<SentPing | null> {
    return this.#file === null ? null : await sendKept(this.#file, sending, null)
  }

  remove(): void {
    if (!this.#file) return
    rmSync(this.#file, { force: true })
    if (this.#file.includes('.end.')) rmSync(join(this.folder!, `${this.rid}.body`), { force: true })
  }
}

/** Sends what other runs have left, the oldest first, until one cannot be sent. Of bodies the server keeps `bodyLimit` bytes. */
export async function flushSpool(
  folder: string,
  nowMs: number,
  sending: PingSending,
  bodyLimit: number | null,
): Promise<void> {
  let count = 0
  for (const name of readdirSync(folder).sort()) {
    const [, seconds, rid, , pid] = NAME.exec(name) ?? []
    if (seconds === undefined) {
      if (name.endsWith('.body')) removeForgottenBody(join(folder, name), nowMs)
      continue
    }
    const age = nowMs / 1000 - Number(seconds)
    if (age > OLDEST_SECONDS) {
      removeAll([join(folder, name), join(folder, `${rid}.body`)])
    } else if (age >= PID_SECONDS || !isAlive(Number(pid))) {
      if (++count > MOST_FLUSHED) return
      if (!(await sendKept(join(folder, name), sending, bodyLimit)).isSettled) return
    }
  }
}

/** The output of a command whose end was never written. */
function removeForgottenBody(file: string, nowMs: number): void {
  const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? nowMs
  if (nowMs - changedAt > (OLDEST_SECONDS + 2 * PID_SECONDS) * 1000) rmSync(file, { force: true })
}

/** Sends it once, with the end of its output. */
async function sendKept(file: string, sending: PingSending, bodyLimit: number | null): Promise<SentPing> {
  const [, seconds, rid, action] = NAME.exec(file.slice(file.lastIndexOf('/') + 1))!
  const bodyFile = join(dirname(file), `${rid}.body`)
  const files = action === 'end' ? [file, bodyFile] : [file]
  const url = read(file)?.toString().split('\n', 1)[0]
  // Another process has sent it, or its process was killed before it wrote the address.
  if (!url) {
    removeAll(files)
    return { isSettled: true, bodyLimit: null }
  }
  const whole = action === 'end' ? read(bodyFile) : null
  const body = whole?.subarray(Math.max(0, whole.length - (bodyLimit ?? whole.length))) ?? null
  const sent = await sendPing(`${url}&at=${seconds}`, body?.length ? body : null, { ...sending, retries: 0 })
  if (sent.isSettled) removeAll(files)
  return sent
}

function removeAll(files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true })
}

function read(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

/** Whether a process lives, as far as this one may know. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
