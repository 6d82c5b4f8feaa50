import { Refusal } from '../../../core/errors.js'
import { plainJsonInTurns } from '../../../core/wire/json-in-turns.js'
import { inTurns } from '../../../lib/in-turns.js'
import type { AppDeps } from '../../deps.js'
import type { AnyNativeOperation, NativeAnswer, NativeCall } from '../native-operation.js'
import { NATIVE_PREFIX } from '../native-routes.js'
import { otherProject } from './access.js'
import type { Admitted } from './admit.js'
import type { Access } from './caller.js'
import type { ChangeTurns } from './change-turns.js'
import { etagOf, hasEtag, isConditional, requireMatch } from './etag.js'
import { fieldsAsked, onlyFields } from './fields.js'
import { onceOnly } from './idempotency.js'
import { noteSuccess } from './note-success.js'

export interface Accepted extends Admitted {
  deps: AppDeps
  method: string
  route: { path: string; methods: Partial<Record<string, AnyNativeOperation>> }
  operation: AnyNativeOperation
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The whole address. */
  url: string
  header(name: string): string | null
  /** The token or key. */
  credential: string
  turns: ChangeTurns
  disconnect(): void
  /** Other projects that the request is about, see `otherProject`. */
  others: Set<string>
  /** Throws a `Refusal` if the caller may not use the operation any more. */
  accessNow(): Promise<Access | null>
}

/** An answer, and the headers that belong to it. */
export interface Done {
  answer: NativeAnswer
  headers: Record<string, string>
}

/** Carries out an operation: once for each Idempotency-Key, only if If-Match holds, with the fields that are wanted. */
export async function carryOut(accepted: Accepted): Promise<Done> {
  const { method, route, operation, query } = accepted
  const fields = method === 'GET' ? fieldsAsked(query, operation) : null
  const { answer, repeated } =
    method === 'POST'
      ? await repeatable(accepted)
      : await conditional(accepted, { fields, mayStream: method === 'GET' && fields === null })
  const headers: Record<string, string> = repeated ? { 'Idempotent-Replayed': 'true' } : {}
  if (answer instanceof Response || operation.choosesFields) return { answer, headers }
  if (typeof answer.body !== 'string') {
    if (fields === null || answer.type !== undefined) return { answer, headers }
    // JSON is ASCII, see core/wire/json.ts.
    answer.body = Buffer.from(answer.body as Uint8Array).toString('latin1')
  }
  const shown = route.methods.GET
  if (shown && hasEtag(route.methods) && ['GET', 'PUT', 'PATCH'].includes(method)) {
    headers.ETag = etagOf(answer.body, shown)
  }
  if (fields === null) return { answer, headers }
  const body = await onlyFields(answer.body, fields, operation.listing !== undefined)
  return { answer: { ...answer, body }, headers }
}

async function repeatable(accepted: Accepted): Promise<{ answer: NativeAnswer; repeated: boolean }> {
  const { deps, credential, header, url, body, operation } = accepted
  const key = header('Idempotency-Key')
  const request =
    key === null ? '' : `POST ${new URL(url).pathname}${new URL(url).search} ${await textOf(body, operation)}`
  const asked = { credential, key, request, now: deps.clock.now() }
  return await onceOnly(deps.store, asked, () => handle(accepted, operation))
}

async function textOf(body: Admitted['body'], { bodyLevels }: AnyNativeOperation): Promise<string> {
  if (bodyLevels === undefined) return JSON.stringify(body)
  return await inTurns(plainJsonInTurns(body, bodyLevels))
}

type Shown = Pick<NativeCall, 'fields' | 'mayStream'>

const WHOLE: Shown = { fields: null, mayStream: false }

async function conditional(
  accepted: Accepted,
  shown: Shown,
): Promise<{ answer: NativeAnswer; repeated: boolean }> {
  const { method, route, operation, params, caller, access, accessNow, header, turns } = accepted
  const asked = header('If-Match')
  if (asked === null || !isConditional(method, route.methods)) {
    return { answer: await handle(accepted, operation, shown), repeated: false }
  }
  const names = Object.values(params).map(name => name.toLowerCase())
  const { personId, actor } = caller
  const who = personId === null ? `${actor.kind} ${actor.id}` : `person ${personId}`
  const resource = JSON.stringify([access?.projectId ?? who, route.path, ...names])
  const answer = await turns.run(resource, who, async () => {
    const admitted = { ...accepted, access: await accessNow() }
    const shown = route.methods.GET!
    const current = await handle({ ...admitted, query: new URLSearchParams(), body: {} }, shown)
    if (!(current instanceof Response)) requireMatch(asked, etagOf(String(current.body), shown))
    return await handle(admitted, operation)
  })
  return { answer, repeated: false }
}

async function handle(
  accepted: Accepted,
  operation: AnyNativeOperation,
  { fields, mayStream } = WHOLE,
): Promise<NativeAnswer> {
  const { deps, method, route, params, query, body, caller, access, accessNow, header, disconnect, others } =
    accepted
  const call = {
    deps,
    params,
    query,
    body,
    operation: operation.id,
    fields,
    mayStream,
    disconnect,
    now: deps.clock.now(),
    header,
  }
  const answer =
    operation.concerns === 'caller'
      ? await operation.handle({ ...call, caller })
      : await operation.handle({
          ...call,
          access: access!,
          otherProject: async uuid => {
            const id = await otherProject(deps.store, access!, uuid, operation)
            others.add(uuid)
            return id
          },
          accessNow: async () => (await accessNow().catch(refusalOf))!,
        })
  const request = `${method} ${NATIVE_PREFIX}${route.path}`
  noteSuccess(deps, { caller, operation: operation.id, request, params, answer })
  return answer
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
