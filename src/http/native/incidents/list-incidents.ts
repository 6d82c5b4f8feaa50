import { z } from 'zod'
import { isUuid, UUID_PATTERN } from '../../../core/text/uuid.js'
import { incidentShape } from '../../../core/wire/incident.js'
import type { CheckRef } from '../../../storage/checks/find-check.js'
import type { NativeOperation } from '../native-operation.js'
import { instantParameter, type QueryParameter, readQuery, text, yesOrNo } from '../query.js'
import { oneCheck } from '../request.js'
import { pageJson, pageOf } from '../serve/page.js'
import { incidentsAnswer } from './schemas.js'

const PAGE = { limit: 50, most: 200, place: z.strictObject({ openedAt: z.int(), id: z.int() }) }
/** The longest list of tags of a check. */
const TAG_LENGTH = 500

export const listIncidents: NativeOperation = {
  id: 'listIncidents',
  summary: 'List the incidents of the project',
  description: 'Newest first. Those of checks that were deleted or moved away are listed too.',
  scope: 'checks:read',
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
  ],
  listing: PAGE,
  responses: { 200: { description: 'The incidents.', schema: incidentsAnswer } },
  errors: { ...oneCheck },
  async handle(call) {
    const { deps, access, query, now } = call
    const page = { ...pageOf(call, PAGE), now }
    const { incidents, next } = await deps.store.incidents.list(
      access.projectId,
      readQuery(query, PARAMETERS),
      page,
    )
    const shapeOf = (incident: (typeof incidents)[number]) => incidentShape(incident, access.kind)
    return { status: 200, body: await pageJson(call, incidents, shapeOf, next) }
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

const PARAMETERS = {
  open: yesOrNo,
  from: instantParameter,
  to: instantParameter,
  check: checkParameter,
  tag: text(TAG_LENGTH),
  channel: channelParameter,
}
