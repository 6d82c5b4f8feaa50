import type { WebContext } from './context.js'

/**
 * The page that a visitor wanted, if it is a path of this site; otherwise null, so that links cannot lead to other
 * sites.
 */
export function safeNext(text: string | undefined): string | null {
  return text && /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(text) && !text.includes('\\') ? text : null
}

/**
 * The page after signing in: that of the user's only project, or the overview, which names none to those who must set up a
 * second step first.
 */
export async function homeOf(c: WebContext, userId: number): Promise<string> {
  if (c.var.deps.config.SECOND_STEP_REQUIRED) return '/'
  const projects = await c.var.deps.store.people.listProjects(userId)
  const own = projects.filter(({ role }) => role === 'owner')
  return own.length === 1 ? `/projects/${own[0]!.uuid}/checks/` : '/'
}
