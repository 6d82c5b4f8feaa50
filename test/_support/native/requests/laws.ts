/** Sends random requests to Punctual's own API, and holds what must be true of every answer. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ApiDocument, JsonSchema } from '../../../../src/core/api-document.js'
import { NATIVE_PREFIX } from '../../../../src/http/native/native-routes.js'
import { schemaMismatch } from '../../schema-mismatch.js'
import type { Reply, World } from '../../worlds/world.js'
import type { AnyRequest } from './any-request.js'
import { FromNow, Marked, Named } from './any-value.js'
import { fingerprint } from './fingerprint.js'
import type { Requester, Side } from './side.js'

const NOBODY = '00000000-0000-4000-8000-000000000000'
/** One in so many writes is compared with the store before it. */
const COMPARED = 40
/** What takes from the caller, or from the token itself, the right to repeat it. */
const LAST_ACTS = new Set(['leaveProject', 'acceptProject', 'moveCheck'])

interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Two sides, whose callers must see nothing of the other. */
export class RequestLaws {
  /** How often each operation succeeded, and each status was answered. */
  readonly counts: Record<string, number>
  sent = 0
  #compared = 0
  readonly #cursors = new Map<string, string>()

  constructor(
    private readonly world: World,
    private readonly document: ApiDocument,
    private readonly sides: readonly [Side, Side],
    counts: Record<string, number> = {},
  ) {
    this.counts = counts
  }

  async hold(request: AnyRequest): Promise<void> {
    this.world.clock.advance(request.seconds)
    const { caller, foreign, who } = this.#whoSends(request)
    const asked = this.#asked(request, caller, foreign, who)
    const isWrite = asked.method !== 'GET'
    const before = isWrite && this.#compared++ % COMPARED === 0 ? await fingerprint(this.world) : null
    const { twist } = request
    if (twist === 'stale') asked.headers['If-Match'] = '"stale"'
    if (twist === 'any') asked.headers['If-Match'] = '*'
    const known = twist === 'current' ? await this.#etagOf(asked, who) : null
    if (known !== null) asked.headers['If-Match'] = known
    if (twist === 'repeat' || twist === 'other body') asked.headers['Idempotency-Key'] = randomUUID()
    const reply = await this.#send(request, asked, { caller, foreign, who })
    if (before && reply.status >= 400) {
      assert.deepEqual(
        await fingerprint(this.world),
        before,
        `${describe(asked, who)}: refused, but it wrote`,
      )
    }
    if (!who.isKnown) assert.ok(reply.status >= 400, `${describe(asked, who)}: ${reply.status}`)
    if (twist === 'stale') assert.ok(reply.status >= 400, `${describe(asked, who)}: ${reply.status}`)
    if (known !== null || twist === 'any') assert.notEqual(reply.status, 412, describe(asked, who))
    const isDone = reply.status < 300
    if (known !== null && isDone) await this.#holdChanged(asked, who, known)
    if (isDone && 'Idempotency-Key' in asked.headers) await this.#holdRepeated(request, asked, who, reply)
    if (isDone) this.#learn(request, reply, caller)
  }

  #whoSends({ caller: at }: AnyRequest) {
    const [caller, foreign] = at % 5 === 4 ? [this.sides[1], this.sides[0]] : this.sides
    return { caller, foreign, who: caller.requesters[at % caller.requesters.length]! }
  }

  #asked({ target, params, query, body }: AnyRequest, own: Side, foreign: Side, who: Requester): Sent {
    const fill = (value: unknown) => this.#filled(value, own, foreign)
    const path = target.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(fill(params[name]))),
    )
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined || (name === 'project' && !who.namesProject && this.sent % 4 !== 0)) continue
      const text = String(fill(value))
      search.append(name, name === 'cursor' ? this.#cursorFor(text, target.documented.operationId) : text)
    }
    const sent = search.size === 0 ? '' : `?${search}`
    return {
      method: target.method,
      path: NATIVE_PREFIX + path + sent,
      headers: { ...who.headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(fill(body)) }),
    }
  }

  #filled(value: unknown, own: Side, foreign: Side): unknown {
    if (value instanceof Named) return this.#nameOf(value, own, foreign)
    if (value instanceof FromNow) return new Date(this.world.clock.now() + value.seconds * 1000).toISOString()
    if (value instanceof Marked) return `text ${own.mark}`
    if (Array.isArray(value)) return value.map(one => this.#filled(one, own, foreign))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, this.#filled(one, own, foreign)]),
    )
  }

  #nameOf({ noun, at, of }: Named, own: Side, foreign: Side): string | number {
    const numbered = noun === 'silences' || noun === 'policies' || noun === 'incidents'
    if (of === 'nobody') return numbered ? 999_999 : NOBODY
    const pool = (of === 'own' ? own : foreign).pools[noun] ?? []
    const text = pool[at % Math.max(1, pool.length)] ?? NOBODY
    return numbered ? Number(text) : text
  }

  #cursorFor(text: string, operation: string): string {
    if (text === 'next') return this.#cursors.get(operation) ?? text
    return text === 'other' ? ([...this.#cursors.values()][0] ?? text) : text
  }

  async #send(request: AnyRequest, asked: Sent, by: { caller: Side; foreign: Side; who: Requester }) {
    const { method, path, headers, body } = asked
    this.sent++
    const reply = await this.world.send(method, path, { headers, ...(body === undefined ? {} : { body }) })
    const said = `${describe(asked, by.who)}: ${reply.status} ${reply.text.slice(0, 2_000)}`
    this.#count(request, reply.status)
    assert.ok(reply.status < 500 || this.#isDocumented(request, reply.status), said)
    assert.deepEqual(this.world.bugs, [], said)
    this.#holdDocument(request, reply, said)
    this.#holdSecrets(asked, reply, by, said)
    return reply
  }

  #count({ target }: AnyRequest, status: number): void {
    const name = `${target.documented.operationId} ${status}`
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }

  #isDocumented({ target }: AnyRequest, status: number): boolean {
    return target.documented.responses[status] !== undefined
  }

  /** A path with something else in place of a name may be another path, or none. */
  #holdDocument({ target, params, query }: AnyRequest, reply: Reply, said: string): void {
    const isOther = Object.values(params).some(value => typeof value === 'string' && !/^\d+$/.test(value))
    const response = target.documented.responses[reply.status]
    if (isOther && (response === undefined || reply.status < 300)) {
      if (reply.status >= 400) this.#holdProblem(reply, said)
      return
    }
    assert.ok(response, `not documented: ${said}`)
    const [type, content] = Object.entries(response.content ?? {})[0] ?? []
    assert.equal(reply.headers.get('content-type')?.split(';')[0], type, said)
    if (type?.includes('json') && (query.fields === undefined || reply.status >= 300))
      this.#holdSchema(reply, content!.schema, said)
  }

  #holdProblem(reply: Reply, said: string): void {
    assert.equal(reply.headers.get('content-type'), 'application/problem+json', said)
    this.#holdSchema(reply, { $ref: '#/components/schemas/Problem' }, said)
    assert.equal(reply.json.status, reply.status, said)
  }

  #holdSchema(reply: Reply, schema: JsonSchema, said: string): void {
    const mismatch = schemaMismatch(reply.json, schema, this.document.components.schemas)
    assert.equal(mismatch, null, `${mismatch}: ${said}`)
  }

  /** Nothing of the other side is in the answer, and no UUID of a check for who only reads, unless the request had it. */
  #holdSecrets(
    { path, body = '' }: Sent,
    { text }: Reply,
    by: { caller: Side; foreign: Side; who: Requester },
    said: string,
  ) {
    const asked = path + body
    const hidden = by.who.isKnown
      ? [...by.foreign.secrets]
      : this.sides.flatMap(({ secrets }) => [...secrets])
    const unseen = by.who.seesUuids ? hidden : [...hidden, ...by.caller.checkUuids]
    for (const secret of unseen) {
      assert.ok(!text.includes(secret) || asked.includes(secret), `tells ${secret}: ${said}`)
    }
  }

  async #etagOf({ path, headers }: Sent, who: Requester): Promise<string | null> {
    const reply = await this.world.send('GET', path, { headers: { ...who.headers, ...headers } })
    return reply.status === 200 ? reply.headers.get('ETag') : null
  }

  /** After a change, the ETag from before it is stale. */
  async #holdChanged(asked: Sent, who: Requester, before: string): Promise<void> {
    const now = await this.#etagOf({ ...asked, headers: {} }, who)
    if (now === null || now === before) return
    const { method, path, headers, body } = asked
    const again = await this.world.send(method, path, { headers, ...(body === undefined ? {} : { body }) })
    assert.equal(again.status, 412, `${describe(asked, who)}: ${again.text}`)
  }

  /** The same request has the same answer and no effect; another one with the same key is refused. */
  async #holdRepeated(
    { target, twist }: AnyRequest,
    asked: Sent,
    who: Requester,
    first: Reply,
  ): Promise<void> {
    const { method, path, headers, body } = asked
    const said = describe(asked, who)
    if (twist === 'other body') {
      const other = await this.world.send(method, path, { headers, body: '{"other": 1}' })
      if (LAST_ACTS.has(target.documented.operationId) && other.status !== 422) return
      assert.equal(other.status, 422, `${said}: ${other.text}`)
      return
    }
    const before = await fingerprint(this.world)
    const again = await this.world.send(method, path, { headers, ...(body === undefined ? {} : { body }) })
    if (LAST_ACTS.has(target.documented.operationId) && [401, 403, 404].includes(again.status)) return
    assert.deepEqual([again.status, again.text], [first.status, first.text], said)
    assert.equal(again.headers.get('Idempotent-Replayed'), 'true', said)
    assert.deepEqual(await fingerprint(this.world), before, `${said}: carried out twice`)
  }

  /** What was created is used by later requests, and must stay unseen by others. */
  #learn({ target }: AnyRequest, reply: Reply, { pools, secrets, checkUuids, reader }: Side): void {
    const { operationId } = target.documented
    if (!reply.headers.get('content-type')?.includes('json')) return
    const { json } = reply
    if (typeof json.next === 'string') this.#cursors.set(operationId, json.next)
    if (operationId === 'patchMember' && json.uuid === reader.uuid) {
      reader.requester.seesUuids = json.role !== 'readonly'
    }
    if (reply.status !== 201) return
    const noun = target.path.split('/')[1]! as keyof typeof pools
    if (typeof json.uuid === 'string') {
      secrets.add(json.uuid)
      if (['createCheck', 'copyCheck'].includes(operationId)) checkUuids.add(json.uuid)
      // Callers would not name the new ones.
      if (noun !== 'projects') appendTo(pools, noun, json.uuid)
    } else if (
      typeof json.id === 'number' &&
      operationId !== 'addIncidentNote' &&
      operationId !== 'snoozeCheck'
    ) {
      appendTo(pools, noun, String(json.id))
    }
  }
}

function appendTo(pools: Side['pools'], noun: keyof Side['pools'], name: string): void {
  pools[noun] = [...(pools[noun] ?? []), name]
}

function describe({ method, path, body, headers }: Sent, { name }: Requester): string {
  return `${name}: ${method} ${path} ${body?.slice(0, 1_000) ?? ''} ${JSON.stringify(headers)}`
}
