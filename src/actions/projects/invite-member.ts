import { Refusal } from '../../core/errors.js'
import { emailAddress } from '../../core/people/email-address.js'
import { invitationWords, type Named } from '../../core/people/mail-words.js'
import { MEMBER_ROLES, type MemberRole, ROLE_NAMES } from '../../core/people/role.js'
import type { Clock } from '../../lib/clock.js'
import { digestOf, newToken } from '../../lib/secrets/secrets.js'
import type { KnownAuthor } from '../../storage/projects/lock-author.js'
import type { Store } from '../../storage/store.js'
import { type MailDeps, sendMail } from '../people/mail/send-link.js'
import { limitAttempts } from '../people/sign-in/limit-attempts.js'
import { invitationPath } from './accept-invitation.js'

const LASTS_MS = 7 * 86_400_000

export interface InvitationRequest {
  project: { id: number; name: string }
  inviter: Named
  by: KnownAuthor & { userId: number }
  role: string
  /** The address to send the link to; empty: the inviter passes the link on. */
  email: string
}

/**
 * Invites a person to a project and returns its UUID and path, which works once, for a week. If an
 * address is given and e-mail can be sent, sends a link that also proves the address. Throws a `Refusal` for an
 * invalid address or role, for a member of the project, above the limit in docs/behaviour.md, section 11, and if
 * the e-mail cannot be sent.
 */
export async function inviteMember(
  deps: { store: Store; clock: Clock; mailer: MailDeps['mailer'] | null; site: MailDeps['site'] },
  request: InvitationRequest,
): Promise<{ uuid: string; path: string; sentTo: string | null }> {
  const { store, clock } = deps
  const role = memberRole(request.role)
  const email = request.email.trim() === '' ? null : emailAddress(request.email)
  const members = await store.projects.listMembers(request.project.id)
  if (email !== null && members.some(member => member.email === email)) {
    throw new Refusal('conflict', `the project has ${email} among its people already`, 'email')
  }
  const mailed = email !== null && deps.mailer ? { mail: email } : {}
  await limitAttempts(store, clock, { invitation: String(request.by.userId), ...mailed })
  const token = newToken()
  const path = invitationPath(token)
  const digest = digestOf(token)
  const now = clock.now()
  const uuid = await store.projects.addInvitation({
    projectId: request.project.id,
    by: request.by,
    digest,
    role,
    email,
    now,
    expiresAt: now + LASTS_MS,
  })
  if (email === null || !deps.mailer) return { uuid, path, sentTo: null }
  const proof = newToken()
  const expiresAt = now + LASTS_MS
  const subject = { purpose: 'invited', userId: null, email, invitation: digest } as const
  await store.people.addToken({ digest: digestOf(proof), ...subject, expiresAt })
  const link = `${path}${proof}/`
  await sendInvitation({ mailer: deps.mailer, site: deps.site }, request, { email, role, path: link })
  return { uuid, path, sentTo: email }
}

/** The role in a form. Throws a `Refusal` for an unknown role. */
export function memberRole(text: string): MemberRole {
  const role = MEMBER_ROLES.find(known => known === text)
  if (!role) throw new Refusal('invalid', `a member is one of: ${MEMBER_ROLES.join(', ')}`, 'role')
  return role
}

async function sendInvitation(
  deps: Pick<MailDeps, 'mailer' | 'site'>,
  { project, inviter }: InvitationRequest,
  { email, role, path }: { email: string; role: MemberRole; path: string },
): Promise<void> {
  await sendMail(deps, {
    to: email,
    ...invitationWords(deps.site, inviter, project.name, ROLE_NAMES[role].toLowerCase()),
    url: deps.site.root + path,
  })
}
