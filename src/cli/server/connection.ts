import type { Command } from 'commander'
import type { Api, PunctualApi } from '../../client/index.js'
import { clientEnvironment } from '../../config.js'
import { Refusal } from '../../core/errors.js'
import { isUuid } from '../../core/text/uuid.js'
import { isApiToken } from '../../lib/secrets/api-token.js'
import { readLogins } from './login-file.js'

/** Options of commands that ask a server. */
export interface ServerOptions {
  url?: string
  project?: string
}

/** A project of the server, and the API with which it is used. */
export interface ServerProject extends Api.ProjectEntry {
  api: PunctualApi
}

/** A server that commands ask, as whoever holds the token. */
export interface Server {
  /** Its base address, without a slash at the end. */
  url: string
  /** The token or key with which it is asked. */
  token: string
  /** The API, for what belongs to no project. */
  api: PunctualApi
  /** The projects of the token, or only the one that was named. Throws a `Refusal` if there is no such project. */
  projects(): Promise<ServerProject[]>
}

/** How long an answer may take, in ms: lists of thousands of checks take their time on a busy server. */
const TIMEOUT_MS = 60_000

/** Adds `--url` and `--project` to a command that asks a server. */
export function withServer(command: Command): Command {
  return command
    .option('--url <address>', 'the server (default: PUNCTUAL_URL, or where `punctual login` signed in)')
    .option('--project <project>', 'the name or the UUID of the project (default: PUNCTUAL_PROJECT, or all)')
}

/**
 * The server that the options, the environment or the last `punctual login` name. Throws a `Refusal` that says what to
 * do if there is none, or no token for it.
 */
export async function connect(options: ServerOptions = {}): Promise<Server> {
  const found = await findServer(options)
  if (found === null)
    throw new Refusal(
      'invalid',
      'no server is known. Sign in with `punctual login URL`, or set PUNCTUAL_URL and PUNCTUAL_TOKEN',
    )
  if (found.token === undefined)
    throw new Refusal(
      'invalid',
      `there is no token for ${found.url}. Run \`punctual login ${found.url}\`, or set PUNCTUAL_TOKEN`,
    )
  const named = options.project ?? clientEnvironment().project
  return await openServer({ url: found.url, token: found.token, ...(named && { project: named }) })
}

/** Whether the options, the environment or a login name a server. */
export async function knowsServer(options: ServerOptions = {}): Promise<boolean> {
  return (await findServer(options)) !== null
}

async function findServer(options: ServerOptions): Promise<{ url: string; token?: string } | null> {
  const { url: fromEnvironment, token, loginFile } = clientEnvironment()
  const { current, tokens } = await readLogins(loginFile)
  const named = options.url ?? fromEnvironment ?? current
  if (named === null || named === undefined) return null
  const url = baseAddress(named)
  const known = token ?? tokens[url]
  return known === undefined ? { url } : { url, token: known }
}

/** An address as it is stored. Throws a `Refusal` if it is none. */
export function baseAddress(text: string): string {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new Refusal(
      'invalid',
      `${text} is not the address of a server, such as https://punctual.example.org`,
    )
  const { origin, pathname } = new URL(address)
  return (origin + pathname).replace(/\/+$/, '')
}

/** The server at `url`, used with `token`; `project` narrows it to one project. */
export async function openServer(how: { url: string; token: string; project?: string }): Promise<Server> {
  const { PunctualApi } = await import('../../client/index.js')
  const { url, token } = how
  const open = (project?: string) =>
    new PunctualApi({ url, token, timeoutMs: TIMEOUT_MS, fetch: reach, ...(project && { project }) })
  const api = open()
  const projects = async () => {
    // A key belongs to one project, whose name it is not told.
    if (!isApiToken(token)) return [{ uuid: '', name: '', role: 'member' as const, api }]
    const all: Api.ProjectEntry[] = []
    for await (const project of api.listProjects()) all.push(project)
    return narrow(all, how.project).map(project => ({ ...project, api: open(project.uuid) }))
  }
  return { url, token, api, projects }
}

/** `fetch`, whose errors say which server cannot be reached and why. */
export async function reach(...request: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(...request)
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    const reason = cause?.code ?? cause?.message ?? message
    throw new Refusal('unavailable', `${new URL(String(request[0])).origin} cannot be reached: ${reason}`)
  }
}

function narrow(all: readonly Api.ProjectEntry[], named: string | undefined): readonly Api.ProjectEntry[] {
  if (named === undefined) return all
  const found = all.filter(({ uuid, name }) => (isUuid(named) ? uuid === named : name === named))
  if (found.length === 1) return found
  if (found.length === 0) throw new Refusal('not-found', `there is no project ${named}`)
  const lines = found.map(({ uuid, name }) => `  ${uuid}  ${name}`)
  throw new Refusal('invalid', [`several projects are called ${named}; give the UUID:`, ...lines].join('\n'))
}
