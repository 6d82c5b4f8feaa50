/** What the tenant sends: requests of the API, forms of the pages, and pings. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { SESSION_COOKIE } from '../../src/http/web/people/session.js'
import { packageRoot } from '../../src/lib/package-root.js'
import { type Database, openBeside } from '../database.js'
import type { Arena } from './arena.js'

export interface Tenant {
  arena: Arena
  origin: string
  /** The UUIDs of the checks and of the project. */
  checks: string[]
  project: string
  /** Sends a request of an API and returns the answer. Rejects with the `status` unless it is a success. */
  api(method: string, path: string, body?: object): Promise<string>
  /** Gets a page. Rejects unless it is one. */
  page(path: string): Promise<string>
  /** Sends a form of a page. Rejects if it is refused. */
  form(path: string, fields: Fields): Promise<Done>
  /** The same as the member. */
  formOfMember(path: string, fields: Fields): Promise<Done>
  /** Undoes what was done. */
  undo(done: Done): Promise<Done>
  /** Sends pings, at most `atOnce` at a time, whatever the answers are. */
  ping(paths: readonly string[], atOnce?: number): Promise<void>
  /** Sends pings with bodies of so many bytes for so long (ms), so many at a time. */
  send(paths: readonly string[], how: { forMs: number; atOnce: number; bytes: number }): Promise<void>
  /** Opens streams of a live page, or of events with a token, which end with the program. */
  streams(path: string, count: number, headers?: Record<string, string>): void
  /** Runs the command line of the program. */
  command(...args: string[]): Promise<void>
  database(): Promise<Database>
}

export type Fields = readonly (readonly [string, string])[]

/** What became of a form. */
export interface Done {
  /** The sentence for the next page, as its cookie has it. */
  flash: string
  text: string
}

interface Running {
  origin: string
  folder: string
  /** The settings with which the program finds its database. */
  settings: Readonly<Record<string, string>>
}

const LONGEST_MS = 300_000

export async function openTenant(arena: Arena, { origin, folder, settings }: Running): Promise<Tenant> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const project = arena.projects[0]
  const url = settings.DATABASE_URL
  const owner = await visitor(origin, arena.session, agent)
  const member = await visitor(origin, `${arena.session}3`, agent)
  const native = (path: string) =>
    path.startsWith('/api/punctual/') && !path.includes('/projects/')
      ? `${path}${path.includes('?') ? '&' : '?'}project=${project}`
      : path
  return {
    arena,
    origin,
    checks: arena.checks.slice(0, arena.shape.checks).map(({ uuid }) => uuid),
    project,
    async api(method, path, body) {
      const key: Record<string, string> = path.startsWith('/api/punctual/')
        ? { Authorization: `Bearer ${arena.token}` }
        : { 'X-Api-Key': arena.key }
      const answer = await send(origin + native(path), {
        agent,
        method,
        headers: { ...key, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      if (answer.status > 299) {
        const error = new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
        throw Object.assign(error, { status: answer.status })
      }
      return answer.text
    },
    async page(path) {
      const answer = await send(origin + path, { agent, headers: { Cookie: owner.cookie } })
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
      return answer.text
    },
    form: owner.form,
    formOfMember: member.form,
    async undo({ flash }) {
      const [, of, undo] = /^good\d+\/([0-9a-f-]{36})\/([0-9a-f-]{36}):/.exec(flash) ?? []
      if (!undo) throw new Error(`nothing to undo: ${flash}`)
      return await owner.form(`/projects/${of}/undo/${undo}/`, [])
    },
    async ping(paths, atOnce = 64) {
      let next = 0
      await Promise.all(
        Array.from({ length: Math.min(atOnce, paths.length) }, async () => {
          while (next < paths.length) await send(origin + paths[next++]!, { agent })
        }),
      )
    },
    async send(paths, { forMs, atOnce, bytes }) {
      const end = Date.now() + forMs
      const body = 'x'.repeat(bytes)
      let next = 0
      const lane = async () => {
        while (Date.now() < end) {
          await send(origin + paths[next++ % paths.length]!, { agent, method: 'POST', body })
        }
      }
      await Promise.all(Array.from({ length: atOnce }, lane))
    },
    streams(path, count, headers = { Cookie: owner.cookie }) {
      for (let n = 0; n < count; n++) {
        request(origin + path, { headers })
          .on('response', response => response.on('error', () => {}).resume())
          .on('error', () => {})
          .end()
      }
    },
    async command(...args) {
      const child = spawn(process.execPath, [join(packageRoot, 'dist/main.js'), ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { PATH: process.env.PATH, DATA_DIR: folder, ...settings, LOG_LEVEL: 'error' },
      })
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`${args.join(' ')} ended with exit code ${code}`)
    },
    database: () => openBeside(folder, url),
  }
}

/** Somebody who is signed in, with the token that forms contain. */
async function visitor(origin: string, session: string, agent: Agent) {
  const cookie = `${SESSION_COOKIE}=${session}`
  const first = await send(`${origin}/projects/add/`, { agent, headers: { Cookie: cookie } })
  const csrf = /name="csrf" value="([^"]+)"/.exec(first.text)?.[1]
  if (!csrf) throw new Error(`the first page has no form: ${first.status}`)
  return {
    cookie,
    async form(path: string, fields: Fields): Promise<Done> {
      const body = new URLSearchParams([...fields.map(pair => [...pair]), ['csrf', csrf]]).toString()
      const headers = { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' }
      const answer = await send(origin + path, { agent, method: 'POST', headers, body })
      if (answer.status > 399) throw new Error(`POST ${path}: ${answer.status} ${textOf(answer.text)}`)
      const kept = /punctual_flash=([^;]*)/.exec(String(answer.headers['set-cookie'] ?? ''))?.[1] ?? ''
      const flash = decodeURIComponent(kept)
      if (flash.startsWith('bad')) throw new Error(`POST ${path}: ${flash}`)
      return { flash, text: answer.text }
    },
  }
}

function textOf(html: string): string {
  return html
    .replace(/<(script|style|svg)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 400)
}

interface Sent {
  agent: Agent
  method?: string
  headers?: Record<string, string>
  body?: string
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

function send(url: string, { agent, method = 'GET', headers = {}, body }: Sent): Promise<Answer> {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers: { ...headers, ...length }, timeout: LONGEST_MS })
    asked.on('timeout', () => asked.destroy(new Error(`no answer: ${method} ${url}`)))
    asked.on('error', reject)
    asked.on('response', response => {
      const parts: Buffer[] = []
      response.on('data', part => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      )
    })
    asked.end(body)
  })
}
