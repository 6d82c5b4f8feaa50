import { z } from 'zod'
import { OBJECT_KINDS } from '../../../core/events/event-types.js'
import { ANY_EVENT } from '../../../storage/events/event-log.js'
import type { NativeOperation } from '../native-operation.js'
import { instantParameter, type QueryParameter, readQuery, text } from '../query.js'
import { NEWEST_FIRST, pageJson, pageOf } from '../serve/page.js'
import { eventFor } from './event-for.js'
import { typesParameter } from './read-types.js'
import { eventsAnswer } from './schemas.js'

export const getLog: NativeOperation = {
  id: 'getLog',
  summary: 'List who changed what, and what happened to checks',
  description:
    'Newest first, for 400 days. A page looks at 20,000 events at most, so it may have few of those asked for, or none, and a `next`. Addresses are shown to owners and managers; without the right to change anything, unique keys stand in place of UUIDs.',
  scope: 'log:read',
  key: 'rw',
  query: [
    { name: 'object', description: 'Only of the object with this ID.', schema: z.string().optional() },
    {
      name: 'kind',
      description: 'Only of objects of this kind.',
      schema: z.enum(OBJECT_KINDS as [string, ...string[]]).optional(),
    },
    {
      name: 'actor',
      description:
        'Only by this actor, such as `person:UUID`; `punctual`: by Punctual itself; `others`: by people and programs.',
      schema: z.string().optional(),
    },
    {
      name: 'type',
      description: 'Only these types, with commas between them. A kind stands for all of its types.',
      schema: z.string().optional(),
    },
    {
      name: 'from',
      description: 'Only from this instant on.',
      schema: z.iso.datetime({ offset: true }).optional(),
    },
    {
      name: 'to',
      description: 'Only before this instant.',
      schema: z.iso.datetime({ offset: true }).optional(),
    },
  ],
  listing: NEWEST_FIRST,
  responses: { 200: { description: 'The events.', schema: eventsAnswer } },
  errors: {},
  async handle(call) {
    const { deps, access, query } = call
    const { after, limit } = pageOf(call, NEWEST_FIRST)
    const { type, ...asked } = readQuery(query, PARAMETERS)
    const filter = { ...ANY_EVENT, ...asked, types: type ?? null }
    const { events, next } = await deps.store.events.log(access.projectId, filter, { before: after, limit })
    return { status: 200, body: await pageJson(call, events, event => eventFor(event, access), next) }
  },
}

const kindParameter: QueryParameter<string> = {
  read: value => (OBJECT_KINDS.includes(value) ? value : undefined),
  wrong: `not one of ${OBJECT_KINDS.join(', ')}`,
}

const actorParameter: QueryParameter<string> = {
  read: value =>
    /^(punctual|others|(person|token|key|link|command):[\w-]{0,100})$/.test(value) ? value : undefined,
  wrong: 'not punctual, others, or such as person:UUID',
}

const PARAMETERS = {
  object: text(100),
  kind: kindParameter,
  actor: actorParameter,
  type: typesParameter,
  from: instantParameter,
  to: instantParameter,
}
