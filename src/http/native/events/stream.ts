import { z } from 'zod'
import { Refusal } from '../../../core/errors.js'
import { baseHeaders } from '../../responses.js'
import type { NativeOperation } from '../native-operation.js'
import { FieldRefusal, problem } from '../problem.js'
import { readQuery } from '../query.js'
import { eventText } from './event-for.js'
import { openEventStream } from './event-stream.js'
import { typesParameter } from './read-types.js'
import { StreamLimits } from './stream-limits.js'

const limits = new StreamLimits()

const HEADERS = {
  ...baseHeaders,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Without this, nginx holds events back until its buffer is full.
  'X-Accel-Buffering': 'no',
}

export const streamEvents: NativeOperation = {
  id: 'streamEvents',
  summary: 'Follow the events of the project',
  description:
    'Server-sent events, each with its type as its name and an `Event` as its data, in the order of their IDs. After a lost ' +
    'connection, clients send the last ID in `Last-Event-ID`, and none is missed. Without it only new events are sent.',
  scope: 'log:read',
  key: 'rw',
  query: [
    {
      name: 'type',
      description: 'Only these types, with commas between them. A kind stands for all of its types.',
      schema: z.string().optional(),
    },
  ],
  responses: { 200: { description: 'The stream; it stays open.', type: 'text/event-stream' } },
  errors: {},
  async handle({ deps, access, query, header, accessNow, disconnect, now }) {
    const { type: types = [] } = readQuery(query, { type: typesParameter })
    const after = lastEventId(header('Last-Event-ID'))
    const { kind, id } = access.actor
    const leave = limits.open(`${kind}:${id ?? ''}`, access.projectId, now)
    if (!leave)
      return problem(
        429,
        'too many streams are open, or were opened a moment ago',
        {},
        { 'Retry-After': '30' },
      )
    let reader = access
    try {
      const body = await openEventStream(deps, {
        projectId: access.projectId,
        types,
        after,
        show: event => eventText(event, reader),
        isStillAllowed: async () => {
          const now = await accessNow()
          if (now instanceof Refusal) return false
          reader = now
          return true
        },
        disconnect,
        onEnd: leave,
      })
      return new Response(body, { headers: HEADERS })
    } catch (error) {
      leave()
      throw error
    }
  },
}

function lastEventId(text: string | null): number | null {
  if (text === null || text === '') return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new FieldRefusal([{ detail: 'not the ID of an event', parameter: 'Last-Event-ID' }])
}
