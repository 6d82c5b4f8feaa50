/** The log of pings of a check, and its changes of status. */
import { z } from 'zod'
import { searchLog } from '../../../actions/pings/search-outputs.js'
import { Refusal } from '../../../core/errors.js'
import type { Action } from '../../../core/pings/ping-event.js'
import { LONGEST_SOUGHT } from '../../../core/text/output/find-in-output.js'
import { toJson } from '../../../core/wire/json.js'
import { nativeFlipShape } from '../../../core/wire/native-flip.js'
import { nativePingShape } from '../../../core/wire/native-ping.js'
import { pingBody } from '../../api/checks/ping-body.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { instantParameter, type QueryParameter, readQuery, text } from '../query.js'
import { LARGEST_ID, oneCheck } from '../request.js'
import { pageJson, pageOf } from '../serve/page.js'
import { found, parsedFor, refOf } from './check.js'
import { flipsAnswer, PING_KINDS, pingAnswer, pingsAnswer } from './schemas.js'

/** By the number of a ping, and by the ID of a flip. */
const PAGE = { limit: 100, most: 1_000, place: z.int().min(1).max(LARGEST_ID) }

const RANGE = [
  {
    name: 'from',
    description: 'Only those at this instant or later.',
    schema: z.iso.datetime({ offset: true }).optional(),
  },
  {
    name: 'to',
    description: 'Only those before this instant.',
    schema: z.iso.datetime({ offset: true }).optional(),
  },
]

const kinds: QueryParameter<Action[]> = {
  read(value) {
    const words = value.split(',').map(word => word.trim())
    return words.every((word): word is Action => PING_KINDS.some(kind => kind === word)) ? words : undefined
  },
  wrong: `not some of ${PING_KINDS.join(', ')}`,
}

const times = { from: instantParameter, to: instantParameter }

export const listPings: NativeOperation = {
  id: 'listPings',
  summary: 'List the logged pings of a check',
  description: 'Newest first.',
  scope: 'pings:read',
  key: 'rw',
  query: [
    {
      name: 'kind',
      description: `Only pings of this kind, or of several with commas between them: ${PING_KINDS.join(', ')}.`,
      schema: z.string().optional(),
    },
    {
      name: 'text',
      description: `Only pings whose body has this text within a line, in any case. Each request looks at up to 1,000 pings, 10 MB of bodies and 100 bodies in object storage: a page may have few pings or none although \`next\` is not null. Bodies in object storage that cannot be read are passed over.`,
      schema: z.string().min(1).max(LONGEST_SOUGHT).optional(),
    },
    ...RANGE,
  ],
  listing: PAGE,
  responses: { 200: { description: 'The pings.', schema: pingsAnswer } },
  errors: { ...oneCheck },
  async handle(call) {
    const { deps, access } = call
    const [{ kind, text: sought, ...range }, { after: before, limit }] = await parsedFor(call, () => [
      readQuery(call.query, { kind: kinds, text: text(LONGEST_SOUGHT), ...times }),
      pageOf(call, PAGE),
    ])
    const [filter, place] = [
      { ...range, kinds: kind },
      { before, limit },
    ]
    if (sought === undefined) {
      const page = await deps.store.pings.listPage(access.projectId, refOf(call), filter, place)
      return { status: 200, body: await pageJson(call, page.pings, nativePingShape, page.next) }
    }
    const requireAccess = async () => {
      const now = await call.accessNow()
      if (now instanceof Refusal) throw now
    }
    const { found, next } = await searchLog(
      { ...deps, requireAccess },
      access.projectId,
      refOf(call),
      { ...filter, text: sought },
      place,
    )
    const shapeOf = ({ ping, excerpt }: (typeof found)[number]) => ({ ...nativePingShape(ping), excerpt })
    return { status: 200, body: await pageJson(call, found, shapeOf, next) }
  },
}

const onePing = { 404: 'There is no such check, or no such ping in its log.' }

export const getPing: NativeOperation = {
  id: 'getPing',
  summary: 'Get a logged ping',
  scope: 'pings:read',
  key: 'rw',
  responses: { 200: { description: 'The ping.', schema: pingAnswer } },
  errors: onePing,
  async handle(call) {
    const { deps, access } = call
    const uuid = await uuidOf(call)
    const { ping, bodySize } = await deps.store.pings.details(access.projectId, uuid, numberOf(call))
    return { status: 200, body: toJson(nativePingShape({ ...ping, bodySize })) }
  },
}

export const getPingBody: NativeOperation = {
  id: 'getPingBody',
  summary: 'Get the body of a logged ping, such as the output of a job',
  scope: 'pings:read',
  key: 'rw',
  responses: { 200: { description: 'The body as it was sent.', type: 'text/plain' } },
  errors: {
    404: 'There is no such check or ping, or the ping has no body.',
    503: 'The storage of bodies does not answer; try again later.',
  },
  async handle(call) {
    return await pingBody(call.deps, call.access.projectId, await uuidOf(call), numberOf(call))
  },
}

export const listFlips: NativeOperation = {
  id: 'listFlips',
  summary: 'List the changes of status of a check',
  description: 'Newest first.',
  scope: 'checks:read',
  key: 'ro',
  query: RANGE,
  listing: PAGE,
  responses: { 200: { description: 'The changes.', schema: flipsAnswer } },
  errors: { ...oneCheck },
  async handle(call) {
    const { deps, access } = call
    const [{ from = null, to = null }, { after: before, limit }] = await parsedFor(call, () => [
      readQuery(call.query, times),
      pageOf(call, PAGE),
    ])
    const range = { from, until: to }
    const flips = await deps.store.checks.listFlips(access.projectId, refOf(call), range, { before, limit })
    const shown = flips.slice(0, limit)
    const next = flips.length > limit ? shown.at(-1)!.id : null
    return { status: 200, body: await pageJson(call, shown, nativeFlipShape, next) }
  },
}

/** The number of the ping in the path. Throws `Refusal('not-found')` if none can have it. */
function numberOf({ params }: NativeCall): number {
  const n = Number(params.n)
  if (n < 1 || n > LARGEST_ID) throw new Refusal('not-found', 'ping not found')
  return n
}

async function uuidOf(call: NativeCall): Promise<string> {
  return call.params.uuid ?? (await found(call)).check.uuid
}
