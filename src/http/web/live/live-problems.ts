import type { WebContext } from '../context.js'
import { requireUser } from '../people/session.js'
import { type LiveChange, stream, versionOf } from './live.js'

/** Less often than pages, because nobody looks. */
const PACE = { everyMs: 3_000, apartMs: 2_000 }

/** GET: a stream of the number of checks that are down in each of the reader's projects, for all tabs of a browser. */
export async function streamProblems(c: WebContext): Promise<Response> {
  const { user } = requireUser(c)
  const countDown = async () => {
    const projects = await c.var.deps.store.people.listProjects(user.id)
    return Object.fromEntries(projects.map(({ uuid, down }) => [uuid, down]))
  }
  const down = await countDown()
  let seen = versionOf(down)
  const look = async (): Promise<LiveChange | null> => {
    const down = await countDown()
    const version = versionOf(down)
    if (version === seen) return null
    seen = version
    return { version, elements: {}, down }
  }
  return stream(c, { version: seen, elements: {}, down }, { look, mayRead: async () => {}, pace: PACE })
}
