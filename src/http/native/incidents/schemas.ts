/** The bodies and responses of the operations on incidents. core/wire/incident.ts creates the responses' texts. */
import { z } from 'zod'
import { NOTE_LENGTH } from '../../../core/incidents/acknowledgement.js'
import { once } from '../../../lib/once.js'
import { instant, uuid } from '../../api/schemas.js'
import { text } from '../../api/setting-schema.js'
import { pageSchema } from '../serve/page.js'

/** The most incidents that one request acknowledges. */
export const MOST_ACKNOWLEDGED = 200

const note = () => text('note').max(NOTE_LENGTH, { error: `note is longer than ${NOTE_LENGTH} characters` })

const acknowledgementFields = () => ({
  note: note().default(''),
  until: z.iso
    .datetime({ offset: true, error: 'until is not an instant such as 2026-01-02T03:04:05Z' })
    .nullable()
    .default(null)
    .meta({ description: 'When it counts as unacknowledged again; null: never.' }),
})

export const acknowledgementBody = once(() =>
  z
    .strictObject(acknowledgementFields())
    .meta({ id: 'Acknowledge', description: 'How an incident is acknowledged; everything is optional.' }),
)

export const severalBody = once(() =>
  z
    .strictObject({
      incidents: z
        .array(z.int({ error: 'not the ID of an incident' }).min(1, { error: 'not the ID of an incident' }), {
          error: 'incidents is not a list',
        })
        .min(1, { error: 'incidents is empty' })
        .max(MOST_ACKNOWLEDGED, { error: 'too many incidents' }),
      ...acknowledgementFields(),
    })
    .meta({ id: 'AcknowledgeSeveral', description: 'Which incidents are acknowledged, and how.' }),
)

export const noteBody = once(() =>
  z
    .strictObject({ note: note().min(1, { error: 'note is empty' }) })
    .meta({ id: 'IncidentNote', description: 'A note on an incident.' }),
)

const closedBy = () => z.enum(['recovery', 'paused', 'deleted', 'person'])
const person = () => z.string().nullable().meta({ description: 'Null for a read-only key.' })

const incidentFields = once(() => ({
  id: z.int(),
  check: z.strictObject({
    uuid: uuid
      .nullable()
      .optional()
      .meta({ description: 'Null if the check is not in the project any more.' }),
    unique_key: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Instead of the UUID, for a read-only key.' }),
    name: z.string(),
  }),
  opened_at: instant,
  since: instant.meta({ description: 'The first failure that was counted.' }),
  cause: z.string().meta({ description: '`failed`, `missed`, `overrun` or `too_short`.' }),
  closed_at: instant.nullable(),
  closed_by: closedBy()
    .nullable()
    .meta({ description: '`person`: the check was moved to another project, or its log was cleared.' }),
  acknowledged: z
    .strictObject({ by: person(), at: instant, note: z.string(), until: instant.nullable() })
    .nullable()
    .meta({ description: 'Null if it is not acknowledged, or not any more.' }),
}))

const incident = once(() =>
  z
    .strictObject(incidentFields())
    .meta({ id: 'Incident', description: 'The time from going down to coming up.' }),
)

const namedChannel = () =>
  z
    .strictObject({ uuid: uuid.optional(), name: z.string().optional(), kind: z.string() })
    .meta({ description: 'Only its kind for a read-only key.' })

const entry = once(() => {
  const channel = namedChannel().nullable().meta({ description: 'Null if it was deleted.' })
  const of = <T extends string>(types: readonly [T, ...T[]], fields: z.ZodRawShape) =>
    z.strictObject({ type: z.enum(types), at: instant, ...fields })
  return z
    .union([
      of(['opened', 'reopened'], { cause: z.string() }),
      of(['closed'], { by: closedBy() }),
      of(['message'], {
        channel,
        status: z.string().meta({ description: '`down`, `up` or `paused`.' }),
        attempts: z.int(),
        last_attempt: instant,
        error: z.string().nullable().meta({ description: 'Null if it was sent; `Sending` while under way.' }),
      }),
      of(['held'], {
        channel,
        reason: z.string().meta({
          description:
            '`silence`, `dependency`, `outage` (of Punctual, which may have missed a ping), `flapping`, `minute` and `hour` (limits of the channel), `receiver` (its rate limit), `unreachable` or `unknown`.',
        }),
        text: z.string().meta({ description: 'The reason in words, with the names of silences and checks.' }),
        until: instant.nullable().meta({ description: 'Its end, if that is known.' }),
      }),
      of(['dropped'], {
        channel,
        reason: z.string().meta({
          description:
            '`superseded`, `held`, `over`, `closed`, `unreported`, `unwanted`, `unlinked`, `reported` or `acknowledged`.',
        }),
        text: z.string().meta({ description: 'What was not sent: a status, `step` or `repeat`.' }),
      }),
      of(['acknowledged'], { by: person(), note: z.string(), until: instant.nullable() }),
      of(['unacknowledged'], { by: person() }),
      of(['note'], { by: person(), note: z.string() }),
    ])
    .meta({ id: 'IncidentEntry', description: 'Something that happened to an incident.' })
})

export const incidentAnswer = once(() => incident())

export const timelineAnswer = once(() =>
  z
    .strictObject({ ...incidentFields(), timeline: z.array(entry()) })
    .meta({ id: 'IncidentWithTimeline', description: 'An incident, and what happened to it, oldest first.' }),
)

export const incidentsAnswer = once(() => pageSchema(z.array(incident())))

export const acknowledgedAnswer = once(() =>
  z.strictObject({
    acknowledged: z.array(z.int()).meta({ description: 'Those that were not closed.' }),
  }),
)

export const explanationAnswer = once(() =>
  z
    .strictObject({
      check: incidentFields().check,
      status: z.enum(['new', 'up', 'down', 'paused']),
      incident: incident().nullable().meta({ description: 'The open one, or else the last one.' }),
      channels: z.array(explainedChannel()),
    })
    .meta({ id: 'Explanation', description: 'Why an alert about a check was or was not sent.' }),
)

const explainedChannel = once(() =>
  z
    .strictObject({
      channel: namedChannel(),
      unusable: z.enum(['disabled', 'unconfirmed', 'unreachable']).nullable(),
      linked: z.boolean().meta({ description: 'If not, it is only sent the end of what it was sent.' }),
      reported_at: instant
        .nullable()
        .meta({ description: 'When it was last sent that the check is down; null if that is over.' }),
      last_message: entry().nullable().meta({ description: 'The last message about the incident.' }),
      dropped: z.array(entry()).meta({ description: 'What was dropped after that message.' }),
      waiting: z.array(
        z.strictObject({
          status: z.enum(['down', 'up', 'paused', 'deleted']),
          again: z
            .enum(['step', 'repeat'])
            .nullable()
            .meta({ description: 'Set if it only asks that the incident is sent once more.' }),
          since: instant,
          due_at: instant
            .nullable()
            .meta({ description: 'When it is looked at next; null: when the channel is enabled.' }),
          attempts: z.int(),
          sending: z.boolean(),
          held_by: z
            .string()
            .nullable()
            .meta({ description: 'What it waits for; null: nothing, or its next attempt.' }),
        }),
      ),
      holds: z
        .array(
          z.strictObject({ reason: z.enum(['silence', 'dependency']), name: z.string(), until: instant }),
        )
        .meta({
          description:
            'What holds its down alerts now. `until`: its end, or when it is looked at again. Of many silences or dependencies those that hold them longest: ten, or fewer if the check has more than a hundred channels.',
        }),
    })
    .meta({ id: 'ExplainedChannel', description: 'A channel, what it was sent, and what waits for it.' }),
)
