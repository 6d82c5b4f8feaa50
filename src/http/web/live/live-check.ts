import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import { stampOf } from '../../../core/silences/silence-words.js'
import type { AppliedPolicy } from '../../../storage/incidents/choose-policy.js'
import type { CheckAccess } from '../../../storage/people/access.js'
import type { PageContext } from '../../../views/page-context.js'
import { checkOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { requireRole, stream, versionOf } from './live.js'

/**
 * The version of a page of a check. `silences`: those of its project that are not over; `policy`: its own; `around`: see
 * `incidents.surroundings`.
 */
export function checkVersion(parts: {
  stamp: unknown
  silences: readonly ShownSilence[]
  policy: AppliedPolicy | null
  around: string
}): string {
  return versionOf({ ...parts, silences: parts.silences.map(stampOf) })
}

/**
 * Responds with a stream of the elements of a page of a check, by id, that differ from those sent before. The address
 * has the page's query, so an older page does not change.
 */
export async function streamCheck(
  c: WebContext,
  elementsOf: (found: CheckAccess, page: PageContext) => Promise<Record<string, string>>,
): Promise<Response> {
  const found = await checkOf(c, c.req.param('uuid')!, 'read')
  const { project, check } = found
  const page = await pageContext(c, project)
  const { store, clock } = c.var.deps
  let sent: Record<string, string> = {}
  const versionAt = async (now: number) => {
    const [stamp, silences, policy, around] = await Promise.all([
      store.checks.eventFingerprint(project.id, check.uuid, now),
      store.silences.list(project.id, now),
      store.incidents.appliedPolicy(check.id),
      store.incidents.surroundings(check.id),
    ])
    return stamp === null ? null : checkVersion({ stamp, silences, policy, around })
  }
  let seen = (await versionAt(page.now)) ?? ''

  const look = async () => {
    const now = clock.now()
    const version = await versionAt(now)
    if (version === seen || version === null) return null
    seen = version
    const elements = await elementsOf(found, { ...page, now })
    const fresh = Object.entries(elements).filter(([id, html]) => sent[id] !== html)
    sent = elements
    const { down: problems } = await store.checks.stateCounts(project.id, now)
    return { version, problems, elements: Object.fromEntries(fresh) }
  }
  const mayRead = async () => {
    requireRole(project, (await checkOf(c, check.uuid, 'read')).project)
  }
  return stream(c, seen, { look, mayRead })
}
