/** An unfinished channel. It is stored encrypted in a cookie of the page that finishes it. */
import { z } from 'zod'
import { seal, unseal } from '../../../lib/secrets/sealed.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { WebContext } from '../context.js'
import { dropCookie, putCookie, readCookie } from '../cookies.js'
import { requireUser } from '../people/session.js'

const COOKIE = 'punctual_draft'
const LASTS_SECONDS = 1_800

const shape = z.object({
  name: z.string(),
  /** Whether it is to alert for every check of the project. */
  forAll: z.boolean().default(true),
  settings: z.record(z.string(), z.string()),
  aside: z.record(z.string(), z.string()).default({}),
  /** The code that was sent to the recipient; empty if none was. */
  code: z.string(),
})

export type StoredDraft = z.output<typeof shape>

/** The path of the page that finishes a draft of a kind. */
export function draftPath(project: ProjectAccess, kind: string): string {
  return `/projects/${project.uuid}/integrations/add/${kind}/finish/`
}

export function keepDraft(
  c: WebContext,
  project: ProjectAccess,
  kind: string,
  draft: z.input<typeof shape>,
): void {
  const { config, clock } = c.var.deps
  const expiresAt = clock.now() + LASTS_SECONDS * 1000
  const sealed = seal(config.SECRET_KEY, purpose(c, project, kind), draft, expiresAt)
  putCookie(c, COOKIE, sealed, { page: draftPath(project, kind), maxAge: LASTS_SECONDS })
}

/** The draft of this session for this project and kind; null if there is none, or if it has expired. */
export function findDraft(c: WebContext, project: ProjectAccess, kind: string): StoredDraft | null {
  const { config, clock } = c.var.deps
  const sealed = readCookie(c, COOKIE, { page: draftPath(project, kind) }) ?? ''
  return (
    shape.safeParse(unseal(secretKeysOf(config), purpose(c, project, kind), sealed, clock.now())).data ?? null
  )
}

export function dropDraft(c: WebContext, project: ProjectAccess, kind: string): void {
  dropCookie(c, COOKIE, { page: draftPath(project, kind) })
}

function purpose(c: WebContext, project: ProjectAccess, kind: string): string {
  return ['draft', requireUser(c).sessionId, project.uuid, kind].join(':')
}
