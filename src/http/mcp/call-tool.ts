/** Calls a tool: a request to Punctual's own API, and its answer as text. */
import { STATUS_CODES } from 'node:http'
import type { Clock } from '../../lib/clock.js'
import { SpacedQueue } from '../../lib/fair/spaced-queue.js'
import { NATIVE_PREFIX } from '../native/native-routes.js'
import { answerText, makeMark, outputText } from './answer-text.js'
import { confirmationOf, isConfirmation } from './confirmation.js'
import { isObject, type Params } from './json-rpc.js'
import { CONFIRM, deletes, requestOf, type Tool, WrongArguments } from './tools.js'

/** Sends a request of the caller to Punctual's own API. `path`: after its prefix. */
export type Ask = (method: string, address: string, body?: object, headers?: object) => Promise<Response>

export interface ToolCaller {
  ask: Ask
  /** Whose turns its calls take: the person or the project of the token or key. */
  who: string
  /** Whether somebody waits for the answer still. */
  isWanted(): boolean
  clock: Clock
  /** The token or key, for which confirmations are valid. */
  credential: string
  /** The project of calls that name none; null if there is none. */
  project: string | null
}

export interface ToolResult {
  content: { type: 'text'; text: string }[]
  isError?: true
}

/**
 * The turns of calls that read: a long list is read, written as text and written again, for which pings and alerts wait. One request has up to
 * twenty calls, and many may be sent at once: together they have half of the time.
 */
const turns = new SpacedQueue<string>()

/** The result of a call, with what the API refuses as an error that says why. */
export async function callTool(caller: ToolCaller, tool: Tool, args: Params): Promise<ToolResult> {
  try {
    const { [CONFIRM]: confirm, ...others } = args
    const { path, query, body } = requestOf(tool, deletes(tool) ? others : args)
    if (caller.project !== null && tool.inQuery.has('project') && !query.has('project')) {
      query.set('project', caller.project)
    }
    if (tool.fields !== undefined && !query.has('fields')) query.set('fields', tool.fields)
    const address = `${NATIVE_PREFIX}${path}${query.size === 0 ? '' : `?${query}`}`
    if (deletes(tool)) return await deleteIn(caller, tool, address, confirm)
    const call = async () =>
      await resultOf(await caller.ask(tool.method, address, tool.operation.request && body), tool)
    if (!tool.listed.annotations.readOnlyHint) return await call()
    return await turns.run(caller.who, async () =>
      caller.isWanted() ? await call() : failure('nobody waits for the answer'),
    )
  } catch (error) {
    if (error instanceof WrongArguments) return failure(error.message)
    throw error
  }
}

/** The first call shows what would be deleted; the second one deletes it, if it is still as it was shown. */
async function deleteIn(
  caller: ToolCaller,
  tool: Tool,
  address: string,
  confirm: unknown,
): Promise<ToolResult> {
  const { ask, credential, clock } = caller
  const shown = await ask('GET', address)
  if (!shown.ok) return await resultOf(shown, tool)
  const etag = shown.headers.get('ETag')!
  const asked = { credential, tool: tool.listed.name, address, etag, now: clock.now() }
  if (confirm !== undefined) {
    if (!isConfirmation(String(confirm), asked)) {
      return failure(`wrong or old value, or it has changed since: call without \`${CONFIRM}\` first`)
    }
    return await resultOf(await ask('DELETE', address, undefined, { 'If-Match': etag }), tool)
  }
  const { name, slug, scope, reason, tags } = (await shown.json()) as Record<string, unknown>
  const { summary, description = '' } = tool.operation
  return success(
    [
      `Nothing has been changed yet. “${summary}” would apply to this. ${description}`.trim(),
      await answerText({ name, slug, scope, reason, tags }, makeMark()),
      `Ask the user. To go ahead, call ${tool.listed.name} again within 10 minutes with the same arguments and ${CONFIRM}: ${confirmationOf(asked)}`,
    ].join('\n'),
  )
}

async function resultOf(response: Response, { isOutput }: Tool): Promise<ToolResult> {
  const text = await response.text()
  if (!response.ok) return failure(problemText(response, text))
  if (isOutput) return success(outputText(text, makeMark()))
  return success(await answerText(text === '' ? null : JSON.parse(text), makeMark()))
}

function problemText({ status, headers }: Response, text: string): string {
  const problem = parsed(text)
  const { detail = STATUS_CODES[status], errors = [] } = problem as { detail?: string; errors?: FieldError[] }
  const wait = headers.get('Retry-After')
  return [
    `${detail}${wait === null ? '' : `; try again in ${wait} s`}`,
    ...errors.map(one => `${one.pointer ?? one.parameter}: ${one.detail}`),
  ].join('\n')
}

interface FieldError {
  detail: string
  pointer?: string
  parameter?: string
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function success(text: string): ToolResult {
  return { content: [{ type: 'text', text }] }
}

function failure(text: string): ToolResult {
  return { ...success(text), isError: true }
}
