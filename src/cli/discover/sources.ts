import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, readdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type CrontabFormat, guessFormat } from '../../core/discover/read-crontab.js'
import { Refusal } from '../../core/errors.js'

/** A crontab of the machine, or one that was named. */
export interface CrontabFile {
  /** `/etc/crontab`, or `crontab of www-data`. */
  name: string
  format: CrontabFormat
  /** In UTF-8, or with one character a byte where it is not UTF-8. */
  text: string
  /** As it was read. */
  bytes: Buffer
  /** Writes it, whole or not at all. Throws a `Refusal` if it has changed since it was read. */
  write(text: string): Promise<void>
}

const run = promisify(execFile)

/** The most bytes that are read of a crontab. */
const MAX_BYTES = 4 * 1024 * 1024

/** What cron reads below `root`, and the crontabs of users: of all if this is root, else of this user. */
export async function crontabsOfMachine(root: string): Promise<CrontabFile[]> {
  const inFolder = (await namesIn(join(root, 'etc/cron.d')))
    // Cron of Debian ignores other names. Source: cron(8), run-parts(8).
    .filter(name => /^[A-Za-z0-9_-]+$/.test(name))
    .map(name => join(root, 'etc/cron.d', name))
  const found: CrontabFile[] = []
  for (const path of [join(root, 'etc/crontab'), ...inFolder]) {
    const file = await readIfThere(path)
    if (file !== null) found.push(fileSource(path, file, 'system'))
  }
  // Another root has no crontab(1) that could be asked.
  return root === '/' ? [...found, ...(await crontabsOfUsers())] : found
}

/** A crontab in a file; its format is guessed unless it is given. Throws a `Refusal` if it cannot be read. */
export async function crontabInFile(path: string, format?: CrontabFormat): Promise<CrontabFile> {
  const bytes = await readIfThere(path)
  if (bytes === null) throw new Refusal('not-found', `${path} cannot be read`)
  return fileSource(path, bytes, format ?? guessFormat(decode(bytes)))
}

/** The crontab on standard input; the rewritten one goes to `write`. */
export async function crontabOnInput(
  format: CrontabFormat | undefined,
  write: (bytes: Buffer) => void,
): Promise<CrontabFile> {
  const pieces: Buffer[] = []
  for await (const piece of process.stdin) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const text = decode(bytes)
  return {
    name: 'standard input',
    format: format ?? guessFormat(text),
    text,
    bytes,
    write: async written => write(encode(written, bytes)),
  }
}

function fileSource(path: string, bytes: Buffer, format: CrontabFormat): CrontabFile {
  return {
    name: path,
    format,
    text: decode(bytes),
    bytes,
    async write(text) {
      const target = await realpath(path)
      if (!(await readFile(target)).equals(bytes)) throw changed(path)
      await replaceFile(target, encode(text, bytes))
    },
  }
}

/** Writes a file whole or not at all, with its mode and owner. Cron ignores names with a dot at the start. */
export async function replaceFile(path: string, bytes: Buffer | string): Promise<void> {
  const known = await stat(path).catch(() => null)
  const written = join(dirname(path), `.${basename(path)}.punctual`)
  await writeFile(written, bytes, { mode: 0o600, flush: true })
  await chmod(written, (known?.mode ?? 0o644) & 0o7777)
  if (known !== null && process.getuid?.() === 0) await chown(written, known.uid, known.gid)
  await rename(written, path)
}

async function crontabsOfUsers(): Promise<CrontabFile[]> {
  const own = userInfo().username
  // Only root can read the names. Sources: crontab(1) of Debian, and of cronie.
  const names = [...(await namesIn('/var/spool/cron/crontabs')), ...(await namesIn('/var/spool/cron'))]
  const users = new Set([own, ...names.filter(name => name !== 'crontabs' && /^[\w.-]+$/.test(name))])
  const found: CrontabFile[] = []
  for (const user of [...users].sort()) {
    const whose = user === own ? [] : ['-u', user]
    const bytes = await crontabOf(whose)
    if (bytes === null) continue
    found.push({
      name: `crontab of ${user}`,
      format: 'user',
      text: decode(bytes),
      bytes,
      async write(text) {
        const now = await crontabOf(whose)
        if (now === null || !now.equals(bytes)) throw changed(`the crontab of ${user}`)
        await replaceCrontab(whose, encode(text, bytes))
      },
    })
  }
  return found
}

/** The crontab of a user; null without one, or without cron. */
async function crontabOf(whose: readonly string[]): Promise<Buffer | null> {
  try {
    const options = { encoding: 'buffer' as const, maxBuffer: MAX_BYTES }
    return (await run('crontab', [...whose, '-l'], options)).stdout
  } catch {
    return null
  }
}

async function replaceCrontab(whose: readonly string[], bytes: Buffer): Promise<void> {
  const child = spawn('crontab', [...whose, '-'], { stdio: ['pipe', 'inherit', 'inherit'] })
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Refusal('invalid', `crontab did not accept the new table (exit status ${code})`)
}

function changed(what: string): Refusal {
  return new Refusal('conflict', `${what} has changed in the meantime; run the command again`)
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort()
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch {
    return null
  }
}

/** UTF-8 if the bytes are that, else one character a byte, so that each byte comes back. */
function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : bytes.toString('latin1')
}

function encode(text: string, before: Buffer): Buffer {
  return Buffer.from(text, Buffer.from(before.toString('utf8')).equals(before) ? 'utf8' : 'latin1')
}
