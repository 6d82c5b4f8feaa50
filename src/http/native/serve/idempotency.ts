/** Idempotency-Key: a POST that is sent again is not carried out again. */
import { Refusal } from '../../../core/errors.js'
import { inTurns } from '../../../lib/in-turns.js'
import { seal, sealBytes, unseal, unsealBytes } from '../../../lib/secrets/sealed.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { StoreWith } from '../../../storage/store.js'
import type { Answer } from '../../api/operation.js'
import type { NativeAnswer } from '../native-operation.js'
import { FieldRefusal } from '../problem.js'

const HEADER = 'Idempotency-Key'
const PURPOSE = 'api-answer'
const BODY_PURPOSE = 'api-answer-body'
const KEPT_MS = 86_400_000

export interface RepeatableRequest {
  /** The token or key: the answer is encrypted with it, because it may hold secrets of which only digests are stored. */
  credential: string
  /** The header; null without one. */
  key: string | null
  /** The method, the address and the body. */
  request: string
  now: number
}

type Requests = StoreWith<'projects.beginApiRequest' | 'projects.endApiRequest'>

/**
 * Carries a request out, or returns the answer that it had before. Only answers of success are kept: a request that was
 * refused changed nothing and may be sent again. Throws a `Refusal`: `conflict` while the same request is being carried
 * out, a `FieldRefusal` if the key belongs to another one.
 */
export async function onceOnly(
  store: Requests,
  { credential, key, request, now }: RepeatableRequest,
  carryOut: () => Promise<NativeAnswer>,
): Promise<{ answer: NativeAnswer; repeated: boolean }> {
  if (key === null) return { answer: await carryOut(), repeated: false }
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw wrongKey('not 1 to 255 printable characters')
  const id = { caller: digestOf(credential), key }
  const begun = await store.projects.beginApiRequest({ ...id, request: digestOf(request), now })
  if (begun.is === 'other') throw wrongKey('it was used for another request')
  if (begun.is === 'running') throw new Refusal('conflict', 'the same request is being carried out')
  if (begun.is === 'done') {
    const answer = opened(begun.answer, credential, now)
    if (answer === null) throw wrongKey('it was used for another request')
    return { answer, repeated: true }
  }
  let kept: string | null = null
  try {
    const answer = await carryOut()
    if (!(answer instanceof Response) && !(answer.body instanceof ReadableStream))
      kept = await sealed({ ...answer, body: answer.body }, credential, now)
    return { answer, repeated: false }
  } finally {
    await store.projects.endApiRequest(id, kept)
  }
}

/** An answer as it is kept, encrypted. Its body is apart, because it may be large: quoted once more, it would take three times as long. */
async function sealed({ body, ...rest }: Answer, credential: string, now: number): Promise<string> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const last = await inTurns(sealBytes(credential, BODY_PURPOSE, bytes))
  return `${seal(credential, PURPOSE, rest, now + KEPT_MS)} ${last}`
}

/** The answer that was kept; null if it is not of this caller or too old. */
function opened(kept: string, credential: string, now: number): Answer | null {
  const [first, last] = kept.split(' ') as [string, string?]
  const rest = unseal([credential], PURPOSE, first, now) as Answer | null
  if (rest === null || last === undefined) return rest
  const body = unsealBytes([credential], BODY_PURPOSE, last)
  return body === null ? null : { ...rest, body }
}

function wrongKey(detail: string): FieldRefusal {
  return new FieldRefusal([{ detail, parameter: HEADER }])
}
