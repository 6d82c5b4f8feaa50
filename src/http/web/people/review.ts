import type { ProjectEntry } from '../../../storage/people/access.js'
import { type ReviewedProject, ReviewPage } from '../../../views/pages/people/review.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { pageContext } from '../page-context.js'
import { requireProof } from './proof.js'
import { requireUser } from './session.js'

/** The page for users whose account others could use before they proved its address. */
export const REVIEW_PATH = '/accounts/review/'

/** GET: lists who else has access to the user's projects, and the projects of others that the user is in. */
export async function showReview(c: WebContext): Promise<Response> {
  const { user } = requireUser(c)
  await c.var.deps.store.people.endReview(user.id)
  const facts = await c.var.deps.store.people.signInFacts({ id: user.id })
  const hasPassword = facts?.passwordHash != null
  const all = await c.var.deps.store.people.listProjects(user.id)
  const projects = await reviewedProjects(c, user.id, all)
  const joined = all.filter(({ role }) => role !== 'owner')
  const page = await pageContext(c)
  return await c.html(ReviewPage({ page, email: user.email, hasPassword, projects, joined }))
}

/** POST: ends other people's access to the user's own projects. */
export async function submitReview(c: WebContext): Promise<Response> {
  const { user } = requireProof(c)
  await c.var.deps.store.projects.endOthersAccess(user.id, c.var.deps.clock.now())
  c.var.deps.changes.emit('access', {})
  setFlash(c, 'good', 'Members, invitations, API keys and event webhooks were removed from your projects.')
  return seeOther(c, REVIEW_PATH)
}

async function reviewedProjects(
  c: WebContext,
  userId: number,
  all: readonly ProjectEntry[],
): Promise<ReviewedProject[]> {
  const { store, clock } = c.var.deps
  const own = all.filter(({ role }) => role === 'owner')
  return await Promise.all(
    own.map(async ({ uuid, name }) => {
      const { id } = (await store.people.projectAccess(userId, uuid))!
      const [members, invitations, keys, tokens, webhooks, channels] = await Promise.all([
        store.projects.listMembers(id),
        store.projects.listInvitations(id, clock.now()),
        store.projects.listApiKeys(id),
        store.projects.listApiTokens({ projectId: id }),
        store.events.webhooks(id),
        store.channels.list(id),
      ])
      const others = members.filter(({ role }) => role !== 'owner').map(({ email }) => email)
      return {
        uuid,
        name,
        others,
        invitations: invitations.length,
        keys: keys.length + tokens.length,
        webhooks: webhooks.length,
        channels: channels.length,
      }
    }),
  )
}
