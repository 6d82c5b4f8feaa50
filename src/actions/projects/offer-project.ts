import { offerWords } from '../../core/people/mail-words.js'
import type { Clock } from '../../lib/clock.js'
import type { OwnSession, OwnToken } from '../../storage/people/lock-account.js'
import type { Store } from '../../storage/store.js'
import { type MailDeps, sendMail } from '../people/mail/send-link.js'
import { isWithinLimits, limitAttempts } from '../people/sign-in/limit-attempts.js'

/**
 * Offers a project to one of its members, who becomes its owner by accepting. They get an e-mail if one can be sent,
 * their address is proven, and they did not get very many. The offer is valid as long as the person of the session owns the project and keeps
 * their credentials. Throws a `Refusal` for a person who is not a member, above the limit of offers,
 * and if the e-mail cannot be sent. Source: docs/behaviour.md, section 9.7.
 */
export async function offerProject(
  deps: { store: Store; clock: Clock; mailer: MailDeps['mailer'] | null; site: MailDeps['site'] },
  project: { id: number; uuid: string; name: string },
  { memberUuid, by }: { memberUuid: string; by: OwnSession | OwnToken },
): Promise<void> {
  const { store, clock, mailer, site } = deps
  const member = (await store.projects.listMembers(project.id)).find(({ uuid }) => uuid === memberUuid)
  if (member) await limitAttempts(store, clock, { offer: `${by.userId} ${memberUuid}` })
  await store.projects.offerTransfer({ projectId: project.id, memberUuid, by, now: clock.now() })
  if (!mailer || !member || !(await store.people.signInFacts({ email: member.email }))?.emailProven) return
  // Others must not keep anybody from offering a project: it is shown without an e-mail, too.
  if (!(await isWithinLimits(store, clock, { offerMail: memberUuid }))) return
  await sendMail(
    { mailer, site },
    {
      to: member.email,
      ...offerWords(site, project.name),
      url: `${site.root}/projects/${project.uuid}/settings/`,
    },
  )
}
