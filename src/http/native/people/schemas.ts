/** The bodies of requests about people, and the answers. */
import { z } from 'zod'
import { MEMBER_ROLES } from '../../../core/people/role.js'
import { THEMES } from '../../../core/people/theme.js'
import { NAG_SECONDS, REPORTS } from '../../../core/reports/report.js'
import { once } from '../../../lib/once.js'
import { instant, uuid } from '../../api/schemas.js'
import { text } from '../../api/setting-schema.js'
import { pageSchema } from '../serve/page.js'

const role = () => z.enum(MEMBER_ROLES, { error: `not one of ${MEMBER_ROLES.join(', ')}` })

const member = once(() =>
  z
    .strictObject({
      uuid,
      email: z.string(),
      role: z.enum(['owner', ...MEMBER_ROLES]),
      offered_at: instant.nullable().meta({ description: 'When the project was offered to them.' }),
    })
    .meta({ id: 'Member' }),
)

export const membersAnswer = once(() => pageSchema(z.array(member())))
export const memberAnswer = member
export const memberChanges = once(() => z.strictObject({ role: role() }).meta({ id: 'MemberChanges' }))

const invitation = () => ({
  uuid,
  role: role(),
  email: z.string().nullable().meta({ description: 'Null: the link is passed on.' }),
  inviter: z.string().nullable(),
  created_at: instant,
  expires_at: instant,
})

export const invitationsAnswer = once(() =>
  pageSchema(z.array(z.strictObject(invitation()).meta({ id: 'Invitation' }))),
)

export const newInvitation = once(() =>
  z
    .strictObject({
      email: text('email')
        .max(1_000, { error: 'too long' })
        .nullable()
        .default(null)
        .meta({ description: 'Where the link is sent to; null: nowhere.' }),
      role: role(),
    })
    .meta({ id: 'NewInvitation' }),
)

export const createdInvitation = once(() =>
  z
    .strictObject({
      ...invitation(),
      link: z.string().meta({ description: 'Works once, within a week. Shown only now.' }),
      sent_to: z.string().nullable().meta({ description: 'The address that the link was sent to.' }),
    })
    .meta({ id: 'CreatedInvitation' }),
)

const settings = () => ({
  timezone: text('timezone').max(100, { error: 'too long' }),
  theme: z.enum(THEMES, { error: `not one of ${THEMES.join(', ')}` }),
  reports: z.enum(REPORTS, { error: `not one of ${REPORTS.join(', ')}` }),
  reminders: z
    .union(
      NAG_SECONDS.map(value => z.literal(value)),
      { error: `not one of ${NAG_SECONDS.join(', ')}` },
    )
    .meta({
      description: 'Seconds between e-mails about checks that are down; 0: none.',
    }),
})

export const ownChanges = once(() =>
  z
    .strictObject(settings())
    .partial()
    .meta({ id: 'PersonChanges', description: 'What is to be changed; everything is optional.' }),
)

export const ownAnswer = once(() =>
  z.strictObject({ uuid, email: z.string(), ...settings() }).meta({ id: 'Person' }),
)
