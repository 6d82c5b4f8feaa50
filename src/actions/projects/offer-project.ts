import { offerWords } from '../../core/people/mail-words.js'
import type { Clock } from '../../lib/clock.js'
import type { OwnSession } from '../../storage/people/hold-account.js'
import type { Store } from '../../storage/store.js'
import type { MailDeps } from '../people/mail/mail-deps.js'
import { sendMail } from '../people/mail/send-link.js'
import { limitAttempts } from '../people/sign-in/limit-attempts.js'

/**
 * Offers a project to one of its members, who becomes its owner by accepting; tells them by e-mail where e-mail
 * goes out and they have proven their address. The offer counts as long as the session's person owns the project and keeps
 * their credentials. Throws a `Refusal` when they are no member, past the limit of mails about offers, and when the mail
 * cannot be sent. Source: docs/behaviour.md, section 9.7.
 */
export async function offerProject(
  deps: { store: Store; clock: Clock; mailer: MailDeps['mailer'] | null; site: MailDeps['site'] },
  project: { id: number; uuid: string; name: string },
  { memberUuid, by }: { memberUuid: string; by: OwnSession },
): Promise<void> {
  const { store, clock, mailer, site } = deps
  const member = (await store.projects.listMembers(project.id)).find(({ uuid }) => uuid === memberUuid)
  // Of others nothing is counted: they would be told of fewer offers.
  if (mailer && member) await limitAttempts(store, clock, { offer: memberUuid })
  await store.projects.offerTransfer({ projectId: project.id, memberUuid, by, now: clock.now() })
  if (!mailer || !member || !(await store.people.signInFacts({ email: member.email }))?.emailProven) return
  await sendMail(
    { mailer, site },
    {
      to: member.email,
      ...offerWords(site, project.name),
      url: `${site.root}/projects/${project.uuid}/settings/`,
    },
  )
}
