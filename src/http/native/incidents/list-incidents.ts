import { z } from 'zod'
import { isUuid, UUID_PATTERN } from '../../../core/text/uuid.js'
import { incidentShape } from '../../../core/wire/incident.js'
import { toJson } from '../../../core/wire/json.js'
import type { CheckRef } from '../../../storage/checks/find-check.js'
import type { IncidentPlace } from '../../../storage/incidents/incidents.js'
import { anyKey, oneCheck } from '../../api/refusals.js'
import type { NativeOperation } from '../native-operation.js'
import { instantParameter, positive, type QueryParameter, readQuery, text, yesOrNo } from '../query.js'
import { incidentsAnswer } from './schemas.js'

const LISTED = 50
const MOST_LISTED = 200
/** The longest list of tags of a check. */
const TAG_LENGTH = 500

export const listIncidents: NativeOperation = {
  id: 'listIncidents',
  summary: 'List the incidents of the project',
  description: 'Newest first. Those of checks that were deleted or moved away are listed too.',
  key: 'ro',
  query: [
    {
      name: 'open',
      description: '`true`: only open ones; `false`: only closed ones.',
      schema: z.boolean().optional(),
    },
    {
      name: 'from',
      description: 'Only those that were open at this instant or later.',
      schema: z.iso.datetime({ offset: true }).optional(),
    },
    {
      name: 'to',
      description: 'Only those that were opened before this instant.',
      schema: z.iso.datetime({ offset: true }).optional(),
    },
    {
      name: 'check',
      description: 'Only those of the check with this UUID or unique key.',
      schema: z.string().optional(),
    },
    { name: 'tag', description: 'Only those of checks with this tag.', schema: z.string().optional() },
    {
      name: 'channel',
      description: 'Only those that were sent to the channel with this UUID.',
      schema: z.uuid().optional(),
    },
    {
      name: 'limit',
      description: 'The most incidents to list.',
      schema: z.int().min(1).max(MOST_LISTED).default(LISTED),
    },
    {
      name: 'cursor',
      description: 'Where to go on: `next_cursor` of an answer.',
      schema: z.string().optional(),
    },
  ],
  responses: { 200: { description: 'The incidents.', schema: incidentsAnswer } },
  errors: { ...anyKey, ...oneCheck, 422: 'A parameter is wrong.' },
  async handle({ deps, access, query, now }) {
    const { limit = LISTED, cursor, ...filter } = readQuery(query, PARAMETERS)
    const page = { after: cursor ?? null, limit, now }
    const { incidents, next } = await deps.store.incidents.list(access.projectId, filter, page)
    return {
      status: 200,
      body: toJson({
        incidents: incidents.map(incident => incidentShape(incident, access.kind)),
        next_cursor: next && `${next.openedAt}-${next.id}`,
      }),
    }
  },
}

const checkParameter: QueryParameter<CheckRef> = {
  read(value) {
    if (new RegExp(`^${UUID_PATTERN}$`).test(value)) return { uuid: value }
    return /^[0-9a-f]{40}$/.test(value) ? { uniqueKey: value } : undefined
  },
  wrong: 'not the UUID or the unique key of a check',
}

const channelParameter: QueryParameter<string> = {
  read: value => (isUuid(value) ? value : undefined),
  wrong: 'not the UUID of a channel',
}

const cursorParameter: QueryParameter<IncidentPlace> = {
  read(value) {
    const [, openedAt, id] = /^(\d{1,15})-(\d{1,15})$/.exec(value) ?? []
    return id === undefined ? undefined : { openedAt: Number(openedAt), id: Number(id) }
  },
  wrong: 'not the next_cursor of an answer',
}

const PARAMETERS = {
  open: yesOrNo,
  from: instantParameter,
  to: instantParameter,
  check: checkParameter,
  tag: text(TAG_LENGTH),
  channel: channelParameter,
  limit: positive(MOST_LISTED),
  cursor: cursorParameter,
}
