import type { WebContext } from './context.js'

/** Where somebody wanted to go, if that is a path of this site; null otherwise, so that nobody is led away. */
export function safeNext(text: string | undefined): string | null {
  return text && /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(text) && !text.includes('\\') ? text : null
}

/** The page that somebody sees after signing in: that of their one project, or the overview of all. */
export async function homeOf(c: WebContext, userId: number): Promise<string> {
  const projects = await c.var.deps.store.people.listProjects(userId)
  const own = projects.filter(({ role }) => role === 'owner')
  return own.length === 1 ? `/projects/${own[0]!.uuid}/checks/` : '/'
}
